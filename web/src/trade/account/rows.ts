// The rows of the open orders: what is on its way first, then orders with those of one list together.
import { decimal, type Order } from '@rialto/sdk';
import { isSettled, type Intent } from '../intents/machine.ts';

export type OpenRow =
  | { readonly kind: 'intent'; readonly key: string; readonly intent: Intent }
  | {
      readonly kind: 'order';
      readonly key: string;
      readonly order: Order;
      /** The first one of a list stands for the list. */
      readonly list: 'none' | 'first' | 'other';
    };

export function openRows(
  orders: readonly Order[],
  intents: readonly Intent[],
  symbol: string | undefined,
): readonly OpenRow[] {
  const isHere = (one: { readonly symbol: string }) =>
    symbol === undefined || one.symbol === symbol;
  const rows: OpenRow[] = intents
    .filter((intent) => !isSettled(intent) && isHere(intent.placement.params))
    .map((intent) => ({ kind: 'intent', key: `intent ${intent.id}`, intent }));
  const seen = new Set<string>();
  const shown = orders.filter(isHere);
  for (const order of shown) {
    if (seen.has(order.orderId)) continue;
    const { orderListId } = order;
    const legs =
      orderListId === ''
        ? [order]
        : shown
            .filter((one) => one.orderListId === orderListId)
            .sort((a, b) => decimal.compare(a.orderId, b.orderId));
    for (const [index, leg] of legs.entries()) {
      seen.add(leg.orderId);
      const list = orderListId === '' ? 'none' : index === 0 ? 'first' : 'other';
      rows.push({ kind: 'order', key: leg.orderId, order: leg, list });
    }
  }
  return rows;
}

/** Whether it waits for a price. */
export const hasTrigger = (row: OpenRow): boolean =>
  row.kind === 'order' && (row.order.stopPrice !== '' || row.order.trailingDelta !== '');
