// A person's own settings: they are checked and stored, and the person's other clients get them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { checkLoggedShapes, verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient, type ChatClient } from '../../../testing/chat/client.ts';

let server: TestServer;
let ada: Person;
let bob: Person;
let client: ChatClient;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  ada = await examplePerson(server.ctx);
  bob = await examplePerson(server.ctx);
  client = chatClient(server, ada);
});
afterAll(async () => {
  await checkLoggedShapes(server);
  await server.close();
});

async function settings(): Promise<Record<string, unknown>> {
  const { body } = await client.post('/register', { fetch_event_types: ['user_settings'] });
  return body['user_settings'] as Record<string, unknown>;
}

describe('PATCH /settings', () => {
  it("changes settings of every kind and tells only the person's own clients", async () => {
    const changes = {
      enter_sends: true,
      starred_message_counts: false,
      color_scheme: 2,
      emojiset: 'twitter',
      web_font_size_px: 18,
      email_notifications_batching_period_seconds: 300,
      resolved_topic_notice_auto_read_policy: 'always',
      notification_sound: 'none',
      default_language: 'fa',
    };
    const [mine, theirs] = await verifyEvents(server, [ada, bob], async () => {
      const { body } = await client.patch('/settings', changes);
      expect(body).toEqual({ result: 'success', msg: '' });
    });
    expect(
      new Map(mine?.map((event) => ('value' in event ? [event.property, event.value] : ['', '']))),
    ).toEqual(new Map(Object.entries(changes)));
    expect(mine?.find((event) => 'language_name' in event)).toMatchObject({
      property: 'default_language',
      language_name: 'فارسی',
    });
    expect(theirs).toEqual([]);
    expect(await settings()).toMatchObject(changes);
  });

  it('announces only what changes, and stores only what differs from the defaults', async () => {
    const person = await examplePerson(server.ctx);
    const own = chatClient(server, person);
    const [first] = await verifyEvents(server, [person], () =>
      own.patch('/settings', { enter_sends: false, color_scheme: 3 }),
    );
    expect(first).toMatchObject([{ property: 'color_scheme', value: 3 }]);
    await own.patch('/settings', { color_scheme: 1 });
    const row = await server.ctx.db
      .selectFrom('users')
      .select('settings')
      .where('id', '=', person.id)
      .executeTakeFirstOrThrow();
    expect(row.settings).toEqual({});
  });

  it('accepts both spellings of the recent view and stores one', async () => {
    await client.patch('/settings', { web_home_view: 'recent' });
    expect(await settings()).toMatchObject({ web_home_view: 'recent_topics' });
    await client.patch('/settings', { web_home_view: 'inbox' });
  });

  it('changes name and time zone, and tells everybody', async () => {
    const [seen] = await verifyEvents(server, [bob], () =>
      client.patch('/settings', { full_name: 'Ada Lovelace', timezone: 'Asia/Tehran' }),
    );
    expect(seen).toMatchObject([
      { person: { user_id: ada.id, email: ada.email, timezone: 'Asia/Tehran' } },
      { person: { user_id: ada.id, full_name: 'Ada Lovelace' } },
    ]);
    const [own] = await verifyEvents(server, [ada], () =>
      client.patch('/settings', { timezone: '' }),
    );
    expect(own).toMatchObject([
      { type: 'realm_user' },
      { type: 'user_settings', property: 'timezone', value: '' },
    ]);
  });

  const NOT_LISTED = 'Value error, Not in the list of possible values';
  it.each([
    [{ enter_sends: 'yes' }, 'enter_sends is not valid JSON'],
    [{ enter_sends: 1 }, 'enter_sends is not a boolean'],
    [{ color_scheme: 4 }, `Invalid color_scheme: ${NOT_LISTED}`],
    [{ color_scheme: 'dark' }, 'color_scheme is not valid JSON'],
    [{ emojiset: 'apple' }, `Invalid emojiset: ${NOT_LISTED}`],
    [{ web_home_view: 'x' }, `Invalid web_home_view: ${NOT_LISTED}`],
    [{ default_language: 'xx' }, 'Invalid default_language'],
    [{ notification_sound: 'moo' }, "Invalid notification sound 'moo'"],
    [
      { email_notifications_batching_period_seconds: 0 },
      'Invalid email batching period: 0 seconds',
    ],
    [
      { email_notifications_batching_period_seconds: 604_801 },
      'Invalid email batching period: 604801 seconds',
    ],
    [
      { resolved_topic_notice_auto_read_policy: 'sometimes' },
      'Invalid resolved_topic_notice_auto_read_policy',
    ],
    [{ timezone: 'Mars/Base' }, 'Invalid timezone'],
    [{ timezone: '+01:00' }, 'Invalid timezone'],
    [{ full_name: ' ' }, 'Name must not be empty!'],
  ])('refuses %j and then changes nothing', async (wrong, msg) => {
    const before = await settings();
    const { status, body } = await client.patch('/settings', {
      fluid_layout_width: true,
      ...wrong,
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ msg, code: 'BAD_REQUEST' });
    expect(await settings()).toEqual(before);
  });

  it('lists as ignored what it does not know and what it cannot offer', async () => {
    const { body } = await client.patch('/settings', {
      shiny: true,
      settings: '{}',
    });
    expect(body['ignored_parameters_unsupported']).toEqual(['settings', 'shiny']);
  });

  it('loses no change when two arrive at once', async () => {
    const person = await examplePerson(server.ctx);
    const own = chatClient(server, person);
    await Promise.all([
      own.patch('/settings', { enter_sends: true }),
      own.patch('/settings', { color_scheme: 3 }),
      own.patch('/settings', { emojiset: 'text' }),
      own.patch('/settings', { fluid_layout_width: true }),
    ]);
    const { body } = await own.post('/register', { fetch_event_types: ['user_settings'] });
    expect(body['user_settings']).toMatchObject({
      enter_sends: true,
      color_scheme: 3,
      emojiset: 'text',
      fluid_layout_width: true,
    });
  });

  it('changes the password for somebody who knows the old one, and counts wrong guesses', async () => {
    const OLD = 'the old long secret';
    const person = await examplePerson(server.ctx, { password: OLD });
    const change = async (old_password: string, new_password: string) =>
      (await chatClient(server, person).patch('/settings', { old_password, new_password })).body;
    expect((await change('wrong', 'a new long secret'))['msg']).toBe('Wrong password!');
    expect((await change(OLD, 'short'))['msg']).toBe('New password is too weak!');
    expect(await change(OLD, 'a new long secret')).toEqual({ result: 'success', msg: '' });
    expect(await change('', '')).toEqual({ result: 'success', msg: '' });
    const logIn = (password: string) =>
      chatClient(server).post('/fetch_api_key', { username: person.email, password });
    expect((await logIn(OLD)).status).toBe(401);
    expect((await logIn('a new long secret')).status).toBe(200);
    for (let guess = 0; guess < 10; guess += 1) await change('wrong', 'another long secret');
    expect((await change('a new long secret', 'another long secret'))['code']).toBe(
      'RATE_LIMIT_HIT',
    );
  });
});
