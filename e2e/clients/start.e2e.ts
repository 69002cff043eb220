// What clients need to start: their first requests, and the initial state, field by field, over
// HTTP against a real process.
import { Type } from 'typebox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  ServerSettingsShape,
  TERMINAL,
} from '../../server/src/chat/realtime/events/client-needs.ts';
import { chatClient } from '../../server/src/testing/chat/client.ts';
import {
  asTerminal,
  bool,
  CHANNEL,
  type Fields,
  fits,
  group,
  HARBOUR,
  ids,
  int,
  list,
  MOBILE,
  object,
  ok,
  openClientsWorld,
  orNull,
  PASSWORD,
  register,
  say,
  SUBSCRIPTION,
  text,
  USER,
  whisper,
  type ClientsWorld,
} from './world.ts';
import type { Actor } from '../../server/src/testing/chat/world.ts';

let world: ClientsWorld;
let server: ClientsWorld['server'];
let chatUrl: string;
let anyone: ClientsWorld['anyone'];
let owner: Actor;
let ada: Actor;
let bob: Actor;
let cyd: Actor;
let harbour: number;
let person: ClientsWorld['person'];

beforeAll(async () => {
  world = await openClientsWorld();
  ({ server, chatUrl, anyone, owner, ada, bob, cyd, harbour, person } = world);
});
afterAll(() => world.close());

describe('the first requests of a client', () => {
  it('the server settings are complete, and the same for everybody', async () => {
    const settings = ok(await anyone.get('/server_settings'));
    fits(settings, ServerSettingsShape.properties);
    expect(settings['realm_uri']).toBe(server.origin);
    expect(settings['realm_url']).toBe(server.origin);
    const wrong = chatClient({ chatUrl }, { basic: 'Basic bm9ib2R5Og==' });
    expect(ok(await wrong.get('/server_settings'))).toEqual(settings);
    const state = await register(ada, { fetch_event_types: [] });
    for (const name of ['zulip_version', 'zulip_feature_level', 'zulip_merge_base']) {
      expect(state[name]).toBe(settings[name]);
    }
  });

  it('a probe without a body gets an answer', async () => {
    const { status } = await fetch(`${chatUrl}/server_settings`, { method: 'HEAD' });
    expect(status).toBe(200);
  });

  it('a password gives the key of 32 characters', async () => {
    const form = { username: ada.email, password: PASSWORD };
    const got = ok(await anyone.post('/fetch_api_key', form));
    fits(got, {
      api_key: Type.String({ pattern: '^[A-Za-z0-9]{32}$' }),
      email: text,
      user_id: int,
    });
    const body = new FormData();
    for (const [name, value] of Object.entries(form)) body.set(name, value);
    const again = await anyone.raw('/fetch_api_key', { method: 'POST', body });
    expect(ok(again)['api_key']).toBe(got['api_key']);
  });
});

describe('the initial state', () => {
  let mobile: Fields;
  let terminal: Fields;
  const unread: Record<string, number[]> = {};

  beforeAll(async () => {
    unread['stream'] = [await say(bob, 'tides', 'high'), await say(bob, 'tides', '@**Ada** low')];
    unread['pms'] = [await whisper(bob, [ada], 'psst'), await whisper(bob, [ada], 'hey')];
    unread['huddles'] = [await whisper(bob, [ada, cyd], 'we three')];
    const star = { messages: [unread['pms'][0]], op: 'add', flag: 'starred' };
    ok(await ada.client.post('/messages/flags', star));
    const topic = { stream_id: harbour, topic: 'tides', visibility_policy: 3 };
    ok(await ada.client.post('/user_topics', topic));
    const field = { field_type: 1, name: 'Home port', hint: 'Where from' };
    ok(await owner.client.post('/realm/profile_fields', field));
    ok(await bob.client.post('/users/me/presence', { status: 'active' }));
    mobile = await register(ada, MOBILE);
    terminal = await register(ada, asTerminal);
  });

  it('always names the queue, its start, and the version', () => {
    for (const state of [mobile, terminal]) {
      fits(state, {
        queue_id: text,
        last_event_id: int,
        zulip_version: text,
        zulip_feature_level: int,
        zulip_merge_base: text,
      });
    }
  });

  it('has what the terminal client asks for, under the names it uses', async () => {
    for (const name of TERMINAL.fields) expect(terminal).toHaveProperty(name);
    expect(terminal).not.toHaveProperty('drafts');
    // It registers again without fetch_event_types, and still needs to know its position.
    const again = await register(ada, { event_types: TERMINAL.eventTypes });
    fits(again, { queue_id: text, last_event_id: int, max_message_id: int });
    ok(await ada.client.post('/register', { fetch_event_types: ['message', 'no such thing'] }));
  });

  it('has one’s own user, under the address in the table', () => {
    fits(mobile, { max_message_id: int, user_id: int, email: text, full_name: text });
    const own = (mobile['realm_users'] as Fields[]).find(({ user_id }) => user_id === ada.id);
    expect(own).toMatchObject({ email: mobile['email'], full_name: 'Ada' });
  });

  it.each(['realm_users', 'realm_non_active_users', 'cross_realm_bots'])('%s', async (name) => {
    const gone = await person({ fullName: 'Gone' });
    ok(await owner.client.delete(`/users/${gone.id}`));
    const rows = (await register(ada, MOBILE))[name] as Fields[];
    if (name !== 'cross_realm_bots') expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) {
      fits(row, USER);
      if (row['is_bot'] === false) fits(row, { profile_data: object });
    }
  });

  it.each([
    ['streams', CHANNEL],
    ['subscriptions', SUBSCRIPTION],
  ])('%s', (name, shape) => {
    const rows = mobile[name] as Fields[];
    const row = rows.find(({ stream_id }) => stream_id === harbour);
    expect(row).toMatchObject({ name: HARBOUR, description: 'Ships & **boats**' });
    for (const one of rows) fits(one, shape);
    fits(mobile, { unsubscribed: list(object), never_subscribed: list(object) });
  });

  it('subscribers of each channel, for clients that ask for them', () => {
    for (const row of terminal['subscriptions'] as Fields[]) fits(row, { subscribers: ids });
  });

  it('unread messages, each list ascending', () => {
    const state = mobile['unread_msgs'] as Record<string, Fields[]>;
    fits(state, { count: int, mentions: ids, old_unreads_missing: bool });
    expect(state['pms']).toEqual([
      { other_user_id: bob.id, sender_id: bob.id, unread_message_ids: unread['pms'] },
    ]);
    expect(state['streams']).toEqual([
      { stream_id: harbour, topic: 'tides', unread_message_ids: unread['stream'] },
    ]);
    const people = [ada.id, bob.id, cyd.id].sort((a, b) => a - b).join(',');
    expect(state['huddles']).toEqual([
      { user_ids_string: people, unread_message_ids: unread['huddles'] },
    ]);
    expect(state['mentions']).toEqual([unread['stream']?.[1]]);
    expect(state['count']).toBe(5);
  });

  it('starred, followed and muted items, and recent conversations', () => {
    expect(mobile['starred_messages']).toEqual([unread['pms']?.[0]]);
    const [row] = mobile['user_topics'] as Fields[];
    fits(row, { stream_id: int, topic_name: text, last_updated: int, visibility_policy: int });
    fits(mobile, { alert_words: list(text), muted_users: list(Type.Object({ id: int })) });
    fits(mobile, { user_status: object, saved_snippets: list(), channel_folders: list() });
    const others = (mobile['recent_private_conversations'] as Fields[]).map((one) => {
      fits(one, { user_ids: ids, max_message_id: int });
      return one['user_ids'];
    });
    expect(others).toContainEqual([bob.id]);
    expect(others).toContainEqual([bob.id, cyd.id]);
  });

  it('muted topics in rows of three, for clients that ask by that name', async () => {
    expect(terminal['muted_topics']).toEqual([]);
    const mute = { stream_id: harbour, topic: 'fog', op: 'add' };
    ok(await cyd.client.patch('/users/me/subscriptions/muted_topics', mute));
    const { muted_topics: rows } = await register(cyd, asTerminal);
    expect(rows).toEqual([[HARBOUR, 'fog', expect.any(Number)]]);
    expect(mobile).not.toHaveProperty('muted_topics');
  });

  it('presences by address for some clients, by id for others', () => {
    const old = (terminal['presences'] as Record<string, Fields>)[bob.email];
    const client = Type.Object({ client: text, status: text, timestamp: int, pushable: bool });
    fits(old, { website: client, aggregated: Type.Omit(client, ['pushable']) });
    const slim = (mobile['presences'] as Record<string, Fields>)[String(bob.id)];
    fits(slim, { active_timestamp: int, idle_timestamp: int });
    fits(mobile, { presence_last_update_id: int, server_timestamp: Type.Number() });
  });

  it('groups, with real members in role groups', () => {
    const groups = mobile['realm_user_groups'] as Fields[];
    for (const one of groups) {
      fits(one, {
        id: int,
        name: text,
        description: text,
        members: ids,
        direct_subgroup_ids: ids,
        is_system_group: bool,
        deactivated: bool,
      });
    }
    const byName = new Map(groups.map((one) => [one['name'], one]));
    const roles = 'internet everyone members fullmembers moderators administrators owners nobody';
    for (const role of roles.split(' ')) {
      expect(byName.get(`role:${role}`)).toMatchObject({ is_system_group: true });
    }
    expect(byName.get('role:members')?.['members']).toContain(ada.id);
    expect(byName.get('role:owners')?.['members']).toEqual([owner.id]);
    expect(byName.get('role:nobody')).toMatchObject({ members: [], direct_subgroup_ids: [] });
  });

  it('own settings', () => {
    fits(mobile['user_settings'], {
      send_private_typing_notifications: bool,
      twenty_four_hour_time: bool,
      pm_content_in_desktop_notifications: bool,
      starred_message_counts: bool,
      display_emoji_reaction_users: bool,
      emojiset: text,
      presence_enabled: bool,
    });
  });

  it('profile fields and emoji', () => {
    const [field] = mobile['custom_profile_fields'] as Fields[];
    fits(field, { id: int, type: int, order: int, name: text, hint: text, field_data: text });
    fits(mobile, { realm_emoji: object });
  });

  it.each([
    [
      'the organization',
      { realm_name: text, realm_icon_url: text, realm_url: text, realm_uri: text },
    ],
    [
      'what it allows',
      {
        realm_allow_message_editing: bool,
        realm_presence_disabled: bool,
        realm_enable_read_receipts: bool,
        realm_allow_edit_history: bool,
        realm_message_content_edit_limit_seconds: orNull(int),
        realm_message_content_delete_limit_seconds: orNull(int),
        realm_message_retention_days: int,
        realm_waiting_period_threshold: int,
        realm_wildcard_mention_policy: Type.Union([1, 2, 3, 5, 6, 7].map((n) => Type.Literal(n))),
        realm_default_external_accounts: object,
        realm_can_delete_any_message_group: group,
        realm_can_delete_own_message_group: group,
        realm_topics_policy: text,
        realm_mandatory_topics: bool,
        realm_empty_topic_display_name: text,
        realm_linkifiers: list(),
      },
    ],
    [
      'its limits and intervals',
      {
        max_stream_name_length: int,
        max_topic_length: int,
        max_message_length: int,
        max_file_upload_size_mib: int,
        server_presence_ping_interval_seconds: int,
        server_presence_offline_threshold_seconds: int,
        server_typing_started_wait_period_milliseconds: int,
        server_typing_stopped_wait_period_milliseconds: int,
        server_typing_started_expiry_period_milliseconds: int,
        event_queue_longpoll_timeout_seconds: Type.Literal(90),
        server_thumbnail_formats: list(object),
      },
    ],
  ])('%s', (_what, fields) => fits(mobile, fields));

  it('says where the emoji are, and everybody can fetch them', async () => {
    const url = String(mobile['server_emoji_data_url']);
    expect(url.startsWith(`${server.origin}/`)).toBe(true);
    const data = (await (await fetch(url)).json()) as { code_to_names: Record<string, string[]> };
    expect(data.code_to_names['1f44d']).toContain('+1');
    const icon = new URL(String(mobile['realm_icon_url']), server.origin);
    expect((await fetch(icon)).status).toBe(200);
  });
});
