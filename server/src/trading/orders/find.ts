// Finds orders by their names, on whatever day they were placed.
import type { Order as EngineOrder } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import { assert } from '../../platform/std/assert.ts';
import type { History } from '../projections/access.ts';
import type { OrderName } from './name.ts';
import { readPlaces } from './places.ts';
import {
  findPlaces,
  findPlacesOfClientIds,
  findUses,
  listClientOrders,
  listOrdersNamed,
  listOrdersThat,
  listOrderWords,
  type ClientOrder,
  type TradeOfOrder,
  type UsedIds,
} from './store.ts';
import type { SideOfTrade } from './trade.ts';

export interface Recalled {
  readonly checkpoint: number;
  readonly known: ClientOrder[];
}

/**
 * The earlier uses of client ids, for many callers at once, and the engine event up to which that
 * is complete. The terms of an order as they were asked for never change, so they can be read after it.
 */
export async function findClientOrders(
  { db, database }: History & Pick<Context, 'database'>,
  asked: readonly UsedIds[],
): Promise<Recalled[]> {
  const wanted = asked.flatMap(({ accountId, clientOrderIds }) =>
    clientOrderIds.map((id) => [accountId, id] as const),
  );
  const ids = {
    accountIds: wanted.map(([accountId]) => accountId),
    clientOrderIds: wanted.map(([, id]) => id),
  };
  const { checkpoint, places } = await findUses(database.pool, ids);
  const found = await readPlaces(places, (looked) => listClientOrders(db, looked, ids));
  const known = new Map<string, ClientOrder>();
  for (const { accountId, ...use } of found) known.set(`${accountId} ${use.clientOrderId}`, use);
  return asked.map(({ accountId, clientOrderIds }) => ({
    checkpoint,
    known: clientOrderIds.flatMap((id) => known.get(`${accountId} ${id}`) ?? []),
  }));
}

export async function listOrdersByName(
  { db }: History,
  accountId: bigint,
  names: readonly OrderName[],
): Promise<EngineOrder[]> {
  const ids = names.flatMap((name) => ('orderId' in name ? [name.orderId] : []));
  const clientOrderIds = names.flatMap((name) =>
    'clientOrderId' in name ? [name.clientOrderId] : [],
  );
  const places = [
    ...(await findPlaces(db, ids)),
    ...(await findPlacesOfClientIds(db, { accountId, clientOrderIds })),
  ];
  return readPlaces(places, (looked) =>
    listOrdersNamed(db, looked, { accountId, clientOrderIds, ids }),
  );
}

/** An order of any account: for operators. A client id is unique only within an account. */
export async function findOrderOfAnybody(
  history: History,
  name:
    { readonly orderId: bigint } | { readonly accountId: bigint; readonly clientOrderId: string },
): Promise<EngineOrder | undefined> {
  if ('accountId' in name) return (await listOrdersByName(history, name.accountId, [name]))[0];
  const places = await findPlaces(history.db, [name.orderId]);
  return (await readPlaces(places, (looked) => listOrdersThat(history.db, looked)))[0];
}

/** Adds what trades show of their orders. It is read after the trades, so each order is there. */
export async function nameOrders(
  { db }: History,
  trades: readonly TradeOfOrder[],
): Promise<SideOfTrade[]> {
  const places = await findPlaces(db, [...new Set(trades.map(({ orderId }) => orderId))]);
  const found = await readPlaces(places, (looked) => listOrderWords(db, looked));
  const orders = new Map(found.map((order) => [order.orderId, order]));
  return trades.map((trade) => {
    const order = orders.get(trade.orderId);
    assert(order !== undefined, 'a trade has its orders', { orderId: trade.orderId });
    return { ...trade, clientOrderId: order.clientOrderId, orderType: order.type };
  });
}
