import { expect, it } from 'vitest';
import { createCode, normalizeCode, showCode } from './code.ts';

it('a code is eight consonants, and no two are alike', () => {
  const codes = Array.from({ length: 200 }, createCode);
  for (const code of codes) expect(code).toMatch(/^[bcdfghjkmnpqrstvwxz]{8}$/);
  expect(new Set(codes).size).toBe(codes.length);
});

it('what was typed is read generously, and nothing else is a code', () => {
  expect(normalizeCode(showCode('bcdfghjk'))).toBe('bcdfghjk');
  expect(normalizeCode(' BCDF GHJK ')).toBe('bcdfghjk');
  for (const typed of [
    '',
    'bcdfghj',
    'bcdfghjkm',
    'abcdefgh',
    'bcdf_ghjk',
    'b'.repeat(1000),
    '\0',
  ]) {
    expect(normalizeCode(typed)).toBeUndefined();
  }
});
