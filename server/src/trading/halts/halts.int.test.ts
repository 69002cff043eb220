import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { examplePerson } from '../../testing/example.ts';
import { listOpenHalts } from './access.ts';
import { recordInvariantHalts, releaseHalts } from './actions.ts';
import type { NewHalt } from './halt.ts';

let test: TestContext;
let people: number[];
beforeAll(async () => {
  test = await createTestContext();
  const two = [await examplePerson(test.ctx, { role: ROLE.owner }), await examplePerson(test.ctx)];
  people = two.map(({ id }) => id);
});
afterAll(() => test.close());

const halt = (changes: Partial<NewHalt> = {}): NewHalt => ({
  symbol: 'btcusdt',
  rule: 'the sum is zero',
  subject: 'btc',
  foundBy: 'auditor',
  ...changes,
});
const record = (one: NewHalt) => recordInvariantHalts(test.ctx.db, [one]);
const release = (symbol: string, [releasedById = 0, approvedById = 0] = people) =>
  test.ctx.inTransaction((tx) =>
    releaseHalts(tx, { symbol, releasedById, approvedById, reason: 'looked into', at: new Date() }),
  );

it('a repeated violation is one halt, and stays in force', async () => {
  expect(await record(halt())).toHaveLength(1);
  expect(await record(halt())).toHaveLength(1);
  expect(await record(halt({ subject: 'usdt' }))).toHaveLength(1);
  const open = await listOpenHalts(test.ctx.db, 'btcusdt');
  expect(open.map(({ subject, foundBy }) => [subject, foundBy])).toEqual([
    ['btc', 'auditor'],
    ['usdt', 'auditor'],
  ]);
  expect(await listOpenHalts(test.ctx.db, 'ethusdt')).toEqual([]);
});

it('one person cannot release it, not even as two', async () => {
  const [one = 0] = people;
  await expect(release('btcusdt', [one, one])).rejects.toThrow('invariant_halts_two_people');
  expect(await listOpenHalts(test.ctx.db)).toHaveLength(2);
});

it('a halt released by two people does not recur for a day, and never for a past event', async () => {
  const event = halt({ rule: 'no evidence', subject: 'deposit:X:1', isEvent: true });
  expect(await record(event)).toHaveLength(1);
  expect(await release('btcusdt')).toBe(3);
  expect(await listOpenHalts(test.ctx.db)).toEqual([]);
  expect(await record(halt())).toEqual([]);
  expect(await record(event)).toEqual([]);
  await test.ctx.database.pool.query(
    "UPDATE invariant_halts SET released_at = released_at - interval '25 hours'",
  );
  expect(await record(halt())).toHaveLength(1);
  expect(await record(event)).toEqual([]);
});
