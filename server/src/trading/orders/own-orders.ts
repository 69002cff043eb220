// An account's own orders, page by page: live ones, and those that have ended, of which only the days are looked at on
// which the account placed some.
import type { Order as EngineOrder } from '@rialto/matching';
import type { PageQuery } from '../pages.ts';
import { walkDays, type History } from '../projections/access.ts';
import { listOrdersWithin, type OrderFilter } from './store.ts';

/** By time of creation; one more than the page holds. */
export async function listOrders(
  history: History,
  accountId: bigint,
  filter: OrderFilter,
  page: PageQuery,
): Promise<EngineOrder[]> {
  const { db } = history;
  const { sort, after } = page;
  const limit = page.limit + 1;
  // Live ones first: an order that ends meanwhile is then read twice, and never missed.
  const live = await listOrdersWithin(db, accountId, filter, { ...page, limit, tables: 'live' });
  let { from: fromMs = 0n, to: toMs } = page;
  const narrow = (ms: bigint, isLower: boolean): void => {
    if (isLower && ms > fromMs) fromMs = ms;
    if (!isLower && (toMs === undefined || ms < toMs)) toMs = ms + 1n;
  };
  if (after !== undefined) narrow(after.ms, sort === 'asc');
  // A page that live ones fill needs none beyond the last of them.
  const last = live[limit - 1];
  if (last !== undefined) narrow(BigInt(last.createdAt), sort === 'desc');
  const of = { placedBy: accountId };
  const ended = await walkDays(history, of, { sort, limit, fromMs, toMs }, (stretch, count) =>
    listOrdersWithin(db, accountId, filter, {
      sort,
      after,
      from: stretch.fromMs,
      to: stretch.toMs,
      limit: count,
      tables: 'ended',
      archived: stretch.archived,
    }),
  );
  const all = new Map([...live, ...ended].map((order) => [order.orderId, order]));
  const sign = sort === 'asc' ? 1 : -1;
  return [...all.values()]
    .sort((a, b) => sign * (a.createdAt - b.createdAt || a.orderId - b.orderId))
    .slice(0, limit);
}
