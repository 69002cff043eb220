import { expect, it } from 'vitest';
import { readDecimal } from '../../i18n/digits.ts';
import { marketOf } from '../testing/market.ts';
import { orderOf } from '../testing/order.ts';
import { amendable, amendmentOf } from './amend.ts';

const market = marketOf();

it('sends only what differs, exactly as typed', () => {
  const order = orderOf({ price: '64210.50', volume: '0.500000' });
  const typed = { price: readDecimal('۶۴٬۲۰۰'), volume: readDecimal('0.5') };
  expect(amendmentOf(order, typed, market)).toEqual({ orderId: '7', price: '64200' });
  expect(amendmentOf(order, { price: readDecimal('64210.5') }, market)).toBeUndefined();
});

it('does not send what cannot be read, is nought or too fine', () => {
  for (const text of ['', '1,5', '0', '64200.123', '1e5'])
    expect(amendmentOf(orderOf(), { price: readDecimal(text) }, market)).toBeUndefined();
});

it('knows what can be changed', () => {
  expect(amendable(orderOf())).toEqual(['price', 'volume']);
  expect(amendable(orderOf({ status: 'pending', stopPrice: '1' }))).toEqual([
    'price',
    'volume',
    'stopPrice',
  ]);
  expect(amendable(orderOf({ price: '', volume: '', total: '5' }))).toEqual([]);
  expect(amendable(orderOf({ orderListId: '5' }))).toEqual([]);
});
