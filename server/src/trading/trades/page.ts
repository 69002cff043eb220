// A page of a market's trades: the newer part from memory, and what of the older part is needed. Pure.
import type { MarketMemory, RecentTrade } from '../replica/fold.ts';
import type { TapeQuery } from './tape.ts';

export interface PagePlan {
  /** In the order of the page. */
  readonly newer: readonly RecentTrade[];
  /** What is missing at the older end of the page; undefined if memory has all of it. */
  readonly older: OlderPart | undefined;
}

export interface OlderPart {
  readonly query: TapeQuery;
  /** The tables need to have this engine event; otherwise trades would be missing between both parts. */
  readonly engineSeq: number;
}

export function planPage(
  { trades, olderTrades }: Pick<MarketMemory, 'trades' | 'olderTrades'>,
  query: TapeQuery,
): PagePlan {
  const { sort, limit, fromId, from, to } = query;
  const fits = ({ tradeId, timeMs }: RecentTrade) =>
    (fromId === undefined || tradeId >= fromId) &&
    (from === undefined || timeMs >= from) &&
    (to === undefined || timeMs < to);
  const isWhole = fromId === undefined && from === undefined && to === undefined;
  const own = isWhole ? trades : trades.filter(fits);
  const newer = sort === 'asc' ? own.slice(0, limit) : own.slice(-limit).reverse();
  // Nothing older than memory was asked for.
  const isAfter =
    olderTrades === undefined ||
    (fromId !== undefined && fromId > olderTrades.tradeId) ||
    (from !== undefined && from > olderTrades.timeMs);
  if (isAfter || (sort === 'desc' && newer.length === limit)) return { newer, older: undefined };
  const { tradeId: throughId, timeMs, engineSeq } = olderTrades;
  const missing = sort === 'asc' ? limit : limit - newer.length;
  // The time says on which days to look; trades of the same millisecond may be in memory.
  const past = Math.min(to ?? Infinity, Number(timeMs) + 1);
  return { newer, older: { query: { ...query, limit: missing, throughId, to: past }, engineSeq } };
}
