// Finds the account's orders and trades. The engine is asked for what it remembers, because only it
// knows the present; the rest is in the projection.
import {
  LIMITS,
  REJECTION_CODES,
  type Order as EngineOrder,
  type Rejection,
} from '@rialto/matching';
import type { Refusal } from '../../platform/http/refusal.ts';
import { gather } from '../../platform/std/gather.ts';
import type { TradingContext } from '../context.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import type { Answer } from '../http/envelope.ts';
import { refuse } from '../http/errors.ts';
import { fromRejection } from '../http/rejections.ts';
import { parsePage, toPage, type PageOf, type PageParams, type PageQuery } from '../pages.ts';
import {
  answerHistory,
  awaitProjection,
  type AwaitOptions,
  type History,
} from '../projections/access.ts';
import {
  findClientOrders,
  listOrdersByName,
  recallFromFiles,
  type Recalled,
  type RecalledFromTables,
} from './find.ts';
import type { OrderName } from './name.ts';
import { orderPrinter, toOrder, type Order } from './order.ts';
import { listOrders } from './own-orders.ts';
import { listTrades } from './own-trades.ts';
import { findPair, getPair, listPairs } from './pairs.ts';
import type { OrderFilter, TradeFilter, UsedIds } from './store.ts';
import { toMyTrade, type MyTrade, type SideOfTrade } from './trade.ts';

export { findOrderOfAnybody } from './find.ts';

/** How a caller names an order: by exactly one of its two ids. */
export interface NamedOrder {
  readonly orderId?: string;
  readonly clientOrderId?: string;
}

export function parseOrderName({ orderId, clientOrderId }: NamedOrder): OrderName {
  if (orderId !== undefined && clientOrderId !== undefined) {
    throw refuse('PARAMETER_CONFLICT', 'Name the order by orderId or by clientOrderId, not both.', {
      parameter: 'clientOrderId',
    });
  }
  if (orderId !== undefined) return { orderId: BigInt(orderId) };
  if (clientOrderId !== undefined) return { clientOrderId };
  throw refuse('PARAMETER_MISSING', 'Name the order by orderId or by clientOrderId.', {
    parameter: 'orderId',
  });
}

/** The names of a batch: first the venue's ids, then the caller's. */
export function parseOrderNames({
  orderIds = [],
  clientOrderIds = [],
}: {
  orderIds?: readonly string[];
  clientOrderIds?: readonly string[];
}): OrderName[] {
  const names: OrderName[] = [
    ...orderIds.map((orderId) => ({ orderId: BigInt(orderId) })),
    ...clientOrderIds.map((clientOrderId) => ({ clientOrderId })),
  ];
  if (names.length === 0) {
    throw refuse('PARAMETER_MISSING', 'Name the orders by orderIds or clientOrderIds, or both.', {
      parameter: 'orderIds',
    });
  }
  if (names.length <= LIMITS.batchCancelMax) return names;
  throw refuse('PARAMETER_RANGE', `A batch names at most ${LIMITS.batchCancelMax} orders in all.`, {
    parameter: 'orderIds',
    minimum: '1',
    maximum: String(LIMITS.batchCancelMax),
  });
}

/** For the engine, whose ids are below 2^53; a larger number names no order. */
export const toRef = (name: OrderName): { orderId: number } | { clientOrderId: string } =>
  'orderId' in name
    ? { orderId: name.orderId > BigInt(Number.MAX_SAFE_INTEGER) ? 0 : Number(name.orderId) }
    : name;

export async function findOrder(
  ctx: TradingContext,
  accountId: bigint,
  name: OrderName,
): Promise<EngineOrder | undefined> {
  const account = Number(accountId);
  const remembered = await ctx.engine.read('order', { account, ...toRef(name) });
  if (remembered !== null) return remembered;
  return (await findForgotten(ctx, accountId, [name]))[0];
}

/** Where too little would be a wrong answer: a longer wait, and then a refusal. */
const CERTAIN = { patienceMs: 5000, orElse: 'refuse' } as const;

/**
 * Orders that the engine does not know, each at the position of its name: finished long ago, or
 * nonexistent.
 */
export async function findForgotten(
  ctx: TradingContext,
  accountId: bigint,
  names: readonly OrderName[],
): Promise<(EngineOrder | undefined)[]> {
  if (names.length === 0) return [];
  // Asked after the engine did not know them. The tables need not reach the present, but what the engine has forgotten.
  const { rememberedFrom: through } = await ctx.engine.read('head', {});
  await awaitProjection(ctx, { through, ...CERTAIN });
  return findProjected(ctx, accountId, names);
}

/** Orders that are not live, each at the position of its name; the engine may remember them, but was not asked. */
export async function findEnded(
  ctx: TradingContext,
  accountId: bigint,
  names: readonly OrderName[],
): Promise<(EngineOrder | undefined)[]> {
  if (names.length === 0) return [];
  await awaitProjection(ctx, CERTAIN);
  return findProjected(ctx, accountId, names);
}

async function findProjected(
  ctx: TradingContext,
  accountId: bigint,
  names: readonly OrderName[],
): Promise<(EngineOrder | undefined)[]> {
  const found = await listOrdersByName(ctx, accountId, names);
  return names.map((name) =>
    found.find((order) =>
      'orderId' in name
        ? BigInt(order.orderId) === name.orderId
        : order.clientOrderId === name.clientOrderId,
    ),
  );
}

export async function getOrder(
  ctx: TradingContext,
  accountId: bigint,
  name: OrderName,
): Promise<EngineOrder> {
  const order = await findOrder(ctx, accountId, name);
  if (order === undefined)
    throw fromRejection({ code: REJECTION_CODES.ORDER_NOT_FOUND, details: {} });
  return order;
}

/** All of the order's trades up to the state that `order` shows, oldest first. */
export async function listAllTradesOf(
  ctx: TradingContext,
  order: EngineOrder,
): Promise<SideOfTrade[]> {
  return (await listTradesOf(ctx, order, CERTAIN)).trades;
}

/**
 * The order's trades up to the state that `order` shows, oldest first. If the tables are late, the newest are missing:
 * they are complete to `completeTo`.
 */
export async function listTradesOf(
  ctx: TradingContext,
  order: EngineOrder,
  options: Pick<AwaitOptions, 'patienceMs' | 'orElse'> = {},
): Promise<{ readonly trades: SideOfTrade[]; readonly completeTo: number }> {
  const through = order.engineSeq;
  if (order.filledVolume === 0) return { trades: [], completeTo: through };
  const completeTo = await awaitProjection(ctx, { through, ...options });
  return { trades: await listProjectedTrades(ctx, order), completeTo };
}

/** Those that are already in the projection. */
export function listProjectedTrades(history: History, order: EngineOrder): Promise<SideOfTrade[]> {
  const filter = { orderId: BigInt(order.orderId), throughSeq: BigInt(order.engineSeq) };
  return listTrades(history, BigInt(order.account), filter, { ...ALL, ...tradedWithin(order) });
}

/** The times of an order say on which days its trades can be. */
const tradedWithin = ({ createdAt, lastTradeAt }: EngineOrder) => ({
  from: BigInt(createdAt),
  to: BigInt(lastTradeAt) + 1n,
});

/** An order walks through the book, and no book is that deep; yet every list has a limit. */
const TRADES_OF_ORDER_MAX = 10_000;
const ALL = { sort: 'asc' as const, limit: TRADES_OF_ORDER_MAX, after: undefined };

/** Bounds one statement; the rest waits for the next. */
const RECALLS_AT_ONCE = 500;
/** One per process, for all callers. */
const recalls = new WeakMap<object, (asked: UsedIds) => Promise<RecalledFromTables>>();

/** The earlier uses of the client ids in the projection, and how far the projection reaches. */
export async function recallClientOrders(ctx: TradingContext, asked: UsedIds): Promise<Recalled> {
  const { pool } = ctx.database;
  let recall = recalls.get(pool);
  if (recall === undefined) {
    recall = gather(RECALLS_AT_ONCE, (all: readonly UsedIds[]) => findClientOrders(ctx, all));
    recalls.set(pool, recall);
  }
  return recallFromFiles(ctx, asked, await recall(asked));
}

const OPEN_MAX = 1000;

export async function listOpenOrders(
  ctx: TradingContext,
  { account }: PrivateCaller,
  symbol: string | undefined,
): Promise<Order[]> {
  if (symbol !== undefined) await getPair(ctx, symbol);
  const orders = await ctx.engine.read('open', {
    account: Number(account.id),
    ...(symbol === undefined ? {} : { symbol }),
    limit: OPEN_MAX,
  });
  return printOrders(ctx, orders);
}

export async function printOrders(
  ctx: TradingContext,
  orders: readonly EngineOrder[],
): Promise<Order[]> {
  const pairs = await listPairs(ctx, new Set(orders.map(({ symbol }) => symbol)));
  return orders.map(orderPrinter(pairs));
}

export async function pageOrders(
  ctx: TradingContext,
  { account }: PrivateCaller,
  filter: OrderFilter,
  params: PageParams,
): Promise<Answer<PageOf<Order>>> {
  if (filter.symbol !== undefined) await getPair(ctx, filter.symbol);
  const name = { list: 'orders', accountId: account.id, filters: { ...filter } };
  const query = parsePage(ctx.secrets, name, params);
  const completeTo = await awaitProjection(ctx);
  const rows = await listOrders(ctx, account.id, filter, query);
  const pairs = await listPairs(ctx, new Set(rows.map(({ symbol }) => symbol)));
  const page = toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: BigInt(row.createdAt), id: BigInt(row.orderId) }),
    print: orderPrinter(pairs),
  });
  return answerHistory(page, completeTo);
}

export interface TradesAsked {
  readonly symbol?: string;
  readonly orderId?: string;
  readonly fromId?: string;
}

export async function pageTrades(
  ctx: TradingContext,
  { account }: PrivateCaller,
  asked: TradesAsked,
  params: PageParams,
): Promise<Answer<PageOf<MyTrade>>> {
  if (asked.symbol !== undefined) await getPair(ctx, asked.symbol);
  const name = { list: 'trades', accountId: account.id, filters: { ...asked } };
  const query = parsePage(ctx.secrets, name, params, asked.fromId !== undefined);
  const filter = {
    symbol: asked.symbol,
    orderId: asked.orderId === undefined ? undefined : BigInt(asked.orderId),
    fromId: asked.fromId === undefined ? undefined : BigInt(asked.fromId),
  };
  const completeTo = await awaitProjection(ctx);
  const rows = await listTradesOfPage(ctx, account.id, filter, query);
  const print = await tradePrinter(ctx, rows);
  const page = toPage(ctx.secrets, name, query, rows, {
    positionOf: (row) => ({ ms: row.timeMs, id: row.tradeId }),
    print,
  });
  return answerHistory(page, completeTo);
}

async function listTradesOfPage(
  history: History,
  accountId: bigint,
  filter: TradeFilter,
  query: PageQuery,
): Promise<SideOfTrade[]> {
  const { orderId } = filter;
  if (orderId === undefined) return listTrades(history, accountId, filter, query);
  const [order] = await listOrdersByName(history, accountId, [{ orderId }]);
  if (order === undefined) return [];
  const { from, to } = tradedWithin(order);
  return listTrades(history, accountId, filter, {
    ...query,
    from: query.from !== undefined && query.from > from ? query.from : from,
    to: query.to !== undefined && query.to < to ? query.to : to,
  });
}

export async function tradePrinter(
  ctx: TradingContext,
  trades: readonly SideOfTrade[],
): Promise<(trade: SideOfTrade) => MyTrade> {
  const symbols = [...new Set(trades.map(({ symbol }) => symbol))];
  const pairs = new Map(
    await Promise.all(symbols.map(async (symbol) => [symbol, await getPair(ctx, symbol)] as const)),
  );
  return (trade) => {
    const pair = pairs.get(trade.symbol);
    if (pair === undefined) throw new Error(`The pair of ${trade.symbol} was not fetched.`);
    return toMyTrade(trade, pair);
  };
}

/**
 * A refusal of the core as an error of the catalogue; `symbol` names the market where it is known.
 */
export async function refusalOfRejection(
  ctx: TradingContext,
  rejection: Rejection,
  symbol: string | undefined = rejection.order?.symbol,
): Promise<Refusal> {
  const pair = symbol === undefined ? undefined : await findPair(ctx, symbol);
  const { order } = rejection;
  return fromRejection(rejection, {
    precisions: pair,
    ...(order === undefined || pair === undefined ? {} : { order: toOrder(order, pair) }),
  });
}

/** A key may be restricted to some markets; it then trades in no other. */
export function checkMarketOfKey({ markets }: PrivateCaller, symbol: string): void {
  if (markets.length === 0 || markets.includes(symbol)) return;
  throw refuse('PERMISSION_DENIED', `The key may not trade in the market '${symbol}'.`, {
    symbol,
    markets: [...markets],
  });
}
