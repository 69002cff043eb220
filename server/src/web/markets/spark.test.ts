import fc from 'fast-check';
import { expect, it } from 'vitest';
import { renderSpark } from './spark.ts';

it('too few prices are no line', () => {
  expect(renderSpark([])).toBe('');
  expect(renderSpark([1n])).toBe('');
});

it('its direction is that of the day', () => {
  expect(renderSpark([1n, 5n, 2n])).toContain('class="spark up"');
  expect(renderSpark([2n, 5n, 1n])).toContain('class="spark down"');
  expect(renderSpark([2n, 5n, 2n])).toContain('class="spark level"');
});

it('every price is inside of the picture, the highest at its top', () => {
  const prices = fc.array(fc.bigInt({ min: 1n, max: 10n ** 38n }), { minLength: 2, maxLength: 25 });
  fc.assert(
    fc.property(prices, (closes) => {
      const [, list = ''] = /points="([^"]*)"/.exec(renderSpark(closes)) ?? [];
      const points = list.split(' ').map((point) => point.split(',').map(Number));
      expect(points).toHaveLength(closes.length);
      for (const [across = -1, down = -1] of points) {
        expect(across).toBeGreaterThanOrEqual(2);
        expect(across).toBeLessThanOrEqual(94);
        expect(down).toBeGreaterThanOrEqual(2);
        expect(down).toBeLessThanOrEqual(26);
      }
      const high = closes.reduce((a, b) => (b > a ? b : a));
      if (closes.some((close) => close !== high)) {
        expect(points[closes.indexOf(high)]?.[1]).toBe(2);
      }
    }),
  );
});
