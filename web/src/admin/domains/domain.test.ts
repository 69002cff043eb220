import { expect, it } from 'vitest';
import { problemOf } from './domain.ts';

it('tells what cannot be a domain', () => {
  expect(problemOf('example.com', [])).toBeUndefined();
  expect(problemOf('نمونه.ایران', [])).toBeUndefined();
  expect(problemOf('ada@example.com', [])).toBe('isAddress');
  expect(problemOf('example', [])).toBe('isNoDomain');
  expect(problemOf('exam ple.com', [])).toBe('isNoDomain');
  expect(problemOf('example..com', [])).toBe('isNoDomain');
  expect(problemOf('example.com', ['example.com'])).toBe('isThere');
});
