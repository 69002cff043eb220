import { expect, it } from 'vitest';
import { ERRORS, findError, getError, refuse } from './errors.ts';

it('every code is four digits and occurs once, and every status is an error', () => {
  expect(new Set(ERRORS.map(({ code }) => code)).size).toBe(ERRORS.length);
  for (const { code, status, name } of ERRORS) {
    expect(code).toMatch(/^[1-7]\d{3}$/);
    expect(name).toMatch(/^[A-Z_]+$/);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
  }
});

it('has the whole published list', () => {
  const ranges: [number, number][] = [
    [1000, 1008],
    [2001, 2011],
    [3001, 3014],
    [4001, 4019],
    [5001, 5014],
    [6001, 6005],
    [7001, 7005],
  ];
  const expected = ranges.flatMap(([from, to]) =>
    Array.from({ length: to - from + 1 }, (_, index) => String(from + index)),
  );
  expect(ERRORS.map(({ code }) => code)).toEqual(expected);
});

it('a refusal has the code and the status of its name', () => {
  const refusal = refuse('UNKNOWN_SYMBOL', 'None.', { parameter: 'symbol' });
  expect(refusal).toMatchObject({ code: '4001', status: 404, fields: { parameter: 'symbol' } });
  expect(findError('4001')).toBe(getError('UNKNOWN_SYMBOL'));
  expect(findError('9999')).toBeUndefined();
});
