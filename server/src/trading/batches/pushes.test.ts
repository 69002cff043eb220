import type { Step } from '@rialto/matching';
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../testing/random.ts';
import { decodeCommand } from '../engine/command.ts';
import { Machine } from '../engine/machine.ts';
import { getBusiestGolden, goldenConfig, readGoldenRows } from '../../testing/trading/golden.ts';
import { StreamCounts } from '../projections/stream-counts.ts';
import { Batch } from './batch.ts';
import { listPushes, tallyPart, type RowPart } from './pushes.ts';

/** The rows of a recorded journal, each as one batch. */
function* readRows(): Generator<Batch> {
  const journal = getBusiestGolden();
  const machine = Machine.empty(goldenConfig(journal));
  for (const { commands } of readGoldenRows(journal)) {
    const draft = machine.begin();
    for (const line of commands.split('\n')) {
      const space = line.indexOf(' ');
      const text = line.slice(space + 1);
      const command = decodeCommand(text, Number(line.slice(0, space)));
      machine.apply(draft, command, text, { always: true });
    }
    for (const payload of machine.seal(draft).events) yield new Batch({ position: 1, payload });
  }
}

/** Everybody whom the steps concern. */
function accountsOf(steps: readonly Step[]): Set<number> {
  const owners = steps.flatMap(({ journals }) =>
    journals.flatMap(({ postings }) => postings.map(({ owner }) => owner)),
  );
  return new Set([
    ...owners.filter((owner) => typeof owner === 'number'),
    ...steps.flatMap(({ orders }) => orders.map(({ account }) => account)),
  ]);
}

/** Slow and obvious. */
function countOf(steps: readonly Step[], account: number): number {
  let count = 0;
  for (const { orders, trades } of steps) {
    const own = orders.filter((order) => order.account === account);
    count += new Set(own.map(({ orderId }) => orderId)).size;
    for (const { buyer, seller } of trades) {
      if (buyer.account === account) count += 1;
      if (seller.account === account) count += 1;
    }
  }
  const isPosted = steps.some(({ journals }) =>
    journals.some(({ postings }) => postings.some(({ owner }) => owner === account)),
  );
  return count + (isPosted ? 1 : 0);
}

describe('the pushes of a row', () => {
  it('are as many as are counted, however the row is cut into parts', () => {
    const random = createRandom(69);
    let pushed = 0;
    for (const { steps, engineSeq, balances, pairs } of readRows()) {
      const parts: RowPart[] = [];
      for (let at = 0; at < steps.length;) {
        const until = at + 1 + random.below(steps.length);
        parts.push({ steps: steps.slice(at, until), engineSeq, balances, pairs });
        at = until;
      }
      for (const account of accountsOf(steps)) {
        const own = parts.filter((part) => tallyPart(part.steps).has(account));
        const pushes = listPushes(own, account);
        pushed += pushes.length;
        expect(pushes).toHaveLength(countOf(steps, account));
        expect(pushes).toEqual(listPushes(parts, account));
        const seqs = pushes.map((push) => push.engineSeq);
        expect(seqs).toEqual(seqs.toSorted((a, b) => a - b));
      }
    }
    expect(pushed).toBeGreaterThan(2000);
  });

  it('tell of a fill with its trade, and of balances last, with those of the account only', () => {
    let fills = 0;
    for (const row of readRows()) {
      for (const account of accountsOf(row.steps)) {
        const pushes = listPushes([row], account);
        for (const [index, push] of pushes.entries()) {
          if (push.channel === 'orders') {
            expect(push.order.account).toBe(account);
            if (push.fill === undefined) continue;
            fills += 1;
            expect(push.fill.own.orderId).toBe(push.order.orderId);
          }
          if (push.channel === 'my_trades') expect(push.own.own.account).toBe(account);
          if (push.channel !== 'balances') continue;
          expect(index).toBe(pushes.length - 1);
          expect(push.balances.length).toBeGreaterThan(0);
          for (const balance of push.balances) expect(balance.account).toBe(account);
        }
      }
    }
    expect(fills).toBeGreaterThan(50);
  });

  it('of a batch that an earlier release wrote are as many, and say nothing of balances', () => {
    const [first] = readRows();
    const old = {
      steps: first?.steps ?? [],
      engineSeq: 1,
      balances: [],
      pairs: first?.pairs ?? new Map(),
    };
    for (const account of accountsOf(old.steps)) {
      expect(listPushes([old], account)).toHaveLength(countOf(old.steps, account));
    }
  });
});

it('rows are counted once in whole, and written for each account that has pushes', async () => {
  const statements: unknown[][] = [];
  const db = { query: async (query: { values: unknown[] }) => void statements.push(query.values) };
  const counts = new StreamCounts();
  const expected = new Map<number, number>();
  let position = 0;
  for (const { steps } of readRows()) {
    const middle = Math.floor(steps.length / 2);
    const of = (part: readonly Step[]) =>
      [{ result: { kind: 'ticked' }, steps: [...part] }] as never;
    counts.addPart(of(steps.slice(0, middle)), (position += 1), false);
    counts.addPart(of(steps.slice(middle)), (position += 1), true);
    for (const account of accountsOf(steps)) {
      expected.set(account, (expected.get(account) ?? 0) + countOf(steps, account));
    }
  }
  await counts.write(db as never, { pages: false });
  const [accounts, totals] = (statements[0] ?? []).map((text) =>
    String(text).slice(1, -1).split(','),
  );
  const written = new Map(
    accounts?.map((account, index) => [Number(account), Number(totals?.[index])]),
  );
  expect(written).toEqual(new Map([...expected].filter(([, count]) => count > 0)));
});
