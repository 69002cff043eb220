import fc from 'fast-check';
import { expect, it } from 'vitest';
import { carriedOver, printChange, readAddress } from './address.ts';

const PLAIN = {
  interval: '15m',
  chart: 'candles',
  part: 'chart',
  group: undefined,
  beside: undefined,
  order: undefined,
};

it('an address without a query is the plain view', () => expect(readAddress({})).toEqual(PLAIN));

it('takes what it knows, and nothing else', () => {
  expect(readAddress({ interval: '4h', chart: 'depth', group: '0.1', beside: 'ethusdt' })).toEqual({
    ...PLAIN,
    interval: '4h',
    chart: 'depth',
    group: '0.1',
    beside: 'ethusdt',
  });
  expect(readAddress({ interval: '7m', chart: '<b>', group: '1e9', beside: '../x' })).toEqual(
    PLAIN,
  );
});

it('a link to an order shows the orders of a phone', () => {
  expect(readAddress({ order: '42' })).toEqual({ ...PLAIN, order: '42', part: 'orders' });
  expect(readAddress({ order: '42', part: 'book' }).part).toBe('book');
  expect(readAddress({ order: '4 2' })).toEqual(PLAIN);
});

it('whatever stands there is read', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string()), (query) => {
      expect(readAddress(query).part).toBeTypeOf('string');
    }),
  );
});

it('writes what it reads, and leaves out what is plain', () => {
  expect(printChange({ interval: '15m', chart: 'depth', group: undefined })).toEqual([
    ['interval', undefined],
    ['chart', 'depth'],
    ['group', undefined],
  ]);
});

it('groups stay with their market', () => {
  expect(carriedOver(readAddress({ interval: '1h', group: '10' }))).toEqual({
    interval: '1h',
    chart: 'candles',
    part: 'chart',
    beside: undefined,
  });
});
