// Subscribing and unsubscribing over the API: which events people get, and what is refused.
import { sql } from 'kysely';
import { beforeAll, describe, expect, it } from 'vitest';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { settle, verifyEvents } from '../../../testing/verify-events.ts';
import { eventNames as names, makeChannel, useCast } from '../../../testing/chat/cast-world.ts';

const world = useCast();
const { as, sureAs } = world;
let all: readonly Person[];

beforeAll(() => {
  const { admin, member, other, guest } = world.cast;
  all = [admin, member, other, guest];
});

async function receivedBy(userId: number, channelId: number): Promise<string | undefined> {
  const row = await world.server.ctx.db
    .selectFrom('subscriptions')
    .select(sql<string>`received::text`.as('received'))
    .where('userId', '=', userId)
    .where('channelId', '=', channelId)
    .executeTakeFirst();
  return row?.received;
}

/** Raises the counter as if that many messages had been sent. */
const advance = (channelId: number, seq: number) =>
  sql`UPDATE conversation_counters SET seq = ${seq} WHERE conversation_id =
       (SELECT conversation_id FROM channels WHERE id = ${channelId})`.execute(world.server.ctx.db);

describe('subscribing', () => {
  it('joins, leaves and joins again, and gets the old settings back', async () => {
    const { id, name } = await makeChannel(world.server, world.cast.member);
    const subscriptions = [{ name, color: '#ABC' }];
    const [admin, , other, guest] = await verifyEvents(world.server, all, async () => {
      const body = await sureAs(world.cast.other).post('/users/me/subscriptions', {
        subscriptions,
      });
      expect(body).toMatchObject({
        subscribed: { [world.cast.other.id]: [name] },
        already_subscribed: {},
        new_subscription_messages_sent: true,
      });
      await sureAs(world.cast.other).patch(`/users/me/subscriptions/${id}`, {
        property: 'is_muted',
        value: true,
      });
    });
    expect(names(other)).toEqual([
      'subscription/add',
      'subscription/update',
      'subscription/update',
    ]);
    expect(names(admin)).toEqual(['subscription/peer_add']);
    expect(guest).toEqual([]);
    const [, , left] = await verifyEvents(world.server, all, async () => {
      const body = await sureAs(world.cast.other).delete('/users/me/subscriptions', {
        subscriptions: [name.toUpperCase()],
      });
      expect(body).toMatchObject({ removed: [name], not_removed: [] });
    });
    expect(names(left)).toEqual(['subscription/remove']);
    const [, , again] = await verifyEvents(world.server, all, () =>
      sureAs(world.cast.other).post('/users/me/subscriptions', { subscriptions: [{ name }] }),
    );
    expect(again?.[0]).toMatchObject({ subscriptions: [{ color: '#aabbcc', is_muted: true }] });
    const twice = await sureAs(world.cast.other).post('/users/me/subscriptions', { subscriptions });
    expect(twice).toMatchObject({
      subscribed: {},
      already_subscribed: { [world.cast.other.id]: [name] },
    });
  });

  it('creates the channels that do not exist, with the given settings', async () => {
    const request = {
      subscriptions: [{ name: 'made by subscribing', description: 'why not' }],
      invite_only: true,
      send_new_subscription_messages: false,
    };
    const mixed = await as(world.cast.member).post('/users/me/subscriptions', {
      ...request,
      principals: [world.cast.member.id, world.cast.other.email],
    });
    expect(mixed.status).toBe(400);
    const [, , other] = await verifyEvents(world.server, all, () =>
      sureAs(world.cast.member).post('/users/me/subscriptions', {
        ...request,
        principals: [world.cast.member.email, world.cast.other.email],
      }),
    );
    expect(names(other)).toEqual(['stream/create', 'subscription/add']);
    expect(other?.[0]).toMatchObject({
      streams: [
        { invite_only: true, description: 'why not', history_public_to_subscribers: false },
      ],
    });
  });

  it('shows a private channel to people who are added, and hides it from people who are removed', async () => {
    const { name } = await makeChannel(world.server, world.cast.member, { invite_only: true });
    const people = {
      subscriptions: [{ name }],
      principals: [world.cast.other.id, world.cast.guest.id],
      send_new_subscription_messages: false,
    };
    const [, , other, guest] = await verifyEvents(world.server, all, () =>
      sureAs(world.cast.member).post('/users/me/subscriptions', people),
    );
    expect(names(other)).toEqual(['stream/create', 'subscription/add']);
    expect(names(guest)).toEqual(['stream/create', 'subscription/add']);
    const [, member, gone, guestGone] = await verifyEvents(world.server, all, () =>
      sureAs(world.cast.member).delete('/users/me/subscriptions', {
        subscriptions: [name],
        principals: people.principals,
      }),
    );
    expect(names(gone)).toEqual(['subscription/remove', 'stream/delete']);
    expect(names(guestGone)).toEqual(['subscription/remove', 'stream/delete']);
    expect(names(member)).toEqual(['subscription/peer_remove']);
  });

  it('remembers exactly which messages arrived in between', async () => {
    const { id, name } = await makeChannel(world.server, world.cast.member);
    const join = () =>
      sureAs(world.cast.other).post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const leave = () =>
      sureAs(world.cast.other).delete('/users/me/subscriptions', { subscriptions: [name] });
    await advance(id, 10);
    await join();
    expect(await receivedBy(world.cast.other.id, id)).toBe('{[11,)}');
    await advance(id, 20);
    await leave();
    expect(await receivedBy(world.cast.other.id, id)).toBe('{[11,21)}');
    await join();
    // No message was missed, so the two ranges become one.
    expect(await receivedBy(world.cast.other.id, id)).toBe('{[11,)}');
    await leave();
    await advance(id, 30);
    await join();
    expect(await receivedBy(world.cast.other.id, id)).toBe('{[11,21),[31,)}');
    const fresh = await makeChannel(world.server, world.cast.member);
    await sureAs(world.cast.member).delete('/users/me/subscriptions', {
      subscriptions: [fresh.name],
    });
    expect(await receivedBy(world.cast.member.id, fresh.id)).toBe('{}');
  });

  it.each([
    [{ subscriptions: [{ name: ' ' }] }, 'name cannot be blank'],
    [{ subscriptions: [{}] }, 'subscriptions[0]["name"] field is missing: Field required'],
    [
      { subscriptions: [{ name: 'x', color: 'red' }] },
      'Invalid subscriptions[0]: Value error, add.color is not a valid hex color code',
    ],
    [{ subscriptions: [{ name: 'x' }], principals: ['nobody@example.com'] }, 'No such user'],
    [{ subscriptions: [{ name: 'x' }], principals: [999_999] }, 'No such user'],
  ])('refuses %j', async (given, msg) => {
    const { status, body } = await as(world.cast.member).post('/users/me/subscriptions', given);
    expect({ status, msg: body['msg'] }).toEqual({ status: 400, msg });
  });

  it('refuses a channel that the caller may not join, or lists it', async () => {
    const secret = await makeChannel(world.server, world.cast.member, { invite_only: true });
    const open = await makeChannel(world.server, world.cast.member);
    const subscriptions = [{ name: open.name }, { name: secret.name }];
    const fatal = await as(world.cast.other).post('/users/me/subscriptions', { subscriptions });
    expect(fatal.body['msg']).toBe(`Unable to access channel (${secret.name}).`);
    const { subscribers } = await sureAs(world.cast.member).get(`/streams/${open.id}/members`);
    expect(subscribers).toEqual([world.cast.member.id]);
    const listed = await sureAs(world.cast.other).post('/users/me/subscriptions', {
      subscriptions,
      authorization_errors_fatal: false,
    });
    expect(listed).toMatchObject({
      subscribed: { [world.cast.other.id]: [open.name] },
      unauthorized: [secret.name],
    });
    // An administrator knows of the channel, but may not join it for that reason alone.
    const admin = await as(world.cast.admin).post('/users/me/subscriptions', {
      subscriptions: [{ name: secret.name }],
    });
    expect(admin.body['msg']).toBe(`Unable to access channel (${secret.name}).`);
  });

  it('refuses to remove others without permission, and to change a deactivated person', async () => {
    const { name } = await makeChannel(world.server, world.cast.member);
    const others = { subscriptions: [name], principals: [world.cast.member.id] };
    const refused = await as(world.cast.other).delete('/users/me/subscriptions', others);
    expect(refused.body['msg']).toBe('Insufficient permission');
    const gone = await examplePerson(world.server.ctx);
    await sureAs(world.cast.admin).delete(`/users/${gone.id}`);
    const added = await as(world.cast.member).post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: [gone.id],
    });
    expect(added.body['msg']).toBe('User is deactivated');
    const unknown = await as(world.cast.member).delete('/users/me/subscriptions', {
      subscriptions: [name, 'no such one'],
    });
    expect(unknown.body['msg']).toBe('Channel(s) (no such one) do not exist');
  });

  it('adds and removes in one request, both or neither', async () => {
    const [one, two] = [
      await makeChannel(world.server, world.cast.member),
      await makeChannel(world.server, world.cast.member),
    ];
    await sureAs(world.cast.other).post('/users/me/subscriptions', {
      subscriptions: [{ name: one.name }],
    });
    const wrong = await as(world.cast.other).patch('/users/me/subscriptions', {
      delete: [one.name],
      add: [{ name: '' }],
    });
    expect(wrong.status).toBe(400);
    const body = await sureAs(world.cast.other).patch('/users/me/subscriptions', {
      delete: [one.name],
      add: [{ name: two.name }],
    });
    expect(body).toMatchObject({
      removed: [one.name],
      subscribed: { [world.cast.other.id]: [two.name] },
    });
    const nothing = await as(world.cast.other).patch('/users/me/subscriptions', {});
    expect(nothing.body['msg']).toBe('Nothing to do. Specify at least one of "add" or "delete".');
  });

  it('logs one event for many people, and sends each their own', async () => {
    const people = await Promise.all(
      Array.from({ length: 30 }, () => examplePerson(world.server.ctx)),
    );
    const { name } = await makeChannel(world.server, world.cast.member);
    const viewers = people.slice(0, 3);
    await settle(world.server);
    const before = await world.server.ctx.db
      .selectFrom('eventLog')
      .select((e) => e.fn.max('position').as('position'))
      .executeTakeFirstOrThrow();
    const received = await verifyEvents(world.server, viewers, () =>
      sureAs(world.cast.member).post('/users/me/subscriptions', {
        subscriptions: [{ name }],
        principals: people.map(({ id }) => id),
        send_new_subscription_messages: false,
      }),
    );
    for (const events of received) expect(names(events)).toEqual(['subscription/add']);
    const rows = await world.server.ctx.db
      .selectFrom('eventLog')
      .select('type')
      .where('position', '>', before.position)
      .execute();
    expect(rows).toHaveLength(3);
  });

  it('never deadlocks when 16 people join and leave the same channels in opposite orders', async () => {
    const people = await Promise.all(
      Array.from({ length: 16 }, () => examplePerson(world.server.ctx)),
    );
    const made = [
      await makeChannel(world.server, world.cast.member),
      await makeChannel(world.server, world.cast.member),
    ];
    const wishes = made.map(({ name }) => ({ name }));
    await Promise.all(
      people.map(async (person, index) => {
        const order = index % 2 === 0 ? wishes : [...wishes].reverse();
        for (let turn = 0; turn < 3; turn += 1) {
          await sureAs(person).post('/users/me/subscriptions', { subscriptions: order });
          await sureAs(person).delete('/users/me/subscriptions', {
            subscriptions: order.map(({ name }) => name),
          });
        }
        await sureAs(person).post('/users/me/subscriptions', { subscriptions: order });
      }),
    );
    for (const { id } of made) {
      const { subscribers } = await sureAs(world.cast.member).get(`/streams/${id}/members`);
      expect(subscribers).toEqual(
        [world.cast.member.id, ...people.map((one) => one.id)].sort((a, b) => a - b),
      );
    }
  });
});

describe('the settings of a subscription', () => {
  it('are sent only to the person', async () => {
    const { id } = await makeChannel(world.server, world.cast.member, {
      subscribers: [world.cast.member.id, world.cast.other.id],
    });
    const set = (property: string, value: boolean | string) => ({ stream_id: id, property, value });
    const [, member, other] = await verifyEvents(world.server, all, () =>
      sureAs(world.cast.member).post('/users/me/subscriptions/properties', {
        subscription_data: [
          set('color', '#C2C2C2'),
          set('in_home_view', false),
          set('pin_to_top', true),
          set('desktop_notifications', true),
          set('audible_notifications', false),
          set('push_notifications', true),
          set('email_notifications', false),
          set('wildcard_mentions_notify', false),
        ],
      }),
    );
    expect(member?.map((event) => (event as { property?: string }).property)).toEqual([
      'color',
      'in_home_view',
      'is_muted',
      'pin_to_top',
      'desktop_notifications',
      'audible_notifications',
      'push_notifications',
      'email_notifications',
      'wildcard_mentions_notify',
    ]);
    expect(other).toEqual([]);
    const { subscriptions } = (await sureAs(world.cast.member).get('/users/me/subscriptions')) as {
      subscriptions: Record<string, unknown>[];
    };
    expect(subscriptions.find((row) => row['stream_id'] === id)).toMatchObject({
      color: '#c2c2c2',
      is_muted: true,
      in_home_view: false,
      email_notifications: false,
    });
  });

  it.each([
    ['odd', true, 'Unknown subscription property: odd'],
    ['is_muted', 'yes', 'is_muted is not a boolean'],
    ['color', 'red', 'color is not a valid hex color code'],
  ])('refuses %s = %j', async (property, value, msg) => {
    const { id } = await makeChannel(world.server, world.cast.member);
    const { body } = await as(world.cast.member).post('/users/me/subscriptions/properties', {
      subscription_data: [
        { stream_id: id, property: 'pin_to_top', value: true },
        { stream_id: id, property, value },
      ],
    });
    expect(body['msg']).toBe(msg);
    const stranger = await as(world.cast.other).patch(`/users/me/subscriptions/${id}`, {
      property: 'pin_to_top',
      value: true,
    });
    expect(stranger.body['msg']).toBe(`Not subscribed to channel ID ${id}`);
  });

  it('give every new channel a colour that the person does not use yet', async () => {
    const person = await examplePerson(world.server.ctx);
    const colors = new Set<string>();
    for (let turn = 0; turn < 24; turn += 1) {
      const { id } = await makeChannel(world.server, person);
      const { subscriptions } = (await sureAs(person).get('/users/me/subscriptions')) as {
        subscriptions: { stream_id: number; color: string }[];
      };
      colors.add(subscriptions.find(({ stream_id }) => stream_id === id)?.color ?? '');
    }
    expect(colors.size).toBe(24);
  });
});

describe('topics', () => {
  it('are muted, followed and reset, for one person only', async () => {
    const { id, name } = await makeChannel(world.server, world.cast.member);
    const set = (topic: string, visibility_policy: number) =>
      sureAs(world.cast.member).post('/user_topics', { stream_id: id, topic, visibility_policy });
    const [, member, other] = await verifyEvents(world.server, all, async () => {
      await set('Lunch', 1);
      await set('lunch', 3);
      await set('Release', 2);
      await set('release', 0);
      await set('', 1);
    });
    expect(names(member)).toEqual(Array(5).fill('user_topic'));
    expect(other).toEqual([]);
    const older = await sureAs(world.cast.member).post('/register', {
      fetch_event_types: ['muted_topics'],
    });
    expect(older['muted_topics']).toEqual([[name, 'general chat', expect.any(Number)]]);
    expect(older['user_topics']).toBeUndefined();
    await sureAs(world.cast.member).patch('/users/me/subscriptions/muted_topics', {
      stream: name,
      topic: '(no topic)',
      op: 'remove',
    });
    const repeated = await as(world.cast.member).patch('/users/me/subscriptions/muted_topics', {
      stream_id: id,
      topic: '',
      op: 'remove',
    });
    expect(repeated.body['msg']).toBe('Topic is not muted');
  });

  it('are told as one list to a client that knows only that, and the log has no list', async () => {
    const { member, other } = world.cast;
    const { id, name } = await makeChannel(world.server, member);
    const open = async (who: Person, event_types: string[]) => {
      const { queue_id, last_event_id } = await sureAs(who).post('/register', { event_types });
      return { queue_id, last_event_id, dont_block: true };
    };
    const older = await open(member, ['muted_topics']);
    const newer = await open(member, ['muted_topics', 'user_topic']);
    const others = await open(other, ['muted_topics']);
    const set = (topic: string, visibility_policy: number) =>
      sureAs(member).post('/user_topics', { stream_id: id, topic, visibility_policy });
    await set('"muted_topics":"as of now"', 1);
    await set('Noise', 1);
    await set('Quiet', 1);
    await set('Noise', 0);
    await settle(world.server);
    const { events } = (await sureAs(member).get('/events', older)) as {
      events: { id: number; type: string; muted_topics: [string, string, number][] }[];
    };
    // Four changes, and one event with what is muted now.
    expect(events.map(({ type }) => type)).toEqual(['muted_topics']);
    const topics = events[0]?.muted_topics.filter(([channel]) => channel === name);
    expect(topics?.map(([, topic]) => topic).sort()).toEqual([
      '"muted_topics":"as of now"',
      'Quiet',
    ]);
    const seen = (await sureAs(member).get('/events', newer)) as { events: { type: string }[] };
    expect(seen.events.map(({ type }) => type)).toEqual(Array(4).fill('user_topic'));
    const none = (await sureAs(other).get('/events', others)) as { events: { type: string }[] };
    expect(none.events.filter(({ type }) => type !== 'heartbeat')).toEqual([]);
    await set('Quiet', 0);
    await settle(world.server);
    const acknowledged = { ...older, last_event_id: events[0]?.id };
    const next = (await sureAs(member).get('/events', acknowledged)) as typeof seen & {
      events: { muted_topics: [string, string, number][] }[];
    };
    expect(next.events).toHaveLength(1);
    expect(next.events[0]?.muted_topics.filter(([channel]) => channel === name)).toHaveLength(1);
    const { rows } = await sql<{ length: number }>`
      SELECT max(length(payload::text)) AS length FROM event_log WHERE type = 'muted_topics'`.execute(
      world.server.ctx.db,
    );
    expect(rows[0]?.length).toBeLessThan(60);
  });

  it.each([
    [{ topic: 'x'.repeat(61) }, 'topic is too long (limit: 60 characters)'],
    [
      { visibility_policy: 4 },
      'Invalid visibility_policy: Value error, Not in the list of possible values',
    ],
    [{ stream_id: 999_999 }, 'Invalid channel ID'],
  ])('refuses %j', async (given, msg) => {
    const { id } = await makeChannel(world.server, world.cast.member);
    const { body } = await as(world.cast.member).post('/user_topics', {
      stream_id: id,
      topic: 'x',
      visibility_policy: 1,
      ...given,
    });
    expect(body['msg']).toBe(msg);
  });
});

describe('lists of subscribers', () => {
  it('are complete, partial or absent, as the client asked', async () => {
    const { id } = await makeChannel(world.server, world.cast.member);
    const { id: large } = await makeChannel(world.server, world.cast.member);
    await sql`
      INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
      SELECT 'crowd' || n || '@example.com', 'Crowd ' || n, 400, ('\\x' || md5('crowd' || n))::bytea, '\\x00'
        FROM generate_series(1, 1100) n`.execute(world.server.ctx.db);
    await sql`
      INSERT INTO subscriptions (user_id, channel_id)
      SELECT id, ${large} FROM users WHERE email LIKE 'crowd%'`.execute(world.server.ctx.db);
    const rowsOf = async (include_subscribers: string) => {
      const { subscriptions } = (await sureAs(world.cast.member).get('/users/me/subscriptions', {
        include_subscribers,
      })) as { subscriptions: Record<string, unknown>[] };
      return [id, large].map((one) => subscriptions.find((row) => row['stream_id'] === one));
    };
    const lengthOf = (row: Record<string, unknown> | undefined, name: string) => {
      const list = row?.[name];
      return Array.isArray(list) ? list.length : undefined;
    };
    const whole = await rowsOf('true');
    expect(whole.map((row) => lengthOf(row, 'subscribers'))).toEqual([1, 1101]);
    const partial = await rowsOf('partial');
    expect(partial[0]?.['subscribers']).toEqual([world.cast.member.id]);
    expect(partial[1]).not.toHaveProperty('subscribers');
    expect(lengthOf(partial[1], 'partial_subscribers')).toBe(250);
    const absent = await rowsOf('false');
    expect(absent[1]).toMatchObject({ subscriber_count: 1101 });
    expect(absent[1]).not.toHaveProperty('subscribers');
    expect(absent[1]).not.toHaveProperty('partial_subscribers');
    const odd = await as(world.cast.member).get('/users/me/subscriptions', {
      include_subscribers: 'x',
    });
    expect(odd.body['msg']).toBe('Invalid include_subscribers');
  });
});
