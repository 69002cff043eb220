// Finds the account's order lists. The engine is asked for the legs that it remembers; those that ended long
// ago are in the projection.
import type { Order as EngineOrder } from '@rialto/matching';
import type { Refusal } from '../../platform/http/refusal.ts';
import type { TradingContext } from '../context.ts';
import type { PrivateCaller } from '../http/authenticate.ts';
import { refuse } from '../http/errors.ts';
import { findEnded, findForgotten } from '../orders/access.ts';
import { getPair, listPairs } from '../orders/pairs.ts';
import { LEG_COUNTS, toOrderList, type OrderList } from './list.ts';

export const unknownList = (): Refusal =>
  refuse('ORDER_NOT_FOUND', 'The account has no such order list.');

/** Larger numbers name no list. */
export function parseListId(orderListId: string): number {
  const id = Number(orderListId);
  return Number.isSafeInteger(id) ? id : 0;
}

/** The legs of the list by position; empty if the account has no such list. */
export async function findLegs(
  ctx: TradingContext,
  accountId: bigint,
  orderListId: number,
): Promise<EngineOrder[]> {
  const legs = await ctx.engine.read('list', { account: Number(accountId), orderListId });
  if (isComplete(legs)) return legs;
  const all = await complete(ctx, accountId, new Map([[orderListId, legs]]), findForgotten);
  return all.get(orderListId) ?? [];
}

export async function getLegs(
  ctx: TradingContext,
  accountId: bigint,
  orderListId: number,
): Promise<EngineOrder[]> {
  const legs = await findLegs(ctx, accountId, orderListId);
  if (legs.length === 0) throw unknownList();
  return legs;
}

const isComplete = ([first, ...others]: readonly EngineOrder[]): boolean =>
  first !== undefined &&
  first.orderListKind !== '' &&
  1 + others.length === LEG_COUNTS[first.orderListKind];

/** Completes lists by their id with the legs that the engine did not tell; `find` searches the tables for them. */
async function complete(
  ctx: TradingContext,
  accountId: bigint,
  lists: ReadonlyMap<number, readonly EngineOrder[]>,
  find: typeof findEnded,
): Promise<Map<number, EngineOrder[]>> {
  const all = new Map([...lists].map(([id, legs]) => [id, [...legs]]));
  const names = [...all].flatMap(([id, legs]) =>
    isComplete(legs)
      ? []
      : idsOf(id)
          .filter((orderId) => !legs.some((leg) => leg.orderId === orderId))
          .map((orderId) => ({ orderId: BigInt(orderId) })),
  );
  for (const order of await find(ctx, accountId, names)) {
    // The order after the last leg of an OCO is a stranger to the list.
    if (order !== undefined) all.get(order.orderListId)?.push(order);
  }
  for (const legs of all.values()) legs.sort((a, b) => a.orderId - b.orderId);
  return all;
}

const idsOf = (orderListId: number): number[] =>
  Array.from({ length: LEG_COUNTS.bracket }, (_, position) => orderListId + position);

/** Lists in one answer. */
export const OPEN_LISTS_MAX = 500;
/** Live orders asked of the engine at once, most of which may be in no list. */
const ORDERS_AT_ONCE = 1000;

/** The lists of which a leg is live, oldest first. */
export async function listOpenLists(
  ctx: TradingContext,
  { account }: PrivateCaller,
  symbol: string | undefined,
): Promise<OrderList[]> {
  if (symbol !== undefined) await getPair(ctx, symbol);
  const lists = await readOpenLegs(ctx, Number(account.id), symbol);
  // Only live legs were read: the others may have ended a moment ago.
  const all = await complete(ctx, account.id, lists, findEnded);
  const pairs = await listPairs(
    ctx,
    new Set([...all.values()].flatMap((legs) => legs.map((leg) => leg.symbol))),
  );
  return [...all.values()].flatMap((legs) => {
    const pair = pairs.get(legs[0]?.symbol ?? '');
    return pair === undefined ? [] : [toOrderList(legs, pair)];
  });
}

async function readOpenLegs(
  ctx: TradingContext,
  account: number,
  symbol: string | undefined,
): Promise<Map<number, EngineOrder[]>> {
  const lists = new Map<number, EngineOrder[]>();
  let after = 0;
  for (;;) {
    const orders = await ctx.engine.read('open', {
      account,
      ...(symbol === undefined ? {} : { symbol }),
      after,
      limit: ORDERS_AT_ONCE,
    });
    for (const order of orders) {
      const { orderListId: id } = order;
      if (id === 0) continue;
      const legs = lists.get(id);
      if (legs !== undefined) legs.push(order);
      else if (lists.size === OPEN_LISTS_MAX) return lists;
      else lists.set(id, [order]);
    }
    const last = orders.at(-1);
    if (last === undefined || orders.length < ORDERS_AT_ONCE) return lists;
    after = last.orderId;
  }
}
