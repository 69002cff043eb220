// A queue that is far behind finds its events by an index: the same ones as by looking at every row, and few pages.
import fc from 'fast-check';
import type pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import type { Audience } from '../events/event.ts';
import { listConcerning, readEventsFor, type Concern } from './store.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test.close());

const AHEAD = 45_000;
const PARTS = 12;

/** Writes rows as the relay would, at the next positions. Returns the position before the first. */
async function write(
  rows: readonly { type: string; audience: object; rightsOf: readonly number[] }[],
): Promise<number> {
  const { rows: found } = await test.owner.query<{ after: string }>(
    `WITH moved AS (UPDATE event_head SET position = position + $2 RETURNING position - $2 AS after),
          written AS (
            INSERT INTO event_log (position, xid, type, payload, audience, rights_of, at)
            SELECT moved.after + r.n, pg_current_xact_id(), r.row ->> 'type', '{}', r.row -> 'audience',
                   translate(r.row ->> 'rightsOf', '[]', '{}')::int[], now()
              FROM moved, jsonb_array_elements($1::jsonb) WITH ORDINALITY AS r (row, n))
     SELECT after FROM moved`,
    [JSON.stringify(rows), rows.length],
  );
  return Number(found[0]?.after);
}

const person = fc.integer({ min: 1, max: 5 });
const people = fc.uniqueArray(person, { maxLength: 3 });
const audience: fc.Arbitrary<Audience> = fc.oneof(
  people.map((users) => ({ users })),
  // More than the index names one by one.
  fc.constant({ users: Array.from({ length: 1200 }, (_, n) => n + 3) }),
  fc.constant({ everyone: true as const }),
  fc.constant({ everyone: true as const, butGuests: true as const }),
  fc.record(
    {
      channel: person,
      who: fc.constantFrom<'subscribers' | 'aware' | 'gained' | 'lost'>(
        ...(['subscribers', 'subscribers', 'subscribers', 'aware', 'gained', 'lost'] as const),
      ),
      isMessage: fc.constant(true as const),
      also: people,
      called: people,
      except: people,
    },
    { requiredKeys: ['channel', 'who'] },
  ),
);
const row = fc.record({
  type: fc.constantFrom('message', 'update', 'trading_batch'),
  audience: fc.oneof(
    { weight: 9, arbitrary: audience },
    { weight: 1, arbitrary: fc.constant({ trading: 0 }) },
  ),
  rightsOf: fc.oneof(
    fc.constant<number[]>([]),
    fc.uniqueArray(fc.nat(5), { maxLength: 2 }),
    fc.constant(Array.from({ length: 1200 }, (_, n) => n + 4)),
  ),
});

it('the index finds the events that a look at every row finds', async () => {
  const { pool } = test.ctx.database;
  await fc.assert(
    fc.asyncProperty(
      fc.array(row, { minLength: 30, maxLength: 60 }),
      person,
      people,
      fc.boolean(),
      async (rows, userId, channelIds, withBatches) => {
        const after = await write(rows);
        const through = after + rows.length;
        const concern: Concern = { userId, channelIds, isWide: false, withBatches };
        const slow = await readEventsFor(pool, concern, after, through, 1000);
        const among = await listConcerning(pool, concern, after, through, 1000);
        const fast = await readEventsFor(pool, concern, after, through, 1000, among);
        expect(fast).toEqual(slow);
        // Page by page it is the same.
        const paged: number[] = [];
        for (let cursor = after, isAll = false; !isAll;) {
          const page = await readEventsFor(pool, concern, cursor, through, 7, among);
          paged.push(...page.events.map(({ position }) => position));
          cursor = paged.at(-1) ?? cursor;
          ({ isAll } = page);
        }
        expect(paged).toEqual(slow.events.map(({ position }) => position));
        const own = among?.length ?? 0;
        expect(await listConcerning(pool, concern, after, through, own)).toEqual(among);
        if (own > 0) {
          expect(await listConcerning(pool, concern, after, through, own - 1)).toBeUndefined();
        }
      },
    ),
    { numRuns: 60 },
  );
});

it('a queue far behind in a log of others’ events reads few pages', async () => {
  const { pool } = test.ctx.database;
  const others = Array.from({ length: 3000 }, (_, n) => ({
    type: 'message',
    audience: n % 3 === 0 ? { users: [1000 + n] } : { channel: 50 + (n % 40), who: 'subscribers' },
    rightsOf: [],
  }));
  const own = [{ type: 'message', audience: { channel: 7, who: 'subscribers' }, rightsOf: [] }];
  const after = await write(own);
  let through = after + 1;
  for (; through < after + AHEAD; through += others.length) await write(others);
  await write(own);
  await test.owner.query('VACUUM ANALYZE event_log');
  const plans: string[] = [];
  const explaining = explain(plans);
  const concern = { userId: 3, channelIds: [7, 8], isWide: false, withBatches: false };
  await listConcerning(explaining, concern, after, through + 1, 1000);
  const among = await listConcerning(pool, concern, after, through + 1, 1000);
  expect(among).toEqual([after + 1, through + 1]);
  await readEventsFor(explaining, concern, after, through + 1, 1000, among);
  expect(plans[0]).toContain('concerns');
  for (const plan of plans) expect(pagesOf(plan), plan).toBeLessThan(100);
});

it('planning the read of thousands of events costs about what planning for one costs', async () => {
  const { pool } = test.ctx.database;
  const own = Array.from({ length: 400 }, () => ({
    type: 'message',
    audience: { users: [3] },
    rightsOf: [],
  }));
  const after = await write([]);
  for (let part = 0; part < PARTS; part += 1) {
    await write(own);
    await test.owner.query('UPDATE event_head SET position = position + 100000');
    await test.owner.query('SELECT ensure_event_partitions(100000)');
  }
  const through = (await write(own)) + own.length;
  await test.owner.query('VACUUM ANALYZE event_log');
  const concern = { userId: 3, channelIds: [], isWide: false, withBatches: false };
  const all = (await listConcerning(pool, concern, after, through, 10_000)) ?? [];
  expect(all).toHaveLength((PARTS + 1) * own.length);
  const planningMs = async (among: readonly number[]) => {
    const plans: string[] = [];
    for (let run = 0; run < 5; run += 1) {
      await readEventsFor(explain(plans), concern, after, through, 10_000, among);
    }
    return Math.min(...plans.map((plan) => Number(/Planning Time: ([\d.]+)/.exec(plan)?.[1])));
  };
  // As a list in a condition they were weighed for each part, which took nearly 90 times as long; it takes 3 to 4 times now.
  expect(await planningMs(all)).toBeLessThan(20 * (await planningMs(all.slice(0, 1))));
});

/** Answers nothing, and keeps how PostgreSQL would. */
const explain = (plans: string[]): Pick<pg.Pool, 'query'> =>
  ({
    async query({ text, values }: { text: string; values: unknown[] }) {
      const { rows } = await test.ctx.database.pool.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY) ${text}`,
        values,
      );
      plans.push(rows.map((line) => line['QUERY PLAN']).join('\n'));
      return { rows: [] };
    },
  }) as unknown as Pick<pg.Pool, 'query'>;

const pagesOf = (plan: string): number => Number(/shared hit=(\d+)/.exec(plan)?.[1] ?? Infinity);
