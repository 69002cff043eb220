// Which changes of an order are to be sent, from what was typed.
import { decimal, type MarketDetail, type Order, type OrderAmendParams } from '@rialto/sdk';
import type { Reading } from '../../i18n/digits.ts';

export type AmendField = 'price' | 'volume' | 'stopPrice';

export type Typed = Readonly<Partial<Record<AmendField, Reading>>>;

/** What of an order can be changed. Legs of a list belong together and cannot. */
export function amendable(order: Order): readonly AmendField[] {
  if (order.orderListId !== '') return [];
  return [
    ...(order.price === '' ? [] : (['price'] as const)),
    ...(order.volume === '' ? [] : (['volume'] as const)),
    ...(order.status === 'pending' && order.stopPrice !== '' ? (['stopPrice'] as const) : []),
  ];
}

/** Undefined while something cannot be read, has too many decimals, or nothing differs. */
export function amendmentOf(
  order: Order,
  typed: Typed,
  market: MarketDetail,
): OrderAmendParams | undefined {
  const changes: Partial<Record<AmendField, string>> = {};
  for (const field of amendable(order)) {
    const reading = typed[field];
    if (reading === undefined) continue;
    const decimals = Number(field === 'volume' ? market.basePrecision : market.quotePrecision);
    if (reading.kind !== 'number') return undefined;
    const value = decimal.add(reading.value, '0');
    if (decimal.compare(value, '0') <= 0 || (value.split('.')[1] ?? '').length > decimals)
      return undefined;
    if (!decimal.equals(value, order[field])) changes[field] = value;
  }
  return Object.keys(changes).length === 0 ? undefined : { orderId: order.orderId, ...changes };
}
