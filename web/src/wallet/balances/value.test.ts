import { describe, expect, it } from 'vitest';
import { cut, priceOf, quotesOf, type Pair } from './value.ts';

const pair = (base: string, quote: string, last: string): Pair => ({
  symbol: `${base}${quote}`,
  base,
  quote,
  last,
});
const PAIRS = [
  pair('btc', 'usdt', '64210.50'),
  pair('eth', 'btc', '0.05'),
  pair('eth', 'usdt', ''),
  pair('usdt', 'irt', '81000'),
];

describe('priceOf', () => {
  it('takes the market of the two, the other way round too', () => {
    expect(priceOf('btc', 'usdt', PAIRS)).toEqual({ price: '64210.50', via: ['btcusdt'] });
    expect(priceOf('irt', 'usdt', PAIRS)?.price).toBe('0.000012345679012345');
    expect(priceOf('usdt', 'usdt', PAIRS)).toEqual({ price: '1', via: [] });
  });

  it('goes over one other coin where a market has no trade yet, and names both markets', () => {
    expect(priceOf('eth', 'usdt', PAIRS)).toEqual({
      price: '3210.525',
      via: ['ethbtc', 'btcusdt'],
    });
  });

  it('is nothing where nothing prices the coin', () => {
    expect(priceOf('doge', 'usdt', PAIRS)).toBeUndefined();
  });
});

it('puts the most used quote first', () => {
  expect(quotesOf(PAIRS)).toEqual(['usdt', 'btc', 'irt']);
});

it('cuts and never rounds up', () => {
  expect(cut('1.999', 2)).toBe('1.99');
  expect(cut('1.999', 0)).toBe('1');
});
