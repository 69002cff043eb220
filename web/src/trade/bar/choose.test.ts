import type { Coin, MarketDetail } from '@rialto/sdk';
import { expect, it } from 'vitest';
import { chooseRows } from './choose.ts';

const market = (base: string, quote: string) =>
  ({ symbol: base + quote, base, quote }) as unknown as MarketDetail;
const coin = (symbol: string, nameEn: string, nameFa: string): [string, Coin] => [
  symbol,
  { symbol, nameEn, nameFa, networks: {} },
];
const MARKETS = [market('eth', 'usdt'), market('btc', 'usdt'), market('btc', 'irt')];
const COINS = new Map([coin('btc', 'Bitcoin', 'بیت‌کوین'), coin('eth', 'Ethereum', 'اتریوم')]);
const found = (typed: string, stars: readonly string[] = []) =>
  chooseRows(MARKETS, COINS, new Set(stars), typed).map((row) => row.market.symbol);

it.each([
  ['', ['btcirt', 'btcusdt', 'ethusdt']],
  ['BTC/USDT', ['btcusdt']],
  ['btc-usdt', ['btcusdt']],
  ['bitcoin', ['btcirt', 'btcusdt']],
  ['اتريوم', ['ethusdt']],
  ['بیت کوین'.replace(' ', '\u200C'), ['btcirt', 'btcusdt']],
  ['nothing', []],
  ['/', []],
])('a search for %j finds %j', (typed, symbols) => expect(found(typed)).toEqual(symbols));

it('favourites come first', () => {
  expect(found('', ['ethusdt'])).toEqual(['ethusdt', 'btcirt', 'btcusdt']);
});
