// The API calls of clients, the shape of a message, and the lenient forms of requests they may
// send.
import { createHash } from 'node:crypto';
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chatClient, type FormInput } from '../../server/src/testing/chat/client.ts';
import {
  bool,
  CHANNEL,
  type ClientsWorld,
  fetchOne,
  type Fields,
  fits,
  HARBOUR,
  ids,
  int,
  list,
  MESSAGE,
  object,
  ok,
  openClientsWorld,
  orNull,
  post,
  refused,
  say,
  SUBSCRIPTION,
  text,
  USER,
  whisper,
} from './world.ts';
import type { Actor } from '../../server/src/testing/chat/world.ts';

let world: ClientsWorld;
let server: ClientsWorld['server'];
let ada: Actor;
let bob: Actor;
let cyd: Actor;
let harbour: number;

beforeAll(async () => {
  world = await openClientsWorld();
  ({ server, ada, bob, cyd, harbour } = world);
});
afterAll(() => world.close());

describe('a message', () => {
  it('of a channel', async () => {
    const id = await say(bob, 'docks', 'a **ship**');
    const message = await fetchOne(ada, id);
    fits(message, { ...MESSAGE, stream_id: int, flags: list(text), display_recipient: text });
    expect(message).toMatchObject({
      type: 'stream',
      display_recipient: HARBOUR,
      stream_id: harbour,
      subject: 'docks',
      content: '<p>a <strong>ship</strong></p>',
      content_type: 'text/html',
    });
    expect(message).not.toHaveProperty('edit_history');
    const raw = await fetchOne(ada, id, { apply_markdown: false });
    expect(raw).toMatchObject({ content: 'a **ship**', content_type: 'text/x-markdown' });
  });

  it('among people lists all of them, including oneself', async () => {
    const pair = await fetchOne(ada, await whisper(bob, [ada], 'you and me'));
    fits(pair, { ...MESSAGE, flags: list(text) });
    expect(pair).toMatchObject({ type: 'private', subject: '' });
    expect(pair).not.toHaveProperty('stream_id');
    const people = pair['display_recipient'] as Fields[];
    expect(new Set(people.map(({ id }) => id))).toEqual(new Set([ada.id, bob.id]));
    for (const one of people) {
      fits(one, { id: int, email: text, full_name: text, is_mirror_dummy: bool });
    }
    const note = await fetchOne(ada, await whisper(ada, [ada], 'a note'));
    expect(note['display_recipient']).toMatchObject([{ id: ada.id }]);
  });

  it('without a topic gets the default topic name, unless the client declares support', async () => {
    const id = await say(bob, '', 'just so');
    expect((await fetchOne(ada, id))['subject']).toBe('general chat');
    expect((await fetchOne(ada, id, { allow_empty_topic_name: true }))['subject']).toBe('');
  });
});

describe('what clients call', () => {
  it('who one is', async () => {
    fits(ok(await ada.client.get('/users/me')), { user_id: int, full_name: text, email: text });
  });

  it('presence, in both forms, at every ping', async () => {
    const ping = (more: FormInput) =>
      ada.client.post('/users/me/presence', { status: 'active', new_user_input: true, ...more });
    const old = ok(await ping({}));
    fits(old, { presences: object, server_timestamp: Type.Number() });
    expect(Object.keys(old['presences'] as Fields)).toContain(ada.email);
    const slim = ok(await ping({ slim_presence: true }));
    expect(Object.keys(slim['presences'] as Fields)).toContain(String(ada.id));
    ok(await ping({ ping_only: true }));
  });

  it('channels and people, listed and alone', async () => {
    const { streams } = ok(await ada.client.get('/streams')) as { streams: Fields[] };
    for (const row of streams) fits(row, CHANNEL);
    const { stream } = ok(await ada.client.get(`/streams/${harbour}`)) as { stream: Fields };
    fits(stream, CHANNEL);
    fits(ok(await ada.client.get(`/streams/${harbour}/members`)), { subscribers: ids });
    fits(ok(await ada.client.get(`/streams/${harbour}/email_address`)), { email: text });
    const { members } = ok(await ada.client.get('/users')) as { members: Fields[] };
    for (const row of members) fits(row, { ...USER, is_active: bool });
    for (const key of [bob.id, bob.email]) {
      fits((ok(await ada.client.get(`/users/${key}`)) as { user: Fields }).user, USER);
    }
  });

  it('a message: read, changed, deleted, its past, its readers', async () => {
    const id = await say(ada, 'life', 'of a mesage');
    const one = ok(await ada.client.get(`/messages/${id}`));
    fits(one['message'], { ...MESSAGE, flags: list(text), stream_id: int });
    expect(one['raw_content']).toBe('of a mesage');
    const sha = createHash('sha256').update('of a mesage').digest('hex');
    const change = { content: 'of a message', prev_content_sha256: sha };
    ok(await ada.client.patch(`/messages/${id}`, change));
    refused(await ada.client.patch(`/messages/${id}`, { ...change, content: 'x' }), {
      code: 'EXPECTATION_MISMATCH',
    });
    const { message_history: past } = ok(await ada.client.get(`/messages/${id}/history`)) as {
      message_history: Fields[];
    };
    for (const row of past) fits(row, { content: text, topic: text, timestamp: int, user_id: int });
    fits(ok(await bob.client.get(`/messages/${id}/read_receipts`)), { user_ids: ids });
    ok(await ada.client.delete(`/messages/${id}`));
  });

  it('messages: pages and their ends, topics, flags, rendering, matching', async () => {
    const id = await say(bob, 'pages', 'look for [me](https://example.com)');
    const page = ok(
      await ada.client.get('/messages', { anchor: 'newest', num_before: 3, num_after: 0 }),
    );
    fits(page, {
      messages: list(object),
      anchor: int,
      found_newest: bool,
      found_oldest: bool,
      found_anchor: bool,
      history_limited: bool,
    });
    const { topics } = ok(await ada.client.get(`/users/me/${harbour}/topics`)) as {
      topics: Fields[];
    };
    for (const topic of topics) fits(topic, { name: text, max_id: int });
    const narrow = [{ operator: 'channel', operand: harbour }];
    const marked = {
      anchor: 'newest',
      num_before: 5,
      num_after: 0,
      narrow,
      op: 'add',
      flag: 'read',
    };
    fits(ok(await ada.client.post('/messages/flags/narrow', marked)), {
      processed_count: int,
      updated_count: int,
      first_processed_id: orNull(int),
      last_processed_id: orNull(int),
      found_oldest: bool,
      found_newest: bool,
    });
    expect(ok(await ada.client.post('/messages/render', { content: '**b**' }))['rendered']).toBe(
      '<p><strong>b</strong></p>',
    );
    const asked = { msg_ids: [id], narrow: [{ operator: 'has', operand: 'link' }] };
    const matched = ok(await ada.client.get('/messages/matches_narrow', asked));
    expect(Object.keys(matched['messages'] as Fields)).toEqual([String(id)]);
    ok(await ada.client.post('/mark_all_as_read'));
    ok(await ada.client.post('/mark_stream_as_read', { stream_id: harbour }));
    ok(await ada.client.post('/mark_topic_as_read', { stream_id: harbour, topic_name: 'pages' }));
  });

  it('subscriptions, with the other subscribers', async () => {
    const asked = { include_subscribers: true };
    const { subscriptions } = ok(await ada.client.get('/users/me/subscriptions', asked)) as {
      subscriptions: Fields[];
    };
    for (const row of subscriptions) fits(row, { ...SUBSCRIPTION, subscribers: ids });
    const status = ok(await ada.client.get(`/users/${bob.id}/subscriptions/${harbour}`));
    expect(status['is_subscribed']).toBe(true);
  });

  it('what people do: polls and status', async () => {
    ok(await ada.client.post('/users/me/status', { status_text: 'at sea', emoji_name: 'car' }));
    const poll = await say(ada, 'polls', '/poll Where?\nhere');
    const vote = {
      message_id: poll,
      msg_type: 'widget',
      content: '{"type":"vote","key":"canned,0","vote":1}',
    };
    ok(await bob.client.post('/submessage', vote));
  });

  it('emoji of the organization, and own snippets', async () => {
    fits(ok(await ada.client.get('/realm/emoji')), { emoji: object });
    const form = { title: 'greeting', content: 'good day' };
    fits(ok(await ada.client.post('/saved_snippets', form)), { saved_snippet_id: int });
    const { saved_snippets: rows } = ok(await ada.client.get('/saved_snippets'));
    expect(rows).toMatchObject([form]);
  });

  it('pictures, by redirect or directly, also with credentials', async () => {
    for (const path of [`/avatar/${ada.id}`, `/avatar/${ada.id}/medium`]) {
      const headers = { authorization: bob.basic };
      const { status, headers: got } = await fetch(`${server.origin}${path}`, { headers });
      expect(status).toBe(200);
      expect(got.get('content-type')).toMatch(/^image\//);
    }
  });

  it('unknown endpoints are answered in JSON', async () => {
    const body = refused(await ada.client.get('/users/me/pointer'), { status: 404 });
    expect(body).toHaveProperty('msg');
  });

  it('files: an upload with any part name, a temporary address, and the file itself with credentials', async () => {
    const body = new FormData();
    // As clients do: the part is named after the file.
    body.set('نقشه.txt', new Blob(['a map of the harbour']), 'نقشه.txt');
    const sent = ok(await ada.client.raw('/user_uploads', { method: 'POST', body }));
    fits(sent, { url: text, uri: text, filename: text });
    expect(sent['uri']).toBe(sent['url']);
    const path = encodeURI(String(sent['url']));
    const fetchAs = (url: string, who?: Actor) =>
      fetch(`${server.origin}${url}`, who && { headers: { authorization: who.basic } });
    expect((await fetchAs(path, bob)).status).toBe(403);
    await say(ada, 'maps', `[${String(sent['filename'])}](${String(sent['url'])})`);
    expect(await (await fetchAs(path, bob)).text()).toBe('a map of the harbour');
    expect(await (await fetchAs(`${path}?api_key=${bob.chatKey}`)).text()).toContain('a map');
    expect((await fetchAs(path)).status).toBe(403);
    const told = ok(await bob.client.get(path));
    fits(told, { url: text });
    expect(await (await fetchAs(String(told['url']))).text()).toBe('a map of the harbour');
    const { attachments } = ok(await ada.client.get('/attachments')) as { attachments: Fields[] };
    for (const row of attachments) {
      const ofMessage = Type.Object({ id: int, date_sent: int });
      fits(row, { id: int, name: text, path_id: text, size: int, create_time: int });
      fits(row, { messages: list(ofMessage), message_ids: ids });
    }
  });
  it('the storage of bots: GET and PUT bot_storage, with values that are JSON themselves', async () => {
    const made = ok(
      await ada.client.post('/bots', { full_name: 'Keeper', short_name: 'keeper', bot_type: 1 }),
    );
    const key = String(made['api_key']);
    const { body } = await ada.client.get(`/users/${String(made['user_id'])}`);
    const { email } = body['user'] as { email: string };
    const basic = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
    const bot = chatClient({ chatUrl: `${server.origin}/api/v1` }, { basic });
    // As the bot library writes: every value encoded once more.
    const storage = JSON.stringify({ counter: JSON.stringify({ n: 1 }) });
    const put = { method: 'PUT', body: new URLSearchParams({ storage }) };
    ok(await bot.raw('/bot_storage', put));
    const keys = JSON.stringify(['counter']);
    fits(ok(await bot.get('/bot_storage', { keys })), { storage: object });
    expect(refused(await bot.get('/bot_storage', { keys: '["none"]' })).msg).toBe(
      'Key does not exist.',
    );
  });

  it('push tokens, which are accepted, stored and removed', async () => {
    const apns = '/users/me/apns_device_token';
    const fcm = '/users/me/android_gcm_reg_id';
    ok(await ada.client.post(apns, { token: 'c0ffee', appid: 'org.example.app' }));
    ok(await ada.client.post(fcm, { token: 'an opaque token' }));
    // As on every start of an app.
    ok(await ada.client.post(fcm, { token: 'an opaque token' }));
    ok(await ada.client.delete(apns, { token: 'C0FFEE' }));
    ok(await ada.client.delete(fcm, { token: 'an opaque token' }));
    refused(await ada.client.delete(fcm, { token: 'an opaque token' }), { status: 400 });
    const { devices, push_devices: older } = ok(
      await ada.client.post('/register', { fetch_event_types: ['device', 'push_device'] }),
    );
    expect([devices, older]).toEqual([{}, {}]);
  });
});

describe('lenient forms of requests', () => {
  it.each([
    ['stream', () => HARBOUR],
    ['channel', () => JSON.stringify(HARBOUR)],
    ['stream', () => String(harbour)],
    ['channel', () => JSON.stringify([harbour])],
    ['stream', () => JSON.stringify([HARBOUR])],
  ])('a message to a %s, in many spellings', async (type, to) => {
    const id = await post(ada, {
      type,
      to: to(),
      subject: 'ways',
      content: 'x',
      read_by_sender: true,
    });
    expect(await fetchOne(bob, id)).toMatchObject({ stream_id: harbour, subject: 'ways' });
  });

  it.each([
    ['private', () => `${bob.email},${cyd.email}`],
    ['direct', () => `${bob.email}, ${cyd.email}`],
    ['private', () => JSON.stringify([bob.email, cyd.email])],
    ['direct', () => JSON.stringify([bob.id, cyd.id])],
    ['private', () => JSON.stringify([ada.id, bob.id, cyd.id])],
  ])('a message to people, %s, in many spellings', async (type, to) => {
    const { display_recipient: people } = await fetchOne(
      bob,
      await post(ada, { type, to: to(), content: 'x' }),
    );
    expect(new Set((people as Fields[]).map(({ id }) => id))).toEqual(
      new Set([ada.id, bob.id, cyd.id]),
    );
  });

  it('forms that bots send as widgets: widget_content of the type zform', async () => {
    const choices = [
      { type: 'multiple_choice', short_name: 'A', long_name: 'Ale', reply: 'answer A' },
    ];
    const extra_data = { type: 'choices', heading: 'Which?', choices };
    const widget = { widget_type: 'zform', extra_data };
    const form = { type: 'stream', to: HARBOUR, topic: 'w', content: 'choose' };
    const id = await post(ada, { ...form, widget_content: JSON.stringify(widget) });
    const { submessages } = await fetchOne(bob, id);
    expect(submessages).toMatchObject([{ msg_type: 'widget', sender_id: ada.id }]);
    const [first] = submessages as { content: string }[];
    expect(JSON.parse(first?.content ?? '')).toEqual(widget);
    for (const [widget_content, message] of [
      ['{', 'Widgets: API programmer sent invalid JSON content'],
      ['{"widget_type":"zform","extra_data":{}}', 'Widgets: zform is missing type field'],
    ]) {
      const answer = await ada.client.post('/messages', { ...form, widget_content });
      expect(refused(answer).msg).toBe(message);
    }
  });

  it('narrows, in every spelling', async () => {
    const id = await say(bob, 'spelling', 'needle');
    const pair = await whisper(bob, [ada], 'needle');
    const many = await whisper(bob, [ada, cyd], 'needle');
    const found = async (narrow: unknown) => {
      const form = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
      const { messages } = ok(await ada.client.get('/messages', form)) as { messages: Fields[] };
      return messages.map((one) => one['id']);
    };
    const term = (operator: string, operand: unknown, negated = false) => ({
      operator,
      operand,
      negated,
    });
    for (const narrow of [
      [
        ['stream', HARBOUR],
        ['topic', 'spelling'],
      ],
      [term('stream', harbour), term('topic', 'spelling')],
      [term('channel', HARBOUR), term('topic', 'spelling')],
      [term('channel', harbour), term('is', 'dm', true)],
      [term('id', String(id))],
      [term('id', id)],
      [term('with', id)],
      [term('near', id), term('channel', harbour)],
      [term('sender', bob.email), term('search', 'needle')],
    ]) {
      expect({ narrow, ids: await found(narrow) }).toMatchObject({
        ids: expect.arrayContaining([id]) as unknown,
      });
    }
    for (const narrow of [
      [['pm-with', bob.email]],
      [term('dm', [bob.id])],
      [['is', 'private']],
      [term('is', 'dm')],
    ]) {
      expect(await found(narrow)).toContain(pair);
    }
    for (const narrow of [
      [['pm-with', `${bob.email}, ${cyd.email}`]],
      [term('dm', [bob.id, cyd.id])],
      [['group-pm-with', cyd.email]],
      [term('dm-including', cyd.id)],
    ]) {
      expect(await found(narrow)).toContain(many);
    }
    expect(await found([term('channel', harbour, true)])).not.toContain(id);
  });

  it('anchors, in every spelling', async () => {
    const page = async (form: FormInput) =>
      ok(await ada.client.get('/messages', { num_before: 1, num_after: 1, ...form }));
    for (const anchor of ['newest', 'oldest', 'first_unread', 1]) await page({ anchor });
    ok(await ada.client.post('/mark_all_as_read'));
    const far = await ada.client.raw(
      '/messages?anchor=10000000000000000&num_before=30&num_after=10&use_first_unread_anchor=true',
      {},
    );
    ok(far);
    expect(far.text).toContain('"anchor":10000000000000000');
    ok(await ada.client.get('/messages', { anchor: 1, num_before: 2500, num_after: 2500 }));
    refused(await ada.client.get('/messages', { anchor: 1, num_before: 2501, num_after: 2500 }));
  });

  it('reactions by name alone, people by id or address, unknown parameters are reported', async () => {
    const id = await say(ada, 'loose', 'x');
    ok(await bob.client.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }));
    const answer = ok(await ada.client.get(`/users/${bob.email}`, { dont_block: true }));
    expect(answer['ignored_parameters_unsupported']).toEqual(['dont_block']);
    ok(await ada.client.post('/register', { event_types: 'null', fetch_event_types: ['message'] }));
  });

  it('typing without a type is direct', async () => {
    ok(await ada.client.post('/typing', { op: 'start', to: JSON.stringify([bob.id]) }));
    ok(await ada.client.post('/typing', { op: 'stop', to: JSON.stringify([bob.id]) }));
    refused(await ada.client.post('/typing', { op: 'stop', to: JSON.stringify([bob.email]) }));
  });

  it('subscribing creates missing channels, and lists existing ones', async () => {
    const ask = () =>
      ada.client.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'mole', description: 'A wall' }],
      });
    const key = (body: Fields, name: string) => (body[name] as Record<string, string[]>)[ada.id];
    expect(key(ok(await ask()), 'subscribed')).toEqual(['mole']);
    expect(key(ok(await ask()), 'already_subscribed')).toEqual(['mole']);
    const leave = () => ada.client.delete('/users/me/subscriptions', { subscriptions: ['mole'] });
    expect(ok(await leave())).toMatchObject({ removed: ['mole'], not_removed: [] });
    expect(ok(await leave())).toMatchObject({ removed: [], not_removed: ['mole'] });
  });

  it('parameters in the URL, in the body, or as multipart, for every method', async () => {
    const id = await say(ada, 'forms', 'x');
    ok(await ada.client.raw(`/messages/${id}?content=y`, { method: 'PATCH' }));
    const parts = new FormData();
    parts.set('emoji_name', 'tada');
    ok(await ada.client.raw(`/messages/${id}/reactions`, { method: 'POST', body: parts }));
    ok(await ada.client.raw(`/messages/${id}/reactions?emoji_name=tada`, { method: 'DELETE' }));
    // Not percent-encoded, as one library sends it.
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const body = 'event_types=["message"]&narrow=[["is","private"]]';
    ok(await ada.client.raw('/register', { method: 'POST', headers, body }));
  });
});
