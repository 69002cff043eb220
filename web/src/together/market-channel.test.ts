import { expect, it } from 'vitest';
import { marketInLink, mayBeMarket, orderHref, symbolOf } from './market-channel.ts';

it.each([
  ['btcusdt', true],
  ['BTCUSDT', true],
  ['otc-desk', false],
  ['بازار', false],
  ['abc', false],
])('a channel called %j may be a market: %j', (name, may) => {
  expect(mayBeMarket(name)).toBe(may);
});

it('the symbol is in lower case, as the API has it', () => {
  expect(symbolOf('BtcUsdt')).toBe('btcusdt');
});

const ORIGIN = 'https://venue.example';

it.each([
  ['/trade/btcusdt', 'btcusdt'],
  ['https://venue.example/trade/BTCUSDT?interval=1h', 'btcusdt'],
  ['https://elsewhere.example/trade/btcusdt', undefined],
  ['/trade/', undefined],
  ['/trade/../account/', undefined],
  ['javascript:alert(1)', undefined],
])('%j leads to the market %j', (href, symbol) => {
  expect(marketInLink(href, ORIGIN)?.symbol).toBe(symbol);
});

it.each([
  ['/trade/btcusdt?order=1042', '1042'],
  ['/trade/btcusdt?part=orders&order=1042', '1042'],
  ['/trade/btcusdt', undefined],
  ['/trade/btcusdt?order=', undefined],
  ['/trade/btcusdt?order=1e5', undefined],
  ['/trade/btcusdt?order=../1', undefined],
  ['/trade/btcusdt?order=99999999999999999999', undefined],
])('%j shows the order %j', (href, orderId) => {
  expect(marketInLink(href, ORIGIN)?.orderId).toBe(orderId);
});

it('a link to an order is read as it was written', () => {
  const link = marketInLink(orderHref('btcusdt', '7'), ORIGIN);
  expect(link).toEqual({ symbol: 'btcusdt', orderId: '7' });
});
