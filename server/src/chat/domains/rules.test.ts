import { describe, expect, it } from 'vitest';
import { readDomain } from './rules.ts';

describe('a domain', () => {
  it.each(['example.com', 'a.b', 'xn--mgbh0fb.xn--kgbechtv', '1.2'])('%s', (name) => {
    expect(readDomain(` ${name.toUpperCase()} `)).toBe(name);
  });

  it.each([
    ['', "Domain can't be empty."],
    ['localhost', 'Domain must have at least one dot (.)'],
    ['.example.com', 'Domain cannot start or end with a dot (.)'],
    ['example.com.', 'Domain cannot start or end with a dot (.)'],
    ['a..b', "Consecutive '.' are not allowed."],
    ['-a.b', "Subdomains cannot start or end with a '-'."],
    ['a_b.c', "Domain can only have letters, numbers, '.' and '-'s."],
    [`${'a'.repeat(77)}.com`, 'Domain is too long (limit: 80 characters).'],
  ])('%s is none', (name, reason) => {
    expect(() => readDomain(name)).toThrow(`Invalid domain: ${reason}`);
  });
});
