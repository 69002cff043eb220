// An account's own trades, page by page. Only the days that have some are looked at.
import type { PageQuery } from '../pages.ts';
import { findStart, walkDays, type History } from '../projections/access.ts';
import type { Stretch } from '../trade-tables.ts';
import { nameOrders } from './find.ts';
import { listTradesWithin, type TradeFilter } from './store.ts';
import type { SideOfTrade } from './trade.ts';

/** The account's trades by time, one more than the page holds. */
export async function listTrades(
  history: History,
  accountId: bigint,
  filter: TradeFilter,
  page: PageQuery,
): Promise<SideOfTrade[]> {
  const { db } = history;
  const { symbol, fromId } = filter;
  const { sort, after } = page;
  const of = { accountId, symbol };
  const read = (asked: TradeFilter, stretch: Stretch, limit: number) =>
    listTradesWithin(db, accountId, asked, { sort, after, limit, ...stretch });
  let { from: fromMs, to: toMs } = page;
  if (after !== undefined && sort === 'asc' && after.ms > (fromMs ?? 0n)) fromMs = after.ms;
  if (after !== undefined && sort === 'desc' && (toMs === undefined || after.ms < toMs)) {
    toMs = after.ms + 1n;
  }
  if (fromId !== undefined) {
    fromMs = await findStart(history, of, fromId, { fromMs, toMs }, async (day) => {
      const [first] = await listTradesWithin(db, accountId, { symbol }, { ...day, ...FIRST });
      return first?.tradeId;
    });
  }
  const limit = page.limit + 1;
  const trades = await walkDays(history, of, { sort, limit, fromMs, toMs }, (...wanted) =>
    read(filter, ...wanted),
  );
  return nameOrders(history, accountId, trades);
}

const FIRST = { sort: 'asc', limit: 1, after: undefined } as const;
