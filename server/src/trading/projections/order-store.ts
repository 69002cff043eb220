// Writes orders: live ones where they change, and each that has ended once where nothing changes any more.
import type { Order } from '@rialto/matching';
import { assert } from '../../platform/std/assert.ts';
import { DAY_MS } from '../../platform/std/time.ts';
import { isLive } from '../order-tables.ts';
import { printAsked, shortenAsked } from './asked.ts';
import { toArray, writeRows, type Queryable } from './bulk.ts';
import { copyRows } from './copy.ts';
import type { Fold } from './fold.ts';
import type { ClientOrderRow, MatchedAccounts, OrderRow, PreventedRow } from './rows.ts';
import { ACCOUNT_ORDER_DAYS, LIVE_ORDERS, ORDER_CLIENT_IDS, ORDER_DAYS, ORDERS } from './tables.ts';

/** What is kept beside an order; of one that is new in this stretch, its terms are not printed yet. */
interface Kept extends Pick<OrderRow, 'acceptedSeq'> {
  readonly asked: ClientOrderRow | string | null;
}
const NOTHING = { acceptedSeq: null, asked: null } as const;

/** An order that begins and ends in one stretch is written once. */
export async function writeOrders(db: Queryable, fold: Fold): Promise<void> {
  const isNew = ({ orderId }: Order) => orderId > fold.lastOldOrderId;
  const all = [...fold.orders.values()];
  const ended = all.filter((order) => !isLive(order));
  const kept = await takeLive(
    db,
    ended.filter((order) => !isNew(order)),
  );
  for (const row of fold.clientOrders) {
    const { orderId, engineSeq } = row.order;
    kept.set(orderId, { acceptedSeq: engineSeq, asked: row });
  }
  const live = all.filter(isLive).map((order) => toLive(order, kept.get(order.orderId) ?? NOTHING));
  await copyRows(
    db,
    LIVE_ORDERS,
    live.filter(({ order }) => isNew(order)),
  );
  await writeRows(
    db,
    LIVE_ORDERS,
    live.filter(({ order }) => !isNew(order)),
  );
  const final = ended.map((order) => toFinal(order, kept.get(order.orderId) ?? NOTHING));
  await copyRows(db, ORDERS, final);
  await listPlaced(db, fold, all.filter(isNew));
}

/** Says where the orders are that were placed: by their ids, their accounts and their client ids. */
async function listPlaced(db: Queryable, fold: Fold, placed: readonly Order[]): Promise<void> {
  const firsts = new Map<number, Order>();
  const ofAccounts = new Map<string, Order>();
  for (const order of placed) {
    const day = Math.floor(order.createdAt / DAY_MS);
    // Ids grow with times, but a fold keeps orders in the order in which it came upon them.
    const first = firsts.get(day);
    if (first === undefined || order.orderId < first.orderId) firsts.set(day, order);
    ofAccounts.set(`${order.account} ${day}`, order);
  }
  await writeRows(db, ORDER_DAYS, [...firsts.values()]);
  await writeRows(db, ACCOUNT_ORDER_DAYS, [...ofAccounts.values()]);
  const named = fold.clientOrders.map(({ order }) => order);
  await copyRows(db, ORDER_CLIENT_IDS, named);
}

/** A step names the resting order of a match only if it changed. One that did not is live. */
export async function findMatched(
  db: Queryable,
  fold: Fold,
): Promise<(PreventedRow & MatchedAccounts)[]> {
  const idsOf = ({ match }: PreventedRow) => [match.takerOrderId, match.makerOrderId];
  const unnamed = fold.prevented.flatMap(idsOf).filter((id) => !fold.orders.has(id));
  const accounts = new Map<number, number>();
  if (unnamed.length > 0) {
    const { rows } = await db.query<{ id: string; account: string }>({
      name: 'project matched orders',
      text: `SELECT order_id::text AS id, account_id::text AS account FROM trading_live_orders
              WHERE order_id = ANY($1::bigint[])`,
      values: [toArray('bigint', unnamed, (id) => id)],
    });
    for (const { id, account } of rows) accounts.set(Number(id), Number(account));
  }
  const accountOf = (id: number): number => {
    const account = fold.orders.get(id)?.account ?? accounts.get(id);
    assert(account !== undefined, 'an order that would have matched was live', { id });
    return account;
  };
  return fold.prevented.map((row) => ({
    ...row,
    takerAccount: accountOf(row.match.takerOrderId),
    makerAccount: accountOf(row.match.makerOrderId),
  }));
}

const toLive = (order: Order, { acceptedSeq, asked }: Kept): OrderRow => ({
  order,
  acceptedSeq,
  asked: asked === null || typeof asked === 'string' ? asked : printAsked(asked),
});

function toFinal(order: Order, { acceptedSeq, asked }: Kept): OrderRow {
  if (asked === null) return { order, ...NOTHING };
  return {
    order,
    acceptedSeq: Number(acceptedSeq) === order.engineSeq ? null : acceptedSeq,
    asked: shortenAsked(order, asked),
  };
}

/** Takes orders that have ended out of the live ones, and returns what is kept beside them. */
async function takeLive(db: Queryable, orders: readonly Order[]): Promise<Map<number, Kept>> {
  if (orders.length === 0) return new Map();
  const { rows } = await db.query<{ id: string; accepted: string | null; asked: string | null }>({
    name: 'project ended orders',
    text: `DELETE FROM trading_live_orders WHERE order_id = ANY($1::bigint[])
           RETURNING order_id::text AS id, accepted_seq::text AS accepted, asked`,
    values: [toArray('bigint', orders, ({ orderId }) => orderId)],
  });
  return new Map(
    rows.map(({ id, accepted: acceptedSeq, asked }) => [Number(id), { acceptedSeq, asked }]),
  );
}
