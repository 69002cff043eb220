import fc from 'fast-check';
import { expect, it } from 'vitest';
import { chooseMarkets, quotesOf, readChoice, SORTS, type Choice } from './choose.ts';
import { overviewOf } from './test-markets.ts';

const MARKETS = [
  overviewOf({ symbol: 'btcusdt', base: 'btc', nameEn: 'Bitcoin', nameFa: 'بیت‌کوین' }),
  overviewOf({ symbol: 'ethusdt', base: 'eth', nameEn: 'Ethereum', nameFa: 'اتریوم' }),
  overviewOf({
    symbol: 'btcirt',
    base: 'btc',
    quote: 'irt',
    nameEn: 'Bitcoin',
    nameFa: 'بیت‌کوین',
  }),
];
const ALL: Choice = { search: '', quote: '', sort: 'name' };
const found = (choice: Partial<Choice>) =>
  chooseMarkets(MARKETS, { ...ALL, ...choice }).map(({ symbol }) => symbol);

it.each([
  ['BTC/USDT', ['btcusdt']],
  ['btc-usdt', ['btcusdt']],
  ['Btc Usdt', ['btcusdt']],
  ['BTC/IRT', ['btcirt']],
  ['bitcoin', ['btcirt', 'btcusdt']],
  ['بيت كوين'.replace(' ', '\u200C'), ['btcirt', 'btcusdt']],
  ['اتریوم', ['ethusdt']],
  ['nothing', []],
  ['/', []],
  ['', ['btcirt', 'btcusdt', 'ethusdt']],
])('a search for %j finds %j', (search, symbols) => {
  expect(found({ search })).toEqual(symbols);
});

it('one quote coin can be chosen, and all are offered, the most used first', () => {
  expect(found({ quote: 'irt' })).toEqual(['btcirt']);
  expect(quotesOf(MARKETS)).toEqual(['usdt', 'irt']);
});

it('sorts by exact amounts within a quote coin, and puts what cannot be traded last', () => {
  const big = 10n ** 38n;
  const markets = [
    overviewOf({ symbol: 'a', totalUnits: big, lastUnits: 1n, changePercent: '-3.00' }),
    overviewOf({ symbol: 'b', totalUnits: big + 1n, lastUnits: 2n, changePercent: '1.00' }),
    overviewOf({ symbol: 'c', totalUnits: big * 2n, lastUnits: 9n, phase: 'halted' }),
  ];
  const order = (sort: Choice['sort']) =>
    chooseMarkets(markets, { ...ALL, sort })
      .map(({ symbol }) => symbol)
      .join('');
  expect(order('volume')).toBe('bac');
  expect(order('price')).toBe('bac');
  expect(order('change')).toBe('bac');
  expect(order('name')).toBe('abc');
});

it('whatever an address asks for, a page has a choice', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('q', 'quote', 'sort'), fc.anything()), (query) => {
      const choice = readChoice(query);
      expect(choice.search.length).toBeLessThanOrEqual(60);
      expect(SORTS).toContain(choice.sort);
      chooseMarkets(MARKETS, choice);
    }),
  );
});
