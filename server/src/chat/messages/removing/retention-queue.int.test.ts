// The queue of retention against a slow twin that looks at every message, and what a run costs when nothing is due.
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { DAY_MS, HOUR_MS } from '../../../platform/std/time.ts';
import { ok, send, sendDirect, useMessageWorld } from '../../../testing/chat/world.ts';
import { statementsOf } from '../../../testing/statements.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { applyRetention } from './retention.ts';

let nowMs = Date.now();
const world = useMessageWorld({ clock: { now: () => nowMs } });

const run = () => applyRetention(world.server.ctx);

async function idsThat(isKept: (sentMs: number, days: number | null) => boolean) {
  const { rows } = await sql<{ id: bigint; sentAt: Date; days: number | null }>`
    SELECT m.id, m.sent_at, c.message_retention_days AS days
      FROM messages m LEFT JOIN channels c ON c.conversation_id = m.conversation_id
     ORDER BY m.id`.execute(world.server.ctx.db);
  return rows.flatMap(({ id, sentAt, days }) =>
    isKept(sentAt.getTime(), days) ? [Number(id)] : [],
  );
}

/** What should be left: every message is looked at. */
async function listKept(): Promise<number[]> {
  const settings = await readOrganizationSettings(world.server.ctx.db);
  const ofOrganization = Number(settings['message_retention_days']);
  return idsThat((sentMs, ofChannel) => {
    const days = ofChannel ?? ofOrganization;
    return days <= 0 || sentMs >= nowMs - days * DAY_MS;
  });
}

const listAll = () => idsThat(() => true);

const place = fc.nat({ max: 3 });
const rule = fc.constantFrom<number | 'unlimited'>('unlimited', 1, 2, 5);
const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('send' as const), to: place }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), days: fc.nat(3) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('run' as const) }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('move' as const), nth: fc.nat(), to: fc.nat(2) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), nth: fc.nat() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('channel' as const),
      which: fc.nat(2),
      days: fc.oneof(rule, fc.constant('realm_default' as const)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('organization' as const), days: rule }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function take(one: Step, channels: readonly number[]): Promise<void> {
  const { owner, bob } = world;
  const inChannels = async () => {
    const { rows } = await sql<{ id: bigint }>`
      SELECT m.id FROM messages m JOIN channels c ON c.conversation_id = m.conversation_id
       WHERE c.id = ANY (${[...channels]}::int[]) ORDER BY m.id`.execute(world.server.ctx.db);
    return rows.map(({ id }) => Number(id));
  };
  switch (one.do) {
    case 'send': {
      const channelId = channels[one.to];
      if (channelId === undefined) await sendDirect(owner, [bob], 'x');
      else await send(owner, channelId, 'topic', 'x');
      break;
    }
    case 'wait':
      nowMs += one.days * DAY_MS + 1;
      break;
    case 'move': {
      const ids = await inChannels();
      const id = ids[one.nth % ids.length];
      // A message that is there already is refused, and stays.
      if (id !== undefined) {
        await owner.client.patch(`/messages/${id}`, {
          stream_id: channels[one.to],
          propagate_mode: 'change_one',
          send_notification_to_new_thread: false,
          send_notification_to_old_thread: false,
        });
      }
      break;
    }
    case 'delete': {
      const ids = await inChannels();
      const id = ids[one.nth % ids.length];
      if (id !== undefined) ok(await owner.client.delete(`/messages/${id}`));
      break;
    }
    case 'channel':
      ok(
        await owner.client.patch(`/streams/${channels[one.which]}`, {
          message_retention_days: one.days,
        }),
      );
      break;
    case 'organization':
      ok(await owner.client.patch('/realm', { message_retention_days: one.days }));
      break;
    case 'run': {
      const kept = await listKept();
      await run();
      expect(await listAll()).toEqual(kept);
      break;
    }
  }
}

it('whatever is sent, moved, deleted and set, a run leaves what a look at every message would leave', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      const channels: number[] = [];
      for (let n = 0; n < 3; n += 1) {
        count += 1;
        // Messages get old in the first, and the others are looked at often.
        const days = { message_retention_days: n === 0 ? 'unlimited' : n };
        channels.push(await world.channel(`kept ${count}`, [world.owner], days));
      }
      for (const one of [...steps, { do: 'run' as const }]) await take(one, channels);
    }),
    { numRuns: 12 },
  );
});

it('an old message that comes from another channel goes with the next run', async () => {
  const { owner } = world;
  const from = await world.channel('for ever', [owner], { message_retention_days: 'unlimited' });
  const to = await world.channel('short', [owner], { message_retention_days: 3 });
  const old = await send(owner, from, 'topic', 'old');
  nowMs += 5 * DAY_MS;
  // Now the queue knows that the other channel has nothing to look at for three days.
  await run();
  const move = { stream_id: to, send_notification_to_old_thread: false };
  ok(await owner.client.patch(`/messages/${old}`, { ...move, propagate_mode: 'change_all' }));
  expect(await listAll()).toContain(old);
  await run();
  expect(await listAll()).not.toContain(old);
});

it('a message from a clock that is half an hour behind goes when its time is over, the first and the next', async () => {
  const { owner } = world;
  const id = await world.channel('behind', [owner], { message_retention_days: 1 });
  nowMs = Date.now() - HOUR_MS / 2;
  const first = await send(owner, id, 'topic', 'first');
  nowMs += DAY_MS + 1;
  await run();
  expect(await listAll()).not.toContain(first);
  // The run above found the channel empty, by the clock of its own process.
  nowMs -= HOUR_MS / 2;
  const next = await send(owner, id, 'topic', 'next');
  nowMs += DAY_MS + 1;
  await run();
  expect(await listAll()).not.toContain(next);
});

it('a rule that was changed after the conversation was found is the one that counts', async () => {
  const { owner, server } = world;
  const id = await world.channel('changed', [owner], { message_retention_days: 1 });
  const message = await send(owner, id, 'topic', 'x');
  nowMs += 2 * DAY_MS;
  const { ctx } = server;
  let isChanged = false;
  const changing = {
    ...ctx,
    inTransaction: (async (work) => {
      if (!isChanged) {
        isChanged = true;
        const forEver = { message_retention_days: 'unlimited' };
        ok(await owner.client.patch(`/streams/${id}`, forEver));
      }
      return ctx.inTransaction(work);
    }) as typeof ctx.inTransaction,
  };
  await applyRetention(changing);
  expect(isChanged).toBe(true);
  expect(await listAll()).toContain(message);
});

it('a run in which nothing is due asks twice and reads a few pages, with 10,000 channels', async () => {
  const { owner, server } = world;
  const { pool } = server.ctx.database;
  ok(await owner.client.patch('/realm', { message_retention_days: 30 }));
  for (let from = 1; from <= 10_000; from += 1000) {
    await pool.query(
      `INSERT INTO channels (name, message_retention_days)
       SELECT 'many ' || n, CASE n % 3 WHEN 0 THEN 90 WHEN 1 THEN -1 END
         FROM generate_series($1::int, $1::int + 999) AS n`,
      [from],
    );
  }
  nowMs = Date.now();
  while ((await run()) > 0);
  await run();
  let texts: string[] = [];
  const countAsked = async () => {
    texts = await statementsOf([pool], run);
    return texts.filter((text) => !text.includes('organization')).length;
  };
  // The server around the run asks now and then for something of its own.
  await expect.poll(countAsked, { timeout: 10_000 }).toBe(1);
  expect(texts.length).toBeLessThanOrEqual(2);
  const statement = texts.find((text) => text.includes('retention_queue')) ?? '';
  // The run has written to the queue. What it wrote over can be taken away when no older snapshot is left.
  const pagesOfTidy = async () => {
    await server.owner.query('VACUUM ANALYZE retention_queue');
    return pagesOf(statement);
  };
  await expect.poll(pagesOfTidy, { timeout: 30_000 }).toBeLessThan(20);
});

/** How many pages the statement touches. Its parameters are in the order of retention-store.ts. */
async function pagesOf(text: string): Promise<number> {
  const { rows } = await world.server.ctx.database.pool.query<{ 'QUERY PLAN': [PlanOfAll] }>(
    `EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`,
    [nowMs - 30 * DAY_MS, nowMs - 30 * DAY_MS, 1000, nowMs, nowMs, 1000, 1000],
  );
  const plan = rows[0]?.['QUERY PLAN'][0].Plan;
  return (plan?.['Shared Hit Blocks'] ?? Infinity) + (plan?.['Shared Read Blocks'] ?? 0);
}

interface PlanOfAll {
  readonly Plan: { readonly 'Shared Hit Blocks': number; readonly 'Shared Read Blocks': number };
}
