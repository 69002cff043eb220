import { expect, it } from 'vitest';
import { beginIntent, take } from '../intents/machine.ts';
import { orderOf } from '../testing/order.ts';
import { openRows } from './rows.ts';

const placement = {
  call: 'create',
  params: { symbol: 'btcusdt', side: 'buy', type: 'limit', price: '1', volume: '1' },
} as const;

it('shows what is on its way first, and the orders of a list together', () => {
  const sending = beginIntent('a', placement, 1);
  const placed = take(beginIntent('b', placement, 2), { kind: 'order', order: orderOf() }, 3);
  const orders = [
    orderOf({ orderId: '13', orderListId: '11' }),
    orderOf({ orderId: '12' }),
    orderOf({ orderId: '11', orderListId: '11' }),
    orderOf({ orderId: '10', symbol: 'ethusdt' }),
  ];
  const rows = openRows(orders, [sending, placed], 'btcusdt');
  expect(rows.map(({ key }) => key)).toEqual(['intent a', '11', '13', '12']);
  expect(rows.slice(1)).toMatchObject([{ list: 'first' }, { list: 'other' }, { list: 'none' }]);
  expect(openRows(orders, [], undefined)).toHaveLength(4);
});
