import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tryLinkifier } from './try.ts';

it('shows what a text becomes', () => {
  expect(tryLinkifier('#(?P<id>[0-9]+)', 'https://t.example/{id}', 'See #12 and #7.')).toEqual({
    kind: 'links',
    links: [
      { text: '#12', href: 'https://t.example/12' },
      { text: '#7', href: 'https://t.example/7' },
    ],
  });
});

it('encodes what the address gets', () => {
  const tried = tryLinkifier('wiki:(?<page>.+)', 'https://w.example/{page}', 'wiki:a/b c');
  expect(tried).toMatchObject({ links: [{ href: 'https://w.example/a%2Fb%20c' }] });
});

it('says what is wrong', () => {
  expect(tryLinkifier('(', 'https://t.example', 'x')).toMatchObject({ kind: 'badPattern' });
  expect(tryLinkifier('#(?P<id>1)', 'https://t.example/{no}', 'x')).toEqual({
    kind: 'badTemplate',
    name: 'no',
  });
});

it('ends for any text, also where a pattern fits nothing', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(tryLinkifier('x*', 'https://t.example', text).kind).toBe('links');
    }),
  );
});
