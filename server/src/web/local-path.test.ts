import fc from 'fast-check';
import { expect, it } from 'vitest';
import { localPath } from './local-path.ts';

it.each(['/', '/login/', '/api/v1/users/me?a=1&b=%2F', '/a/b#c', '/کانال'])(
  '%s is kept',
  (path) => {
    expect(decodeURI(localPath(path) ?? '')).toBe(decodeURI(path));
  },
);

it.each([
  undefined,
  '',
  'login',
  'https://evil.example/',
  'javascript:alert(1)',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/.//evil.example',
  '/a/..//evil.example',
  '/%2e//evil.example',
  '/%2E%2e//evil.example',
  ' //evil.example',
  '//user@evil.example:80/',
  `/${'a'.repeat(3000)}`,
])('%j leads elsewhere', (path) => {
  expect(localPath(path)).toBeUndefined();
});

it('no accepted path leads to another server', () => {
  const piece = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    '@',
    ':',
    '\t',
    '\n',
    'evil.example',
    '?',
    '#',
    ' ',
    'a',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const kept = localPath(`/${pieces.join('')}`);
      if (kept === undefined) return;
      expect(new URL(kept, 'https://here.example/login/').origin).toBe('https://here.example');
      expect(kept).toMatch(/^\/(?!\/)/);
      expect(kept.split(/[?#]/, 1)[0]).not.toMatch(/[\s\\]/);
    }),
    { numRuns: 2000 },
  );
});
