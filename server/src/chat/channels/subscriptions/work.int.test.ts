// Limits how much one request, and one person in a day, can do to others by creating and filling channels.
import { sql } from 'kysely';
import { describe, expect, it, vi } from 'vitest';
import { settle } from '../../../testing/verify-events.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import { ok, refused, useMessageWorld, type Actor } from '../../../testing/chat/world.ts';

vi.setConfig({ testTimeout: 120_000 });
const world = useMessageWorld();

const named = (prefix: string, count: number) =>
  Array.from({ length: count }, (_none, n) => ({ name: `${prefix} ${n}` }));

const subscribe = (who: Actor, subscriptions: readonly unknown[], principals?: readonly number[]) =>
  who.client.post('/users/me/subscriptions', {
    subscriptions,
    ...(principals !== undefined && { principals }),
  });

async function countChannels(prefix: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*)::int AS count FROM channels WHERE name LIKE ${`${prefix}%`}`.execute(
    world.server.ctx.db,
  );
  return rows[0]?.count ?? 0;
}

describe('one request', () => {
  it('refuses to create 300 channels, and creates none', async () => {
    const { ada, bob, owner } = world;
    const answer = await subscribe(ada, named('flood', 300), [ada.id, bob.id, owner.id]);
    expect(refused(answer).msg).toBe('One request can be about at most 100 channels, not 300.');
    expect(refused(await subscribe(ada, named('flood', 21))).msg).toBe(
      'One request can make at most 20 channels, not 21.',
    );
    expect(await countChannels('flood')).toBe(0);
  });

  it('handles a few channels per transaction, and sends each person one message about all of them', async () => {
    const { ada } = world;
    const friend = await world.person();
    const body = ok(await subscribe(ada, named('many', 20), [ada.id, friend.id]));
    expect((body['subscribed'] as Record<string, string[]>)[friend.id]).toHaveLength(20);
    expect(body['new_subscription_messages_sent']).toBe(true);
    const { rows } = await sql<{ count: number; transactions: number }>`
      SELECT count(*)::int AS count, count(DISTINCT c.xmin::text)::int AS transactions
        FROM channels c WHERE c.name LIKE 'many %'`.execute(world.server.ctx.db);
    expect(rows).toEqual([{ count: 20, transactions: 2 }]);
    const notices = ok(
      await friend.client.get('/messages', {
        anchor: 'newest',
        num_before: 100,
        narrow: [{ operator: 'is', operand: 'dm' }],
      }),
    )['messages'] as unknown[];
    expect(notices).toHaveLength(1);
    // The second time, everybody is subscribed already.
    const again = ok(await subscribe(ada, named('many', 20), [ada.id, friend.id]));
    expect((again['already_subscribed'] as Record<string, string[]>)[friend.id]).toHaveLength(20);
    const left = ok(
      await friend.client.delete('/users/me/subscriptions', {
        subscriptions: named('many', 20).map(({ name }) => name),
      }),
    );
    expect(left['removed']).toHaveLength(20);
  });

  it('sends events of at most a thousand people each', async () => {
    const { ada } = world;
    const { db } = world.server.ctx;
    await sql`
      INSERT INTO users (email, full_name, role, chat_key_lookup, chat_key_sealed)
      SELECT 'throng' || n || '@example.com', 'Throng ' || n, 400, ('\\x' || md5('throng' || n))::bytea, '\\x00'
        FROM generate_series(1, 2100) n`.execute(db);
    const { rows: crowd } = await sql<{ id: number }>`
      SELECT id FROM users WHERE email LIKE 'throng%' ORDER BY id`.execute(db);
    ok(
      await subscribe(
        ada,
        [{ name: 'thronged' }],
        crowd.map(({ id }) => id),
      ),
    );
    await settle(world.server);
    const { rows } = await sql<{ people: number; bytes: number }>`
      SELECT jsonb_array_length(audience -> 'users') AS people, octet_length(payload) AS bytes FROM event_log
       WHERE payload::jsonb ->> 'op' = 'add_many' AND payload::jsonb -> 'channel' ->> 'name' = 'thronged'
       ORDER BY position`.execute(db);
    expect(rows.map(({ people }) => people)).toEqual([1000, 1000, 100]);
    expect(Math.max(...rows.map(({ bytes }) => bytes))).toBeLessThan(1_000_000);
  });

  it('names a limited number of addresses', async () => {
    const { ada } = world;
    const principals = Array.from({ length: 1001 }, (_none, n) => `p${n}@example.com`);
    const answer = await ada.client.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals,
    });
    expect(refused(answer).msg).toContain('principals');
  });
});

describe('one person in a day', () => {
  it('creates a limited number of channels, counted together with their bots', async () => {
    const maker = await world.person();
    const bot = ok(
      await maker.client.post('/bots', {
        full_name: 'Maker bot',
        short_name: 'maker',
        bot_type: 1,
      }),
    );
    const address = `maker-bot@${new URL(world.server.chatUrl).hostname}`;
    const key = Buffer.from(`${address}:${String(bot['api_key'])}`).toString('base64');
    const robot = { ...maker, client: chatClient(world.server, { basic: `Basic ${key}` }) };
    const { db } = world.server.ctx;
    await sql`
      INSERT INTO daily_allowances (user_id, kind, day, spent)
      VALUES (${maker.id}, 'channels', (now() AT TIME ZONE 'UTC')::date, 198)`.execute(db);
    ok(await subscribe(maker, named('daily', 1)));
    ok(await subscribe(robot, named('daily', 2)));
    for (const who of [maker, robot]) {
      expect(refused(await subscribe(who, named('daily', 3))).msg).toBe(
        'You cannot make more than 200 channels on a day (UTC).',
      );
    }
    // Refused requests do not count, and the next day starts at zero.
    await sql`UPDATE daily_allowances SET day = day - 1 WHERE user_id = ${maker.id}`.execute(db);
    ok(await subscribe(maker, named('daily', 3)));
    const { rows } = await sql<{ spent: number }>`
      SELECT spent FROM daily_allowances WHERE user_id = ${maker.id} AND kind = 'channels'`.execute(
      db,
    );
    expect(rows).toEqual([{ spent: 1 }]);
  });

  it('subscribes others a limited number of times, and themselves without limit', async () => {
    const maker = await world.person();
    const friend = await world.person();
    await sql`
      INSERT INTO daily_allowances (user_id, kind, day, spent)
      VALUES (${maker.id}, 'places', (now() AT TIME ZONE 'UTC')::date, 99999)`.execute(
      world.server.ctx.db,
    );
    ok(await subscribe(maker, named('given', 3)));
    ok(await subscribe(maker, named('given', 1), [maker.id, friend.id]));
    expect(refused(await subscribe(maker, [{ name: 'given 1' }], [friend.id])).msg).toBe(
      'You cannot put others into channels and groups more than 100000 times on a day (UTC).',
    );
    const body = ok(await friend.client.get('/users/me/subscriptions'));
    const names = (body['subscriptions'] as { name: string }[]).map(({ name }) => name);
    expect(names).toEqual(['given 0']);
  });
});
