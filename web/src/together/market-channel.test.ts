import { expect, it } from 'vitest';
import { marketInLink, mayBeMarket, symbolOf } from './market-channel.ts';

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
  expect(marketInLink(href, ORIGIN)).toBe(symbol);
});
