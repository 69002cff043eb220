import { expect, it } from 'vitest';
import { findDomainProblem } from './rules.ts';

it.each([
  ['example.com', undefined],
  ['a.b-c.example', undefined],
  ['مثال.ایران', undefined],
  ['', "Domain can't be empty."],
  ['example', 'Domain must have at least one dot (.)'],
  ['.example.com', 'Domain cannot start or end with a dot (.)'],
  ['example.com.', 'Domain cannot start or end with a dot (.)'],
  ['a..b', "Consecutive '.' are not allowed."],
  ['-a.com', "Subdomains cannot start or end with a '-'."],
  ['a-.com', "Subdomains cannot start or end with a '-'."],
  ['a b.com', "Domain can only have letters, numbers, '.' and '-'s."],
  ['a@b.com', "Domain can only have letters, numbers, '.' and '-'s."],
  [`${'a.'.repeat(50)}com`, 'Domain is too long'],
])('%s: %s', (text, problem) => {
  expect(findDomainProblem(text)).toBe(problem);
});
