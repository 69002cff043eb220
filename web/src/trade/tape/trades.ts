// The last trades of a market, the newest first. Pure.
import type { PublicTrade } from '@rialto/sdk';

const KEPT = 100;

/** Each trade once, however often it came. */
export function mergeTrades(
  known: readonly PublicTrade[],
  more: readonly PublicTrade[],
): readonly PublicTrade[] {
  const byId = new Map([...known, ...more].map((trade) => [trade.tradeId, trade]));
  return [...byId.values()]
    .sort((a, b) => (BigInt(a.tradeId) < BigInt(b.tradeId) ? 1 : -1))
    .slice(0, KEPT);
}
