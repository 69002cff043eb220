import { describe, expect, it } from 'vitest';
import { isEmail } from '../email.ts';
import { checkFullName } from './rules.ts';

describe('a full name', () => {
  it('is trimmed and normalised', () => {
    expect(checkFullName('  Zoe\u0308 ')).toBe('Zoë');
  });
  it('may be Persian, with its half-space', () => {
    expect(checkFullName('نرگس\u200Cزاده')).toBe('نرگس\u200Cزاده');
  });
  it.each([
    ['', 'Name must not be empty!'],
    ['   ', 'Name must not be empty!'],
    ['x'.repeat(101), 'Name too long!'],
    ['a*b', 'Invalid characters in name!'],
    ['a`b', 'Invalid characters in name!'],
    ['a\\b', 'Invalid characters in name!'],
    ['a>b', 'Invalid characters in name!'],
    ['a"b', 'Invalid characters in name!'],
    ['a@b', 'Invalid characters in name!'],
    ['evil\u202Eresu', 'Invalid characters in name!'],
    ['a\u200Bb', 'Invalid characters in name!'],
    ['Ada|12', 'Invalid format!'],
  ])('%j is refused', (name, message) => {
    expect(() => checkFullName(name)).toThrow(message);
  });
});

it.each([
  ['ada@example.com', true],
  ['ada+x@localhost', true],
  ['ada', false],
  ['ada@', false],
  ['@x.org', false],
  ['a b@x.org', false],
  ['a@b@c', false],
])('%j is an address: %s', (text, expected) => {
  expect(isEmail(text)).toBe(expected);
});
