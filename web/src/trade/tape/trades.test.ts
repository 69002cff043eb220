import type { PublicTrade } from '@rialto/sdk';
import { expect, it } from 'vitest';
import { mergeTrades } from './trades.ts';

const trade = (id: number) => ({ tradeId: String(id) }) as unknown as PublicTrade;
const ids = (trades: readonly PublicTrade[]) => trades.map(({ tradeId }) => tradeId);

it('the newest is first, and each is there once', () => {
  const first = mergeTrades([], [trade(9), trade(10)]);
  expect(ids(mergeTrades(first, [trade(10), trade(11)]))).toEqual(['11', '10', '9']);
});

it('is bounded', () => {
  const many = Array.from({ length: 250 }, (_value, at) => trade(at));
  expect(ids(mergeTrades([], many)).slice(0, 2)).toEqual(['249', '248']);
  expect(mergeTrades([], many)).toHaveLength(100);
});
