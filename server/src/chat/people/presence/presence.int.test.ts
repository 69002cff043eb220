// Presence over HTTP in both forms: what is stored, and who gets which events.
import { placeholderEmail } from '../../../accounts/users/sight.ts';
import { hostOf } from '../../../platform/context.ts';
import { typingDirectly } from '../../messages/typing/events.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Value } from 'typebox/value';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { sendSignal } from '../../../platform/realtime/signals.ts';
import {
  applyEvent,
  checkLoggedShapes,
  verifyEvents,
  type ClientState,
} from '../../../testing/verify-events.ts';
import type { ChatEvent } from '../../realtime/events/parts.ts';
import type { FormInput } from '../../../testing/chat/client.ts';
import { changePermissions, ORGANIZATION } from '../../rights/permissions/actions.ts';
import {
  ok,
  openMessageWorld,
  refused,
  sendDirect,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { statementsOf } from '../../../testing/statements.ts';
import { PresenceChanged } from './events.ts';
import { writePresences } from './store.ts';

let world: MessageWorld;
let nowMs = Date.now();
const clock = { now: () => nowMs };
const pass = (seconds: number) => {
  nowMs += seconds * 1000;
};
const nowSeconds = () => Math.floor(nowMs / 1000);

beforeAll(async () => {
  world = await openMessageWorld({ clock });
});
afterAll(async () => {
  await checkLoggedShapes(world.server);
  await world.close();
});
// An hour later, everybody counts as coming online again.
beforeEach(() => pass(3600));

const ping = ({ client }: Actor, params: FormInput = {}) =>
  client.post('/users/me/presence', { status: 'active', new_user_input: true, ...params });

const register = async ({ client }: Actor, params: FormInput = {}) =>
  ok(await client.post('/register', { fetch_event_types: ['presence'], ...params }));

const entry = (status: string, timestamp: number) => {
  const aggregated = { client: 'website', status, timestamp };
  return { aggregated, website: { ...aggregated, pushable: false } };
};

/** The presence events in a queue so far, and the client's state after them. */
async function follow(actor: Actor, params: FormInput, act: () => Promise<unknown>) {
  const state = await register(actor, params);
  await act();
  sendSignal(world.server.ctx.bus, typingBy(actor), { users: [actor.id] });
  const events: (ChatEvent & { id: number })[] = [];
  while (!events.some(({ type }) => type === 'typing')) {
    const answer = await actor.client.get('/events', {
      queue_id: state['queue_id'],
      last_event_id: events.at(-1)?.id ?? state['last_event_id'],
    });
    events.push(...(ok(answer)['events'] as (ChatEvent & { id: number })[]));
  }
  const told = events.filter((event) => event.type === 'presence');
  for (const { id: _id, ...event } of told)
    expect(Value.Errors(PresenceChanged, event)).toEqual([]);
  const after = told.reduce<ClientState>(applyEvent, state);
  return { told, after, fresh: await register(actor, params) };
}

/** A signal that comes after all earlier ones. */
const typingBy = (actor: Actor) => typingDirectly('start', actor, [actor]);

describe('POST /users/me/presence', () => {
  it('answers by address, and includes the caller', async () => {
    const { ada } = world;
    const body = ok(await ping(ada));
    expect(body['presences']).toEqual({ [ada.email]: entry('active', nowSeconds()) });
    expect(body['server_timestamp']).toBe(nowMs / 1000);
    expect(body['presence_last_update_id']).toBeGreaterThan(0);
  });

  it('answers by id with slim_presence, and with last_update_id', async () => {
    const { ada } = world;
    const times = { active_timestamp: nowSeconds(), idle_timestamp: nowSeconds() };
    expect(ok(await ping(ada, { slim_presence: true }))['presences']).toEqual({ [ada.id]: times });
    expect(ok(await ping(ada, { last_update_id: -1 }))['presences']).toEqual({ [ada.id]: times });
  });

  it('answers only changes after last_update_id', async () => {
    const { ada, bob } = world;
    const first = ok(await ping(ada, { last_update_id: -1 }));
    const last = first['presence_last_update_id'];
    const second = ok(await ping(ada, { last_update_id: last }));
    expect(second).toMatchObject({ presences: {}, presence_last_update_id: last });
    ok(await ping(bob, { ping_only: true }));
    const third = ok(await ping(ada, { last_update_id: last }));
    expect(Object.keys(third['presences'] as object)).toEqual([String(bob.id)]);
    expect(third['presence_last_update_id']).toBeGreaterThan(Number(last));
  });

  it('loses no change of a slow transaction', async () => {
    const { ada, bob, guest, server } = world;
    await Promise.all([ada, bob, guest].map((one) => ping(one)));
    const start = ok(await ping(ada, { last_update_id: -1 }))['presence_last_update_id'];
    pass(100);
    const held = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const slow = server.ctx.inTransaction(async (tx) => {
      const at = new Date(nowMs);
      await writePresences(tx, new Map([[bob.id, { lastActive: at, lastConnected: at }]]));
      begun.resolve();
      await held.promise;
    });
    await begun.promise;
    // The guest's change gets a later number, so it cannot be read before Bob's.
    const later = ping(guest);
    const between = ok(await ada.client.get('/realm/presence'));
    expect(between['presences']).not.toMatchObject({ [bob.email]: entry('active', nowSeconds()) });
    held.resolve();
    await slow;
    ok(await later);
    const after = ok(await ping(ada, { last_update_id: start, status: 'idle' }));
    expect(after['presences']).toHaveProperty(String(bob.id));
    expect(after['presences']).toHaveProperty(String(guest.id));
  });

  it('answers nothing to ping_only, and nothing older than the caller asked for', async () => {
    const { ada, bob } = world;
    expect(Object.keys(ok(await ping(ada, { ping_only: true }))).sort()).toEqual(['msg', 'result']);
    ok(await ping(bob));
    pass(3 * 86_400);
    ok(await ping(ada));
    const since = async (days?: number) =>
      Object.keys(
        ok(await ping(ada, days === undefined ? {} : { history_limit_days: days }))[
          'presences'
        ] as object,
      );
    expect(await since()).toEqual(expect.arrayContaining([ada.email, bob.email]));
    expect(await since(2)).toEqual([ada.email]);
    expect(await since(0)).toEqual([]);
    pass(15 * 86_400);
    expect(await since()).toEqual([ada.email]);
  });

  it('shows connected people as idle, and writes at most every 55 seconds', async () => {
    const { ada, server } = world;
    const row = () =>
      server.ctx.db
        .selectFrom('presences')
        .selectAll()
        .where('userId', '=', ada.id)
        .executeTakeFirstOrThrow();
    ok(await ping(ada));
    const first = await row();
    for (let n = 0; n < 5; n += 1) {
      pass(10);
      ok(await ping(ada, { status: n % 2 === 0 ? 'idle' : 'active' }));
    }
    expect(await row()).toEqual(first);
    pass(30);
    const body = ok(await ping(ada, { status: 'idle' }));
    expect(body['presences']).toMatchObject({ [ada.email]: entry('idle', nowSeconds()) });
  });

  it.each<[FormInput, string]>([
    [{ status: 'busy' }, 'Invalid status: busy'],
    [{ status: 'offline' }, 'Invalid status: offline'],
    [{ ping_only: 'yes' }, 'ping_only is not valid JSON'],
    [{ last_update_id: 'x' }, 'last_update_id is not valid JSON'],
  ])('%j is refused', async (params, message) => {
    expect(refused(await ping(world.ada, params)).msg).toBe(message);
    const { body } = await world.ada.client.post('/users/me/presence', {});
    expect(body).toMatchObject({ code: 'BAD_REQUEST', var_name: 'status' });
  });

  it('refuses bots', async () => {
    const bot = await world.person({ botType: 1 });
    expect(refused(await ping(bot)).msg).toBe('This endpoint does not accept bot requests.');
  });
});

describe('coming online', () => {
  it('is one event, in the form that each client knows', async () => {
    const { ada, bob, stranger } = world;
    const twice = async () => {
      ok(await ping(ada));
      pass(60);
      ok(await ping(ada));
    };
    const forms: [FormInput, object][] = [
      [
        {},
        {
          user_id: ada.id,
          email: ada.email,
          presence: { website: { client: 'website', status: 'active', pushable: false } },
        },
      ],
      [{ slim_presence: true }, { user_id: ada.id, presence: { website: { status: 'active' } } }],
      [
        { client_capabilities: { simplified_presence_events: true } },
        { presences: { [ada.id]: { active_timestamp: expect.any(Number) } } },
      ],
    ];
    for (const [index, [params, shape]] of forms.entries()) {
      pass(3600);
      const { told } = await follow(index === 1 ? stranger : bob, params, twice);
      expect(told).toHaveLength(1);
      expect(told[0]).toMatchObject(shape);
      expect(Object.hasOwn(told[0] ?? {}, 'email')).toBe(index === 0);
      expect(Object.hasOwn(told[0] ?? {}, 'presences')).toBe(index === 2);
      expect(Object.hasOwn(told[0] ?? {}, 'presence')).toBe(index !== 2);
    }
  });

  it.each<[string, FormInput]>([
    ['by address', {}],
    ['by id', { client_capabilities: { simplified_presence_events: true } }],
  ])('gives a client the same state as a new client gets, %s', async (_how, params) => {
    const { ada, bob } = world;
    const { told, after, fresh } = await follow(bob, params, () => ping(ada));
    expect(told).toHaveLength(1);
    expect(after.presences).toEqual(fresh['presences']);
  });

  it('sends no event for somebody who is only connected', async () => {
    const { ada, bob } = world;
    const { told } = await follow(bob, {}, () => ping(ada, { status: 'idle' }));
    expect(told).toEqual([]);
  });
});

describe('the initial state', () => {
  it('has presences in the form that the client asked for', async () => {
    const { ada, bob } = world;
    ok(await ping(ada));
    expect((await register(bob))['presences']).toMatchObject({
      [ada.email]: entry('active', nowSeconds()),
    });
    const slim = await register(bob, { slim_presence: true });
    expect(slim['presences']).toMatchObject({
      [ada.id]: { active_timestamp: nowSeconds(), idle_timestamp: nowSeconds() },
    });
    expect(slim).toMatchObject({ server_timestamp: nowMs / 1000 });
    expect(slim['presence_last_update_id']).toBeGreaterThan(0);
    expect((await register(bob, { presence_history_limit_days: 0 }))['presences']).toEqual({});
  });
});

describe('a person who hides', () => {
  it('is offline for everybody at once, and stays so whatever their clients report', async () => {
    const { ada, bob, server } = world;
    ok(await ping(ada));
    const set = (value: boolean) => ada.client.patch('/settings', { presence_enabled: value });
    const [told] = await verifyEvents(server, [bob, ada], () => set(false));
    expect(told).toMatchObject([
      { type: 'presence', email: ada.email, presence: { website: { status: 'idle' } } },
      { type: 'user_status', user_id: ada.id, away: true },
    ]);
    const look = async () => ok(await bob.client.get(`/users/${ada.id}/presence`))['presence'];
    expect(await look()).toMatchObject({ aggregated: { status: 'offline' } });
    pass(120);
    ok(await ping(ada));
    expect(await look()).toMatchObject({ aggregated: { status: 'offline' } });
    await verifyEvents(server, [bob, ada], () => set(true));
    expect(await look()).toMatchObject({ aggregated: { status: 'active' } });
  });
});

describe('GET /realm/presence', () => {
  it('[M057] [M164] has the same in website and aggregated, by address, and the server’s time', async () => {
    const { ada, bob, guest } = world;
    ok(await ping(ada));
    ok(await ping(guest, { status: 'idle' }));
    const bot = await world.person({ botType: 1 });
    for (const reader of [bob, guest, bot]) {
      const body = ok(await reader.client.get('/realm/presence'));
      expect(Object.keys(body).sort()).toEqual(['msg', 'presences', 'result', 'server_timestamp']);
      expect(body['server_timestamp']).toBe(nowMs / 1000);
      const shown =
        reader === guest ? placeholderEmail(ada.id, hostOf(world.server.ctx)) : ada.email;
      expect(body['presences']).toMatchObject({
        [shown]: entry('active', nowSeconds()),
        [guest.email]: entry('idle', nowSeconds()),
      });
      expect(body['presences']).not.toHaveProperty(bot.email);
    }
  });

  it('[M164] takes no parameters, and lists given ones as ignored', async () => {
    const body = ok(await world.bob.client.get('/realm/presence', { slim_presence: true }));
    expect(body['ignored_parameters_unsupported']).toEqual(['slim_presence']);
  });

  it('[M057] leaves out deactivated people, and everybody where presence is turned off', async () => {
    const { owner, bob, person } = world;
    const gone = await person();
    ok(await ping(gone));
    ok(await owner.client.delete(`/users/${gone.id}`));
    const read = async () => ok(await bob.client.get('/realm/presence'))['presences'];
    expect(await read()).not.toHaveProperty(gone.email);
    ok(await ping(bob));
    expect(await read()).toHaveProperty(bob.email);
    ok(await owner.client.patch('/realm', { presence_disabled: true }));
    expect(await read()).toEqual({});
    expect(ok(await ping(bob))['presences']).toEqual({});
    expect((await register(bob))['presences']).toEqual({});
    expect(refused(await bob.client.get(`/users/${bob.id}/presence`)).msg).toMatch(/^No presence/);
    ok(await owner.client.patch('/realm', { presence_disabled: false }));
    expect(await read()).toHaveProperty(bob.email);
  });
});

describe('GET /users/{id or email}/presence', () => {
  it('has both forms, by id and by address', async () => {
    const { ada, bob } = world;
    ok(await ping(ada));
    const expected = {
      presence: {
        active_timestamp: nowSeconds(),
        idle_timestamp: nowSeconds(),
        website: { status: 'active', timestamp: nowSeconds() },
        aggregated: { status: 'active', timestamp: nowSeconds() },
      },
      server_timestamp: nowMs / 1000,
    };
    for (const who of [ada.id, ada.email]) {
      expect(ok(await bob.client.get(`/users/${who}/presence`))).toMatchObject(expected);
    }
    pass(201);
    expect(ok(await bob.client.get(`/users/${ada.id}/presence`))).toMatchObject({
      presence: { website: { status: 'active' }, aggregated: { status: 'offline' } },
    });
  });

  it('is refused for unknown people, for bots, and for people without presence', async () => {
    const { ada, person } = world;
    const read = async (who: string | number) =>
      refused(await ada.client.get(`/users/${who}/presence`)).msg;
    const bot = await person({ botType: 1 });
    const shy = await person();
    expect(await read(999_999)).toBe('No such user');
    expect(await read('nobody@example.com')).toBe('No such user');
    expect(await read(bot.id)).toBe('Presence is not supported for bot users.');
    expect(await read(shy.id)).toBe(`No presence data for ${shy.id}`);
    expect(await read(shy.email)).toBe(`No presence data for ${shy.email}`);
  });
});

describe('with CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE', () => {
  it('[M164] people who may not see everybody see only those they share a conversation with', async () => {
    const limited = await openMessageWorld({
      settings: { CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: 'true' },
    });
    try {
      const { server, ada, guest, stranger, person } = limited;
      const friend = await person();
      await sendDirect(friend, [guest], 'hello');
      for (const one of [ada, guest, stranger, friend]) ok(await ping(one));
      const seen = async ({ client }: Actor) =>
        Object.keys(ok(await client.get('/realm/presence'))['presences'] as object).sort();
      const all = [ada, guest, stranger, friend];
      // Guests call everybody but themselves by a placeholder.
      const forGuest = (people: readonly Actor[]) =>
        people
          .map(({ id, email }) =>
            id === guest.id ? email : placeholderEmail(id, hostOf(server.ctx)),
          )
          .sort();
      expect(await seen(guest)).toEqual(forGuest(all));
      const group = roleGroupId('role:members');
      await server.ctx.inTransaction((tx) =>
        changePermissions(tx, 'realm', ORGANIZATION, {
          can_access_all_users_group: { new: group },
        }),
      );
      expect(await seen(guest)).toEqual(forGuest([ada, guest, friend]));
      expect(await seen(stranger)).toEqual(all.map(({ email }) => email).sort());
    } finally {
      await limited.close();
    }
  });
});

it('in a large organization, coming online sends no event', async () => {
  const large = await openMessageWorld({ settings: { CHAT_PRESENCE_PUSH_USERS_MAX: '4' } });
  try {
    const { ada, bob, server } = large;
    const [told] = await verifyEvents(server, [bob], async () => {});
    expect(told).toEqual([]);
    const queue = ok(await bob.client.post('/register', { event_types: ['presence', 'typing'] }));
    ok(await ping(ada));
    sendSignal(server.ctx.bus, typingBy(bob), { users: [bob.id] });
    const { events } = ok(
      await bob.client.get('/events', {
        queue_id: queue['queue_id'],
        last_event_id: queue['last_event_id'],
      }),
    );
    expect(events).toMatchObject([{ type: 'typing' }]);
  } finally {
    await large.close();
  }
});

it('pings that come together are written together, and each is there', async () => {
  const { pool } = world.server.ctx.pooled('chat').database;
  const people = await Promise.all(Array.from({ length: 40 }, () => world.person()));
  const statements = await statementsOf([pool], () =>
    Promise.all(people.flatMap((one) => [ping(one), ping(one)])),
  );
  expect(statements.filter((text) => /update presence_head/i.test(text)).length).toBeLessThan(40);
  const { rows } = await pool.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM presences WHERE user_id = ANY ($1) AND last_active = $2',
    [people.map(({ id }) => id), new Date(nowMs)],
  );
  expect(rows[0]?.count).toBe(40);
});
