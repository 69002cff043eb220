// The answer to register: every field that the known clients need to start.
import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { castBot } from '../../../testing/chat/cast.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { chatClient, type ChatClient } from '../../../testing/chat/client.ts';
import { RegisterShape, ServerSettingsShape, TERMINAL } from './client-needs.ts';

let server: TestServer;
let owner: Person;
let member: Person;
let guest: Person;
let bot: Person;
let gone: Person;
let client: ChatClient;
const channels: Record<string, number> = {};

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
  member = await examplePerson(server.ctx, { timezone: 'Asia/Tehran' });
  guest = await examplePerson(server.ctx, { role: ROLE.guest });
  bot = await castBot(server.ctx, member);
  gone = await examplePerson(server.ctx);
  client = chatClient(server, member);
  await chatClient(server, owner).delete(`/users/${gone.id}`);
  for (const row of [
    { name: 'lobby', description: 'For <all>', creatorId: owner.id },
    { name: 'Attic' },
    { name: 'secret', inviteOnly: true },
    { name: 'past', isArchived: true },
  ]) {
    const { id } = await server.ctx.db
      .insertInto('channels')
      .values(row)
      .returning('id')
      .executeTakeFirstOrThrow();
    channels[row.name] = id;
  }
  // The creator of a channel administers it; these were inserted directly.
  await server.ctx.db
    .insertInto('permissionSettings')
    .values({
      kind: 'channel',
      objectId: channels['lobby'] ?? 0,
      setting: 'can_administer_channel_group',
      members: [owner.id],
      subgroups: [],
    })
    .execute();
  const subscribe = (userId: number, channelId: number | undefined) =>
    server.ctx.db
      .insertInto('subscriptions')
      .values({ userId, channelId: channelId ?? 0, color: '#a6c7e5', pinToTop: true })
      .execute();
  await subscribe(member.id, channels['lobby']);
  await subscribe(guest.id, channels['lobby']);
  await subscribe(gone.id, channels['lobby']);
  await subscribe(owner.id, channels['secret']);
});
afterAll(() => server.close());

type Body = Record<string, unknown>;

async function register(params: Body = {}, by = client): Promise<Body> {
  const { status, body } = await by.post('/register', params);
  expect(body).toMatchObject({ result: 'success' });
  expect(status).toBe(200);
  return body;
}

function expectShape(value: unknown, schema: TSchema, what: string): void {
  expect(
    [...Value.Errors(schema, value)].map(
      ({ instancePath, message }) => `${instancePath} ${message}`,
    ),
    what,
  ).toEqual([]);
}

describe('[M009] POST /register', () => {
  it('gives everything that the strict mobile client reads, in the right types', async () => {
    const body = await register({
      apply_markdown: true,
      client_gravatar: false,
      slim_presence: true,
      idle_queue_timeout: '"mobile"',
      client_capabilities: {
        notification_settings_null: true,
        bulk_message_deletion: true,
        user_avatar_url_field_optional: true,
        stream_typing_notifications: true,
        user_settings_object: true,
        include_deactivated_groups: true,
        empty_topic_name: true,
        individual_emoji_changes: true,
        something_from_the_future: true,
      },
    });
    expectShape(body, RegisterShape, 'register');
    expect(body['ignored_parameters_unsupported']).toBeUndefined();
    expect(body['idle_queue_timeout_secs']).toBe(43_200);
    expect(body).not.toHaveProperty('muted_topics');
    expect(body).toMatchObject({
      subscriptions: [{ desktop_notifications: null, wildcard_mentions_notify: null }],
    });
  });

  it('gives everything that the terminal client reads', async () => {
    const body = await register({
      event_types: TERMINAL.eventTypes,
      fetch_event_types: TERMINAL.fetchEventTypes,
      apply_markdown: true,
      client_gravatar: true,
      include_subscribers: 'true',
      narrow: [],
    });
    expect(Object.keys(body)).toEqual(expect.arrayContaining(TERMINAL.fields));
    expect(body).not.toHaveProperty('streams');
    expect(body['muted_topics']).toEqual([]);
    const own = (body['realm_users'] as { user_id: number; email: string }[]).find(
      ({ user_id }) => user_id === body['user_id'],
    );
    expect(own?.email).toBe(body['email']);
    // A client that cannot read null gets the user's general setting.
    expect(body['subscriptions']).toMatchObject([
      {
        subscribers: [member.id, guest.id],
        desktop_notifications: false,
        wildcard_mentions_notify: true,
        color: '#a6c7e5',
        pin_to_top: true,
      },
    ]);
  });

  it('fetches by fetch_event_types, else by event_types, else everything', async () => {
    const basics = Object.keys(await register({ fetch_event_types: [] })).sort();
    expect(basics.join(' ')).toBe(
      'idle_queue_timeout_secs last_event_id msg queue_id result zulip_feature_level zulip_merge_base zulip_version',
    );
    const fields = async (params: Body) => Object.keys(await register(params)).sort();
    expect(await fields({ event_types: ['drafts', 'pointer'] })).toEqual(
      [...basics, 'drafts'].sort(),
    );
    expect(
      await fields({ event_types: ['drafts'], fetch_event_types: ['alert_words', 'unknown'] }),
    ).toEqual([...basics, 'alert_words'].sort());
    // One JavaScript client sends this when it does not choose.
    expect((await fields({ event_types: 'null' })).length).toBeGreaterThan(150);
    expect(await fields({ event_types: ['message'] })).toEqual(
      [...basics, 'max_message_id'].sort(),
    );
    expect(await fields({ event_types: ['muted_topics', 'user_topic'] })).toEqual(
      [...basics, 'user_topics'].sort(),
    );
  });

  it('lists active and deactivated users apart', async () => {
    const body = await register();
    const idsIn = (name: string) => (body[name] as { user_id: number }[]).map((row) => row.user_id);
    expect(idsIn('realm_users')).toEqual([owner.id, member.id, guest.id, bot.id]);
    expect(idsIn('realm_non_active_users')).toEqual([gone.id]);
    expect((body['realm_users'] as object[])[0]).not.toHaveProperty('is_active');
  });

  it('has the eight system groups with their members', async () => {
    const groups = (await register())['realm_user_groups'] as {
      id: number;
      name: string;
      members: number[];
      direct_subgroup_ids: number[];
    }[];
    const byName = new Map(groups.map((group) => [group.name, group]));
    const members = (name: string) => byName.get(`role:${name}`)?.members;
    expect(groups.map(({ name }) => name.replace('role:', '')).sort()).toEqual([
      'administrators',
      'everyone',
      'fullmembers',
      'internet',
      'members',
      'moderators',
      'nobody',
      'owners',
    ]);
    expect(members('owners')).toEqual([owner.id]);
    expect(members('members')).toEqual([member.id, bot.id]);
    expect(members('fullmembers')).toEqual([member.id, bot.id]);
    expect(members('everyone')).toEqual([guest.id]);
    expect(members('nobody')).toEqual([]);
    // From the internet down to the owners, each group contains the next.
    let group = byName.get('role:internet');
    const chain: string[] = [];
    while (group !== undefined) {
      chain.push(group.name);
      const [next] = group.direct_subgroup_ids;
      group = groups.find(({ id }) => id === next);
    }
    expect(chain).toHaveLength(7);
    expect(chain.at(-1)).toBe('role:owners');
  });

  it('shows channels only to people who may see them', async () => {
    const seen = async (person: Person, params: Body = {}) => {
      const body = await register(params, chatClient(server, person));
      const names = (field: string) => (body[field] as { name: string }[]).map(({ name }) => name);
      return {
        streams: names('streams'),
        subscribed: names('subscriptions'),
        never: names('never_subscribed'),
      };
    };
    expect(await seen(member)).toEqual({
      streams: ['Attic', 'lobby'],
      subscribed: ['lobby'],
      never: ['Attic'],
    });
    expect(await seen(guest)).toEqual({ streams: ['lobby'], subscribed: ['lobby'], never: [] });
    expect(await seen(owner)).toEqual({
      streams: ['Attic', 'lobby', 'secret'],
      subscribed: ['secret'],
      never: ['Attic', 'lobby'],
    });
    expect(
      (await seen(member, { client_capabilities: { archived_channels: true } })).streams,
    ).toEqual(['Attic', 'lobby', 'past']);
    const body = await register();
    expect((body['streams'] as Body[])[1]).toMatchObject({
      rendered_description: '<p>For &lt;all&gt;</p>',
      subscriber_count: 2,
      can_administer_channel_group: { direct_members: [owner.id], direct_subgroups: [] },
    });
  });

  it('says what the caller may do', async () => {
    const rights = async (person: Person) => register({}, chatClient(server, person));
    expect(await rights(owner)).toMatchObject({
      is_owner: true,
      is_admin: true,
      is_moderator: true,
      is_guest: false,
      can_create_streams: true,
    });
    expect(await rights(guest)).toMatchObject({
      is_owner: false,
      is_admin: false,
      is_moderator: false,
      is_guest: true,
      can_create_streams: false,
    });
  });

  it('has every supported permission setting, with its default', async () => {
    const body = await register({ fetch_event_types: ['realm', 'realm_user_groups'] });
    const supported = body['server_supported_permission_settings'] as Record<
      string,
      Record<string, { default_group_name: string }>
    >;
    const groups = body['realm_user_groups'] as { id: number; name: string }[];
    for (const [name, { default_group_name }] of Object.entries(supported['realm'] ?? {})) {
      const value = body[`realm_${name}`];
      expect(groups.find(({ id }) => id === value)?.name, name).toBe(default_group_name);
    }
    expect(Object.keys(supported['stream'] ?? {})).toHaveLength(11);
    expect(Object.keys(supported['group'] ?? {})).toHaveLength(6);
  });

  it('gives the latest drafts first', async () => {
    const author = await examplePerson(server.ctx);
    const own = chatClient(server, author);
    const draft = (timestamp: number) => ({ type: '', to: [], topic: '', content: 'x', timestamp });
    await own.post('/drafts', { drafts: [draft(200), draft(300), draft(100)] });
    const { drafts } = (await register({}, own)) as { drafts: { timestamp: number }[] };
    expect(drafts.map(({ timestamp }) => timestamp)).toEqual([300, 200, 100]);
  });

  it.each([
    [{ include_subscribers: 'maybe' }, 'Invalid include_subscribers'],
    [{ apply_markdown: 'yes' }, 'apply_markdown is not valid JSON'],
    [{ event_types: ['a', 5] }, 'event_types[1] is not a string'],
    [{ client_capabilities: [] }, 'client_capabilities is not a dict'],
    [
      { client_capabilities: { archived_channels: 1 } },
      'client_capabilities["archived_channels"] is not a boolean',
    ],
    [{ narrow: [['near', '5']] }, 'Operator near not supported.'],
    [{ narrow: [['is', 'followed']] }, 'Operand followed not supported.'],
    [{ narrow: [{ operator: 'search', operand: 'x' }] }, 'Operator search not supported.'],
    [{ idle_queue_timeout: 0 }, 'idle_queue_timeout["int"] is too small'],
    [{ idle_queue_timeout: 'desktop' }, 'idle_queue_timeout["int"] is not an integer'],
  ])('refuses %j', async (params, msg) => {
    const { status, body } = await client.post('/register', params);
    expect(status).toBe(400);
    expect(body).toMatchObject({ msg, code: 'BAD_REQUEST' });
  });

  it('stores with the queue how its messages are shaped and filtered', async () => {
    const { queue_id: id } = await register({
      narrow: [['stream', 'general'], { operator: 'is', operand: 'dm' }],
      apply_markdown: true,
      slim_presence: true,
      client_capabilities: { bulk_message_deletion: true },
    });
    const { rows } = await server.ctx.database.pool.query<{ filter: unknown }>(
      'SELECT filter FROM event_queues WHERE id = $1',
      [id],
    );
    expect(rows[0]?.filter).toEqual({
      narrow: [
        { operator: 'stream', operand: 'general' },
        { operator: 'is', operand: 'dm' },
      ],
      applyMarkdown: true,
      clientGravatar: true,
      slimPresence: true,
      allPublicChannels: false,
      capabilities: { bulk_message_deletion: true },
    });
  });

  it('accepts the narrows of clients, as pairs and as objects', async () => {
    await register({
      narrow: [
        ['stream', 'lobby'],
        ['topic', 'x'],
        ['is', 'dm'],
      ],
    });
    await register({ narrow: [{ operator: 'sender', operand: 'a@b.c', negated: false }] });
    await register({ all_public_streams: true });
    const refused = await chatClient(server, guest).post('/register', { all_public_streams: true });
    expect(refused.body['msg']).toBe('User not authorized for this query');
  });

  it('grants an idle time, but no longer than the log is kept', async () => {
    const granted = async (params: Body) =>
      (await register({ fetch_event_types: [], ...params }))['idle_queue_timeout_secs'];
    expect(await granted({})).toBe(600);
    expect(await granted({ idle_queue_timeout: 1200 })).toBe(1200);
    expect(await granted({ idle_queue_timeout: 'mobile' })).toBe(43_200);
    expect(await granted({ idle_queue_timeout: 604_800 })).toBe(24 * 3600);
  });

  it('limits the number of queues of a user', async () => {
    const small = await startTestServer({ settings: { QUEUES_PER_USER_MAX: '2' } });
    try {
      const person = await examplePerson(small.ctx);
      const own = chatClient(small, person);
      const first = await register({ fetch_event_types: [] }, own);
      await register({ fetch_event_types: [] }, own);
      const third = await own.post('/register', { fetch_event_types: [] });
      expect(third.status).toBe(400);
      expect(third.body['code']).toBe('BAD_REQUEST');
      await own.delete('/events', { queue_id: first['queue_id'] });
      await register({ fetch_event_types: [] }, own);
    } finally {
      await small.close();
    }
  });

  it('shows exactly what its snapshot saw, while others write', async () => {
    const author = await examplePerson(server.ctx);
    const own = chatClient(server, author);
    const draft = { type: '', to: [], topic: '', content: 'x' };
    let isWriting = true;
    const writers = Array.from({ length: 4 }, async () => {
      while (isWriting) await own.post('/drafts', { drafts: [draft] });
    });
    const queues: { body: Body }[] = [];
    for (let round = 0; round < 15; round += 1) {
      queues.push({ body: await register({ event_types: ['drafts'] }, own) });
    }
    isWriting = false;
    await Promise.all(writers);
    const truth = ((await own.get('/drafts')).body['drafts'] as { id: number }[]).map(
      ({ id }) => id,
    );
    expect(truth.length).toBeGreaterThan(15);
    for (const { body } of queues) {
      const known = (body['drafts'] as { id: number }[]).map(({ id }) => id);
      let last = Number(body['last_event_id']);
      while (known.length < truth.length) {
        const { body: answer } = await own.get('/events', {
          queue_id: body['queue_id'],
          last_event_id: last,
        });
        for (const event of answer['events'] as { id: number; drafts: { id: number }[] }[]) {
          last = event.id;
          known.push(...event.drafts.map(({ id }) => id));
        }
      }
      expect(known.sort((a, b) => a - b)).toEqual(truth.sort((a, b) => a - b));
    }
  });
});

it('GET /server_settings has every field that clients need before they log in', async () => {
  const { body } = await chatClient(server).get('/server_settings');
  expectShape(body, ServerSettingsShape, 'server_settings');
  expect(body['realm_uri']).toBe(server.origin);
});
