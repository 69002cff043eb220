// Writes orders: live ones where they change, and each that has ended once where nothing changes any more.
import type { Order } from '@rialto/matching';
import { isLive } from '../order-tables.ts';
import { printAsked, shortenAsked } from './asked.ts';
import { toArray, writeRows, type Queryable } from './bulk.ts';
import { copyRows } from './copy.ts';
import type { Fold } from './fold.ts';
import type { OrderRow } from './rows.ts';
import { LIVE_ORDERS, ORDERS } from './tables.ts';

type Kept = Pick<OrderRow, 'acceptedSeq' | 'asked'>;
const NOTHING: Kept = { acceptedSeq: null, asked: null };

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
    kept.set(orderId, { acceptedSeq: engineSeq, asked: printAsked(row) });
  }
  const live = all
    .filter(isLive)
    .map((order): OrderRow => ({ order, ...(kept.get(order.orderId) ?? NOTHING) }));
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
}

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
