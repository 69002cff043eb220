import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../testing/random.ts';
import type { RecentTrade } from '../replica/fold.ts';
import { planPage } from './page.ts';
import type { TapeQuery } from './tape.ts';

/** Trades of one market: some share their millisecond, and ids have gaps, because other markets trade too. */
function makeTrades(random: Random, count: number): RecentTrade[] {
  let id = 0;
  let time = 1000;
  return Array.from({ length: count }, () => {
    id += 1 + random.below(3);
    time += random.below(3);
    const amounts = { price: 1n, volume: 1n, total: 1n, takerSide: 'buy' } as const;
    const tradeId = BigInt(id);
    return { symbol: 'aaabbb', tradeId, ...amounts, timeMs: BigInt(time), engineSeq: id };
  });
}

/** The slow twin, and also what the tables answer. */
function select(trades: readonly RecentTrade[], query: TapeQuery): RecentTrade[] {
  const { sort, limit, fromId = 0n, throughId, from = 0, to = Infinity } = query;
  const fitting = trades.filter(
    ({ tradeId, timeMs }) =>
      tradeId >= fromId &&
      (throughId === undefined || tradeId <= throughId) &&
      Number(timeMs) >= from &&
      Number(timeMs) < to,
  );
  return (sort === 'asc' ? fitting : fitting.reverse()).slice(0, limit);
}

function makeQuery(random: Random, trades: readonly RecentTrade[]): TapeQuery {
  const any = () => random.pick(trades);
  const fromId = random.below(3) === 0 ? any().tradeId + BigInt(random.below(2)) : undefined;
  const from = random.below(3) === 0 ? Number(any().timeMs) + random.below(2) : undefined;
  const to = random.below(3) === 0 ? Number(any().timeMs) + random.below(2) : undefined;
  const sort = fromId === undefined && from === undefined ? 'desc' : 'asc';
  return { symbol: 'aaabbb', limit: 1 + random.below(30), sort, fromId, from, to };
}

describe('a page of trades', () => {
  it.each([1, 2, 3, 4])('is the same, wherever memory begins (seed %i)', (seed) => {
    const random = createRandom(seed);
    const all = makeTrades(random, 60);
    let joined = 0;
    for (let count = 0; count < 3000; count += 1) {
      const begins = random.below(all.length + 1);
      const memory = { trades: all.slice(begins), olderTrades: all[begins - 1] };
      const query = makeQuery(random, all);
      const { newer, older } = planPage(memory, query);
      // The tables may have more than memory lacks, or exactly that.
      const projected = all.slice(0, begins + random.below(all.length - begins + 1));
      const found = older === undefined ? [] : select(projected, older.query);
      const page = query.sort === 'asc' ? [...found, ...newer] : [...newer, ...found];
      expect(
        page
          .slice(0, query.limit)
          .map(({ tradeId }) => tradeId)
          .join(),
      ).toBe(
        select(all, query)
          .map(({ tradeId }) => tradeId)
          .join(),
      );
      if (older !== undefined && newer.length > 0) joined += 1;
      if (older !== undefined) expect(older.engineSeq).toBe(all[begins - 1]?.engineSeq);
    }
    expect(joined).toBeGreaterThan(100);
  });

  it('of what memory has asks nothing of the tables', () => {
    const all = makeTrades(createRandom(9), 60);
    const memory = { trades: all.slice(30), olderTrades: all[29] };
    const asked = { symbol: 'aaabbb', limit: 30 } as const;
    const second = Number(all[30]?.tradeId);
    expect(planPage(memory, { ...asked, sort: 'desc' }).older).toBeUndefined();
    expect(
      planPage(memory, { ...asked, sort: 'asc', fromId: BigInt(second) }).older,
    ).toBeUndefined();
    expect(planPage(memory, { ...asked, sort: 'desc', limit: 31 }).older).toBeDefined();
  });

  it('of a market without trades is empty', () => {
    const memory = { trades: [], olderTrades: undefined };
    const page = planPage(memory, { symbol: 'aaabbb', limit: 10, sort: 'desc' });
    expect(page).toEqual({ newer: [], older: undefined });
  });
});
