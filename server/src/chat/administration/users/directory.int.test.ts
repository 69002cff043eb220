// The list of people in a register is remembered as text. Whatever changes, by another process and without an event, the
// next register shows it; and nobody is shown an address that others may see and they may not.
import { isDeepStrictEqual } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { EMAIL_VISIBILITY } from '../../../accounts/users/sight.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import {
  ok,
  openMessageWorld,
  type Actor,
  type MessageWorld,
} from '../../../testing/chat/world.ts';
import { clusterSettings } from '../../../testing/context.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { statementsOf } from '../../../testing/statements.ts';

let world: MessageWorld;
let other: TestServer;
/** Its statements may take long: the crowd changes at once, beside other tests. */
let patient: pg.Pool;
/** Enough for several blocks. */
const CROWD = 1200;

beforeAll(async () => {
  world = await openMessageWorld({ settings: clusterSettings(), withRelay: false });
  patient = new pg.Pool({ connectionString: world.server.databaseUrl });
  await run(
    `INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
     SELECT 'crowd' || n || '@example.com', 'Crowd ' || n, $2, sha256(('crowd' || n)::bytea), '\\x00'
       FROM generate_series(1, $1::int) AS n`,
    CROWD,
    ROLE.member,
  );
  other = await startTestServer({
    databaseUrl: world.server.databaseUrl,
    settings: { ...clusterSettings(), CHAT_RATE_LIMIT: '1000000' },
    withRelay: false,
  });
});
afterAll(async () => {
  await patient.end();
  await other.close();
  await world.close();
});

const run = async (statement: string, ...values: unknown[]): Promise<void> => {
  await patient.query(statement, values);
};

type Row = Record<string, unknown> & { readonly user_id: number };

async function register(who: Actor): Promise<Row[]> {
  const types = JSON.stringify(['realm_user']);
  const client = chatClient(other, who);
  const body = ok(await client.post('/register', { fetch_event_types: types, event_types: '[]' }));
  ok(await client.delete('/events', { queue_id: String(body['queue_id']) }));
  const active = (body['realm_users'] as Row[]).map((row) => ({ ...row, is_active: true }));
  const others = (body['realm_non_active_users'] as Row[]).map((row) => ({
    ...row,
    is_active: false,
  }));
  return [...active, ...others].sort((a, b) => a.user_id - b.user_id);
}

/** What the database says, without any memory: the route for the list of users reads it each time. */
async function listed(who: Actor): Promise<Row[]> {
  const body = ok(await who.client.get('/users', { include_custom_profile_fields: true }));
  const rows = body['members'] as Row[];
  return rows.sort((a, b) => a.user_id - b.user_id);
}

/** Only rows that differ are compared as such: showing the difference of two long lists takes minutes. */
async function sameFor(...people: readonly Actor[]): Promise<void> {
  for (const who of people) {
    const [given, wanted] = [await register(who), await listed(who)];
    expect(given.length).toBe(wanted.length);
    for (const [n, row] of given.entries()) {
      if (!isDeepStrictEqual(row, wanted[n])) expect(row).toEqual(wanted[n]);
    }
  }
}

const rowOf = (rows: readonly Row[], id: number): Row | undefined =>
  rows.find(({ user_id }) => user_id === id);

describe('a register by memory', () => {
  it('reads only the block of its own person', async () => {
    const { ada } = world;
    await sameFor(ada);
    const statements = await statementsOf([other.ctx.pooled('chat').database.pool], () =>
      register(ada),
    );
    const lists = statements.filter((text) =>
      /from "users" where "is_system" = \$1 and "id" >=/.test(text),
    );
    expect(lists).toHaveLength(1);
  });

  it('shows every change of a person', async () => {
    const { ada, bob, owner } = world;
    const moderator = await world.person({ role: ROLE.moderator });
    const all = [ada, owner, moderator];
    await sameFor(...all);
    const someone = bob.id;
    const changes: readonly [string, ...unknown[]][] = [
      [`UPDATE users SET full_name = 'Somebody else' WHERE id = $1`, someone],
      [`UPDATE users SET timezone = 'Asia/Tehran', avatar_version = 7 WHERE id = $1`, someone],
      [`UPDATE users SET role = $2 WHERE id = $1`, someone, ROLE.moderator],
      [`UPDATE users SET is_active = false WHERE id = $1`, someone],
      [`UPDATE users SET is_active = true WHERE id = $1`, someone],
      [
        `INSERT INTO profile_fields (id, type, name, "order") OVERRIDING SYSTEM VALUE VALUES (900, 1, 'Desk', 1)`,
      ],
      [`INSERT INTO profile_values VALUES ($1, 900, '**north**')`, someone],
      [`UPDATE profile_values SET value = 'south' WHERE user_id = $1`, someone],
      [`DELETE FROM profile_fields WHERE id = 900`],
    ];
    for (const [statement, ...values] of changes) {
      await run(statement, ...values);
      await sameFor(...all);
    }
  });

  it('shows who came', async () => {
    await register(world.ada);
    const late = await world.person({ role: ROLE.member });
    expect(rowOf(await register(world.ada), late.id)).toBeDefined();
    await sameFor(world.ada, late);
  });

  it.each(Object.entries(EMAIL_VISIBILITY))(
    'shows an address for %s to those who may see it',
    async (_name, visibility) => {
      const { ada, bob, owner } = world;
      const moderator = await world.person({ role: ROLE.moderator });
      await run(
        `UPDATE users SET settings = settings || jsonb_build_object('email_address_visibility', $2::int)
          WHERE id = $1`,
        bob.id,
        visibility,
      );
      await sameFor(ada, bob, owner, moderator);
      await sameFor(ada, bob, owner, moderator);
      // One's own is shown to oneself, whatever others see.
      expect(rowOf(await register(bob), bob.id)?.['delivery_email']).toBe(bob.email);
    },
  );

  it('shows the address of a bot to its owner alone, also after another has asked', async () => {
    const { ada } = world;
    const keeper = await world.person({ role: ROLE.member });
    const bot = await world.person({ role: ROLE.member });
    await run(
      `UPDATE users SET bot_type = 1, bot_owner_id = $2,
              settings = settings || '{"email_address_visibility": 4}' WHERE id = $1`,
      bot.id,
      keeper.id,
    );
    for (const who of [keeper, ada, keeper, ada]) await sameFor(who);
  });

  it('goes on after so many changes that they are not counted', async () => {
    const { ada } = world;
    await register(ada);
    await run(`UPDATE users SET full_name = full_name || '!' WHERE email LIKE 'crowd%'`);
    for (let n = 0; n < 5; n += 1) {
      await run(`UPDATE users SET full_name = full_name || '!' WHERE email LIKE 'crowd%'`);
    }
    await sameFor(ada);
    await sameFor(ada);
  });

  it('is of one moment, however many register while people change', async () => {
    const { ada, owner } = world;
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        if (n % 3 === 0) {
          await run(`UPDATE users SET full_name = 'At ' || $1 WHERE email LIKE 'crowd%'`, n);
        }
        return register(n % 2 === 0 ? ada : owner);
      }),
    );
    for (const rows of answers) {
      const names = new Set(
        rows
          .filter(({ email }) => String(email).startsWith('crowd'))
          .map(({ full_name }) => String(full_name).slice(0, 3)),
      );
      expect(names.size).toBe(1);
      const whole = rows.filter(({ full_name }) => String(full_name).startsWith('At '));
      expect(new Set(whole.map(({ full_name }) => full_name)).size).toBeLessThanOrEqual(1);
    }
    await sameFor(ada, owner);
  });
});
