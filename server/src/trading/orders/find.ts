// Finds orders by their names, on whatever day they were placed.
import type { Order as EngineOrder } from '@rialto/matching';
import type { Context } from '../../platform/context.ts';
import { assert } from '../../platform/std/assert.ts';
import type { History } from '../projections/access.ts';
import type { OrderName } from './name.ts';
import { missingOf, readMissing, readPlaces, readTables } from './places.ts';
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
  type Use,
  type UsedIds,
} from './store.ts';
import type { SideOfTrade } from './trade.ts';

export interface Recalled {
  readonly checkpoint: number;
  readonly known: ClientOrder[];
}

export interface RecalledFromTables extends Recalled {
  /** Orders that may have one of the client ids, and that the tables do not have. */
  readonly missing: readonly Use[];
}

/**
 * The earlier uses of client ids in the tables, for many callers at once, and the engine event up to which that
 * is complete. The terms of an order as they were asked for never change, so they can be read after it.
 */
export async function findClientOrders(
  { db, database }: History & Pick<Context, 'database'>,
  asked: readonly UsedIds[],
): Promise<RecalledFromTables[]> {
  const wanted = asked.flatMap(({ accountId, clientOrderIds }) =>
    clientOrderIds.map((id) => [accountId, id] as const),
  );
  const ids = {
    accountIds: wanted.map(([accountId]) => accountId),
    clientOrderIds: wanted.map(([, id]) => id),
  };
  const { checkpoint, uses } = await findUses(database.pool, ids);
  const found = await readTables(uses, (looked) => listClientOrders(db, looked, ids));
  const known = new Map<string, ClientOrder>();
  for (const { accountId, ...use } of found) known.set(nameOf(accountId, use.clientOrderId), use);
  const missing = Map.groupBy(missingOf(uses, found), (use) =>
    nameOf(use.accountId, use.clientOrderId),
  );
  return asked.map(({ accountId, clientOrderIds }) => {
    const names = clientOrderIds.map((id) => nameOf(accountId, id));
    return {
      checkpoint,
      known: names.flatMap((name) => known.get(name) ?? []),
      missing: names.flatMap((name) => (known.has(name) ? [] : (missing.get(name) ?? []))),
    };
  });
}

const nameOf = (accountId: bigint, clientOrderId: string): string =>
  `${accountId} ${clientOrderId}`;

/** Adds the uses on days that are in files. For one caller: nobody else waits for the files, or is refused if one is damaged. */
export async function recallFromFiles(
  history: History,
  { accountId }: UsedIds,
  { checkpoint, known, missing }: RecalledFromTables,
): Promise<Recalled> {
  if (missing.length === 0) return { checkpoint, known };
  const ids = {
    accountIds: missing.map((use) => use.accountId),
    clientOrderIds: missing.map((use) => use.clientOrderId),
  };
  const found = await readMissing(history, { places: missing, accountId }, (looked) =>
    listClientOrders(history.db, looked, ids),
  );
  const own = found.flatMap(({ accountId: of, ...use }) => (of === accountId ? [use] : []));
  return { checkpoint, known: [...known, ...own] };
}

export async function listOrdersByName(
  history: History,
  accountId: bigint,
  names: readonly OrderName[],
): Promise<EngineOrder[]> {
  const { db } = history;
  const ids = names.flatMap((name) => ('orderId' in name ? [name.orderId] : []));
  const clientOrderIds = names.flatMap((name) =>
    'clientOrderId' in name ? [name.clientOrderId] : [],
  );
  const places = [
    ...(await findPlaces(db, ids)),
    ...(await findPlacesOfClientIds(db, { accountId, clientOrderIds })),
  ];
  return readPlaces(history, { places, accountId }, (looked) =>
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
  return (await readPlaces(history, { places }, (looked) => listOrdersThat(history.db, looked)))[0];
}

/** Adds what trades of an account show of their orders. It is read after the trades, so each order is there. */
export async function nameOrders(
  history: History,
  accountId: bigint,
  trades: readonly TradeOfOrder[],
): Promise<SideOfTrade[]> {
  const { db } = history;
  const places = await findPlaces(db, [...new Set(trades.map(({ orderId }) => orderId))]);
  const found = await readPlaces(history, { places, accountId }, (looked) =>
    listOrderWords(db, looked),
  );
  const orders = new Map(found.map((order) => [order.orderId, order]));
  return trades.map((trade) => {
    const order = orders.get(trade.orderId);
    assert(order !== undefined, 'a trade has its orders', { orderId: trade.orderId });
    return { ...trade, clientOrderId: order.clientOrderId, orderType: order.type };
  });
}
