import { expect, it } from 'vitest';
import { auctionEnd } from './markets.ts';

it('an operator names the end of an auction by its length or its time', () => {
  const now = Date.parse('2026-11-16T10:00:00.400Z') + 0.5;
  expect(auctionEnd('auction', {}, now)).toBeUndefined();
  expect(auctionEnd('continuous', {}, now)).toBeUndefined();
  expect(auctionEnd('auction', { minutes: '5' }, now)).toBe(Math.floor(now) + 300_000);
  expect(auctionEnd('auction', { until: '2026-11-16T12:00:00Z' }, now)).toBe(
    Date.parse('2026-11-16T12:00:00Z'),
  );
  for (const wrong of [
    { minutes: '0' },
    { minutes: '1441' },
    { minutes: 'ten' },
    { until: 'noon' },
    { until: '2026-11-16T09:59:59Z' },
    { until: '2026-11-17T10:00:01Z' },
    { minutes: '5', until: '2026-11-16T12:00:00Z' },
  ]) {
    expect(() => auctionEnd('auction', wrong, now), JSON.stringify(wrong)).toThrow();
  }
  expect(() => auctionEnd('continuous', { minutes: '5' }, now)).toThrow('Only an auction');
});
