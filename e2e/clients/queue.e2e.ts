// The event queue as clients use it, and every kind of event that they read, field by field.
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  bool,
  CHANNEL,
  type ChatEvent,
  type ClientsWorld,
  type Fields,
  fits,
  HARBOUR,
  ids,
  int,
  list,
  listen,
  MESSAGE,
  MOBILE,
  ok,
  openClientsWorld,
  post,
  refused,
  register,
  say,
  SUBSCRIPTION,
  text,
  USER,
  whisper,
} from './world.ts';
import type { Actor } from '../../server/src/testing/chat/world.ts';

/** The smallest possible picture. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

let world: ClientsWorld;
let owner: Actor;
let ada: Actor;
let bob: Actor;
let cyd: Actor;
let harbour: number;
let person: ClientsWorld['person'];

beforeAll(async () => {
  world = await openClientsWorld();
  ({ owner, ada, bob, cyd, harbour, person } = world);
});
afterAll(() => world.close());

describe('the event queue', () => {
  it('begins where register says, and at -1, and ids ascend', async () => {
    const queue = await listen(ada, { event_types: ['message'] });
    const sent = [await say(bob, 'q', 'one'), await say(bob, 'q', 'two')];
    const heard = [];
    for (const id of sent) {
      const event = await queue.next('message', ({ message }) => (message as Fields)['id'] === id);
      heard.push(event.id);
    }
    expect(heard).toEqual([...heard].sort((a, b) => a - b));
    const fresh = await listen(ada, { event_types: ['message'] });
    await say(bob, 'q', 'three');
    fresh.last = -1;
    expect(await fresh.next('message')).toMatchObject({ message: { subject: 'q' } });
  });

  it('drops acknowledged events, and waits for new ones, whatever the given id', async () => {
    const queue = await listen(ada, { event_types: ['message'] });
    await say(bob, 'q', 'old');
    await queue.next('message');
    // A client that confuses message ids with event ids must not wait for ever.
    queue.last = 10 ** 15;
    const waiting = queue.poll();
    await say(bob, 'q', 'new');
    const events = ok(await waiting)['events'] as ChatEvent[];
    expect(events.map(({ message }) => (message as Fields)['content'])).toEqual(['new']);
  });

  it('sends heartbeats, whatever event types were requested', async () => {
    const queue = await listen(ada, { event_types: ['realm_emoji'] });
    const event = await queue.next('heartbeat');
    expect(event).toEqual({ type: 'heartbeat', id: event.id });
  }, 30_000);

  it('answers at once with dont_block', async () => {
    const queue = await listen(ada, { event_types: ['realm_emoji'] });
    expect(ok(await queue.poll({ dont_block: true }))['events']).toEqual([]);
  });

  it('repeats unacknowledged events, even to two polls at once', async () => {
    const queue = await listen(ada, { event_types: ['message'] });
    await say(bob, 'q', 'lost on the way');
    const first = ok(await queue.poll())['events'] as ChatEvent[];
    const [second, third] = await Promise.all([queue.poll(), queue.poll()]);
    for (const answer of [second, third]) {
      if (answer === undefined) throw new Error('No answer.');
      expect(ok(answer)['events']).toEqual(first);
    }
  });

  it('lives as long as requested; an unknown queue, or another’s, is a bad one', async () => {
    expect(
      await register(ada, { idle_queue_timeout: '"mobile"', fetch_event_types: [] }),
    ).toMatchObject({ idle_queue_timeout_secs: 43_200 });
    const plain = await register(ada, { fetch_event_types: [] });
    expect(plain['idle_queue_timeout_secs']).toBeGreaterThanOrEqual(600);
    const theirs = await listen(bob, { fetch_event_types: [] });
    for (const id of [theirs.id, '00000000-0000-4000-8000-000000000000', 'nonsense']) {
      const answer = await ada.client.get('/events', { queue_id: id, last_event_id: -1 });
      const body = refused(answer, { code: 'BAD_EVENT_QUEUE_ID' });
      expect(body['queue_id']).toBe(id);
      expect(body['msg']).toMatch(/^Bad event queue ID/);
    }
  });

  it('is deleted by an id in the body or in the query', async () => {
    const [one, two] = [await listen(ada), await listen(ada)];
    ok(await ada.client.delete('/events', { queue_id: one.id }));
    ok(await ada.client.raw(`/events?queue_id=${two.id}`, { method: 'DELETE' }));
    for (const queue of [one, two]) refused(await queue.poll(), { code: 'BAD_EVENT_QUEUE_ID' });
  });

  it.each([
    ['pairs', [['is', 'dm']]],
    ['objects', [{ operator: 'is', operand: 'dm' }]],
  ])('is narrowed by %s', async (_form, narrow) => {
    const queue = await listen(ada, { event_types: ['message'], narrow });
    await say(bob, 'q', 'to all');
    const id = await whisper(bob, [ada], 'to you');
    expect(await queue.next('message')).toMatchObject({ message: { id } });
  });

  it('a message comes raw or rendered, with flags, and to its sender with their local id', async () => {
    const raw = await listen(ada, { event_types: ['message'] });
    const rendered = await listen(ada, { event_types: ['message'], apply_markdown: true });
    const form = { type: 'stream', to: HARBOUR, topic: 'q', content: '*me*', read_by_sender: true };
    const id = await post(ada, { ...form, queue_id: raw.id, local_id: '17.01' });
    const event = await raw.next('message');
    fits(event['message'], { ...MESSAGE, stream_id: int });
    expect(event).toMatchObject({
      message: { id, content: '*me*', content_type: 'text/x-markdown' },
      flags: ['read'],
      local_message_id: '17.01',
    });
    expect(event['message']).not.toHaveProperty('flags');
    const other = await rendered.next('message');
    expect(other).toMatchObject({ message: { content: '<p><em>me</em></p>' }, flags: ['read'] });
    expect(other).not.toHaveProperty('local_message_id');
  });

  it('flags', async () => {
    const queue = await listen(ada, { event_types: ['update_message_flags'] });
    const pair = await whisper(bob, [ada], 'flagged');
    const open = await say(bob, 'flags', 'flagged @**Ada**');
    const flag = (op: string) =>
      ada.client.post('/messages/flags', { messages: [pair, open], op, flag: 'read' });
    expect(ok(await flag('add'))['messages']).toEqual([pair, open]);
    const read = { op: 'add', operation: 'add', flag: 'read', messages: [pair, open], all: false };
    expect(await queue.next('update_message_flags')).toMatchObject(read);
    ok(await flag('remove'));
    expect(await queue.next('update_message_flags')).toMatchObject({
      ...read,
      op: 'remove',
      operation: 'remove',
      message_details: {
        [pair]: { type: 'private', user_ids: [bob.id] },
        [open]: { type: 'stream', mentioned: true, stream_id: harbour, topic: 'flags' },
      },
    });
  });

  it('edits and moves', async () => {
    const queue = await listen(ada, { event_types: ['update_message'] });
    const id = await say(bob, 'edits', 'frist');
    ok(await bob.client.patch(`/messages/${id}`, { content: 'first', message_id: id }));
    const always = {
      user_id: int,
      rendering_only: bool,
      message_id: int,
      message_ids: ids,
      flags: list(text),
      edit_timestamp: int,
      stream_id: int,
    };
    const edit = await queue.next('update_message');
    fits(edit, always);
    expect(edit).toMatchObject({
      user_id: bob.id,
      rendering_only: false,
      message_ids: [id],
      orig_content: 'frist',
      orig_rendered_content: '<p>frist</p>',
      content: 'first',
      rendered_content: '<p>first</p>',
      is_me_message: false,
      stream_id: harbour,
    });
    expect(edit).not.toHaveProperty('propagate_mode');
    ok(await bob.client.patch(`/messages/${id}`, { topic: 'moves', propagate_mode: 'change_all' }));
    const move = await queue.next('update_message');
    fits(move, { ...always, topic_links: list() });
    expect(move).toMatchObject({
      orig_subject: 'edits',
      subject: 'moves',
      propagate_mode: 'change_all',
    });
    ok(await ada.client.post('/users/me/subscriptions', { subscriptions: [{ name: 'pier' }] }));
    const found = ok(await ada.client.get('/get_stream_id', { stream: 'pier' }));
    ok(await bob.client.patch(`/messages/${id}`, { stream_id: found['stream_id'] }));
    const away = await queue.next('update_message', (event) => 'new_stream_id' in event);
    fits(away, always);
    expect(away).toMatchObject({ stream_id: harbour, new_stream_id: found['stream_id'] });
  });

  it('deletions, in bulk for clients that support it, one by one for others', async () => {
    const [together, single] = [
      await listen(ada, { ...MOBILE, event_types: ['delete_message'] }),
      await listen(ada, { event_types: ['delete_message'] }),
    ];
    const id = await say(bob, 'regrets', 'oh no');
    ok(await bob.client.delete(`/messages/${id}`));
    const where = { message_type: 'stream', stream_id: harbour, topic: 'regrets' };
    expect(await together.next('delete_message')).toMatchObject({ ...where, message_ids: [id] });
    expect(await single.next('delete_message')).toMatchObject({ ...where, message_id: id });
    const pair = await whisper(bob, [ada], 'oh no');
    ok(await bob.client.delete(`/messages/${pair}`));
    expect(await together.next('delete_message')).toMatchObject({ message_type: 'private' });
  });

  it('reactions, with the person in both forms', async () => {
    const queue = await listen(ada, { event_types: ['reaction'] });
    const id = await say(ada, 'q', 'nice');
    const form = { emoji_name: 'tada', message_id: id };
    ok(await bob.client.post(`/messages/${id}/reactions`, form));
    ok(await bob.client.delete(`/messages/${id}/reactions`, form));
    for (const op of ['add', 'remove']) {
      expect(await queue.next('reaction')).toMatchObject({
        op,
        message_id: id,
        emoji_name: 'tada',
        emoji_code: '1f389',
        reaction_type: 'unicode_emoji',
        user_id: bob.id,
        user: { user_id: bob.id, email: bob.email, full_name: 'Bob' },
      });
    }
  });

  it('typing, in channels only for clients that declared support', async () => {
    const [able, plain] = [
      await listen(ada, { ...MOBILE, event_types: ['typing'] }),
      await listen(ada, { event_types: ['typing'] }),
    ];
    const channel = { op: 'start', type: 'channel', stream_id: harbour, topic: 'docks' };
    ok(await bob.client.post('/typing', channel));
    ok(await bob.client.post('/typing', { op: 'start', to: [ada.id] }));
    const sender = { user_id: bob.id, email: bob.email };
    expect(await able.next('typing')).toMatchObject({
      op: 'start',
      message_type: 'stream',
      sender,
      stream_id: harbour,
      topic: 'docks',
    });
    const direct = await plain.next('typing');
    expect(direct).toMatchObject({ op: 'start', message_type: 'direct', sender });
    for (const one of direct['recipients'] as Fields[]) fits(one, { user_id: int, email: text });
  });

  it('presence, in the form that clients expect', async () => {
    const [old, slim] = [
      await listen(cyd, { event_types: ['presence'] }),
      await listen(cyd, { event_types: ['presence'], slim_presence: true }),
    ];
    const fresh = await person({ fullName: 'Fresh' });
    ok(await fresh.client.post('/users/me/presence', { status: 'active' }));
    for (const queue of [old, slim]) {
      const event = await queue.next('presence', ({ user_id }) => user_id === fresh.id);
      fits(event, { user_id: int, server_timestamp: Type.Number() });
      const client = { client: text, status: text, timestamp: int, pushable: bool };
      fits(event, { presence: Type.Record(text, Type.Object(client)) });
      expect('email' in event).toBe(queue === old);
    }
  });

  it('subscriptions and channels', async () => {
    const queue = await listen(ada, { event_types: ['subscription', 'stream'] });
    const by = { subscriptions: [{ name: 'lighthouse' }], principals: [bob.id] };
    ok(await bob.client.post('/users/me/subscriptions', by));
    const created = await queue.next('stream', ({ op }) => op === 'create');
    for (const row of created['streams'] as Fields[]) fits(row, CHANNEL);
    ok(
      await ada.client.post('/users/me/subscriptions', { subscriptions: [{ name: 'lighthouse' }] }),
    );
    const added = await queue.next('subscription', ({ op }) => op === 'add');
    const [row] = added['subscriptions'] as Fields[];
    fits(row, { ...SUBSCRIPTION, subscribers: ids });
    const id = Number(row?.['stream_id']);
    ok(
      await cyd.client.post('/users/me/subscriptions', { subscriptions: [{ name: 'lighthouse' }] }),
    );
    const peers = { stream_ids: [id], user_ids: [cyd.id] };
    expect(await queue.next('subscription', ({ op }) => op === 'peer_add')).toMatchObject(peers);
    ok(await cyd.client.delete('/users/me/subscriptions', { subscriptions: ['lighthouse'] }));
    expect(await queue.next('subscription', ({ op }) => op === 'peer_remove')).toMatchObject(peers);
    const data = [{ stream_id: id, property: 'is_muted', value: true }];
    ok(await ada.client.post('/users/me/subscriptions/properties', { subscription_data: data }));
    expect(
      await queue.next('subscription', ({ property }) => property === 'is_muted'),
    ).toMatchObject({ op: 'update', stream_id: id, value: true });
    ok(await bob.client.patch(`/streams/${id}`, { description: 'A light' }));
    expect(await queue.next('stream', ({ op }) => op === 'update')).toMatchObject({
      stream_id: id,
      name: 'lighthouse',
      property: 'description',
      value: 'A light',
    });
    ok(await ada.client.delete('/users/me/subscriptions', { subscriptions: ['lighthouse'] }));
    expect(await queue.next('subscription', ({ op }) => op === 'remove')).toMatchObject({
      subscriptions: [{ stream_id: id, name: 'lighthouse' }],
    });
    ok(await bob.client.delete(`/streams/${id}`));
    expect(await queue.next('stream', ({ op }) => op === 'delete')).toMatchObject({
      stream_ids: [id],
      streams: [{ stream_id: id }],
    });
  });

  it('people, topics, settings and groups', async () => {
    const types = ['realm_user', 'user_topic', 'muted_topics', 'user_settings', 'user_group'];
    const queue = await listen(ada, { event_types: types });
    const plain = await listen(ada, { event_types: ['user_topic'] });
    const dora = await person({ fullName: 'Dora' });
    const added = await queue.next('realm_user', ({ op }) => op === 'add');
    fits(added['person'], USER);
    ok(await owner.client.patch(`/users/${dora.id}`, { full_name: 'Dorothea' }));
    expect(
      await queue.next('realm_user', ({ person: who }) => 'full_name' in (who as Fields)),
    ).toMatchObject({ op: 'update', person: { user_id: dora.id, full_name: 'Dorothea' } });
    const topic = { stream_id: harbour, topic: 'rumours', visibility_policy: 1 };
    ok(await ada.client.post('/user_topics', topic));
    for (const one of [queue, plain]) {
      const told = await one.next('user_topic');
      expect(told).toMatchObject({
        stream_id: harbour,
        topic_name: 'rumours',
        visibility_policy: 1,
      });
      fits(told, { last_updated: int });
    }
    ok(await ada.client.patch('/settings', { twenty_four_hour_time: true }));
    expect(await queue.next('user_settings')).toMatchObject({
      op: 'update',
      property: 'twenty_four_hour_time',
      value: true,
    });
    const made = { name: 'pilots', description: '', members: [ada.id] };
    const { group_id } = ok(await ada.client.post('/user_groups/create', made));
    expect(await queue.next('user_group', ({ op }) => op === 'add')).toMatchObject({
      group: { id: group_id, members: [ada.id] },
    });
    ok(await ada.client.post(`/user_groups/${String(group_id)}/members`, { add: [bob.id] }));
    expect(await queue.next('user_group')).toMatchObject({
      op: 'add_members',
      group_id,
      user_ids: [bob.id],
    });
  });

  it('the older list of muted topics goes to clients that ask for it', async () => {
    const queue = await listen(ada, { event_types: ['muted_topics'] });
    const mute = { stream: HARBOUR, topic: 'gossip', op: 'add' };
    ok(await ada.client.patch('/users/me/subscriptions/muted_topics', mute));
    const event = await queue.next('muted_topics');
    expect(event['muted_topics']).toContainEqual([HARBOUR, 'gossip', expect.any(Number)]);
  });

  it('custom emoji: the whole map, or single changes for clients that declared support', async () => {
    const [whole, single] = [
      await listen(ada, { event_types: ['realm_emoji'] }),
      await listen(ada, { ...MOBILE, event_types: ['realm_emoji'] }),
    ];
    const body = new FormData();
    body.set('picture.png', new Blob([new Uint8Array(PNG)]), 'picture.png');
    ok(await ada.client.raw('/realm/emoji/anchor_mark', { method: 'POST', body }));
    const row = {
      id: text,
      name: Type.Literal('anchor_mark'),
      source_url: text,
      deactivated: bool,
    };
    const told = await single.next('realm_emoji');
    expect(told['op']).toBe('add');
    fits(told['emoji'], row);
    const all = await whole.next('realm_emoji');
    expect(all['op']).toBe('update');
    const emoji = all['realm_emoji'] as Record<string, Fields>;
    expect(Object.keys(emoji)).toHaveLength(1);
    for (const [id, one] of Object.entries(emoji)) fits(one, { ...row, id: Type.Literal(id) });
  });
});
