import type { Balance } from '@rialto/sdk';
import { describe, expect, it } from 'vitest';
import { columnDecimals, filterRows, rowsOf, withNews, worthOf } from './derive.ts';

const balance = (coin: string, total: string, more: Partial<Balance> = {}): Balance => ({
  coin,
  available: total,
  hold: '0',
  pendingDeposit: '0',
  pendingWithdraw: '0',
  total,
  updatedAt: '1000',
  ...more,
});

const PAIRS = [{ symbol: 'btcusdt', base: 'btc', quote: 'usdt', last: '64210.50' }];
const NAMES = new Map([['btc', { nameEn: 'Bitcoin', nameFa: 'بیت‌کوین' }]]);
const ROWS = rowsOf(
  [
    balance('usdt', '10.5'),
    balance('btc', '0.00012345'),
    balance('doge', '7'),
    balance('xrp', '0'),
  ],
  NAMES,
  PAIRS,
  { quote: 'usdt', quoteDecimals: 2 },
);
const coinsOf = (rows: typeof ROWS) => rows.map((row) => row.balance.coin);

describe('the rows', () => {
  it('are the dearest first, cut to the decimals of the quote', () => {
    expect(coinsOf(ROWS)).toEqual(['usdt', 'btc', 'doge', 'xrp']);
    expect(ROWS[1]?.worth?.value).toBe('7.92');
  });

  it('are found by name in both languages', () => {
    const find = (search: string) => coinsOf(filterRows(ROWS, { search, hidesZero: false }));
    expect(find('BITC')).toEqual(['btc']);
    expect(find('بيت')).toEqual(['btc']);
    expect(coinsOf(filterRows(ROWS, { search: '', hidesZero: true }))).not.toContain('xrp');
  });

  it('add up, and say what has no price', () => {
    expect(worthOf(ROWS)).toEqual({ value: '18.42', unpriced: ['doge'] });
  });

  it('are filled up to the finest amount', () => {
    expect(columnDecimals(ROWS, 'total')).toBe(8);
    expect(columnDecimals([], 'total')).toBe(0);
  });
});

it('an event replaces an older line only', () => {
  const known = [balance('btc', '1'), balance('usdt', '5', { updatedAt: '' })];
  const news = new Map([
    ['7:btc', balance('btc', '9', { updatedAt: '999' })],
    ['7:usdt', balance('usdt', '6')],
    ['8:btc', balance('btc', '3', { updatedAt: '2000' })],
  ]);
  expect(withNews(known, '7', news).map(({ total }) => total)).toEqual(['1', '6']);
});
