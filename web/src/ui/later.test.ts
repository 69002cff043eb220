import { createElement, Suspense } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { later } from './later.ts';

const Hello = ({ name }: { readonly name: string }) => createElement('p', {}, `Hello, ${name}.`);
const draw = (part: ReturnType<typeof later<{ readonly name: string }>>) =>
  renderToStaticMarkup(
    createElement(Suspense, { fallback: 'Wait.' }, createElement(part, { name: 'Ana' })),
  );

it('leaves a gap until its file is here, and is drawn at once from then on', async () => {
  let fetched = 0;
  const part = later(async () => {
    fetched += 1;
    return Hello;
  });
  expect(draw(part)).toContain('Wait.');
  await part.load();
  expect(draw(part)).toBe('<p>Hello, Ana.</p>');
  expect(fetched).toBeGreaterThan(0);
});

it('asks again for a file that did not come', async () => {
  let isHere = false;
  const part = later(async () => {
    if (!isHere) throw new Error('no network');
    return Hello;
  });
  await expect(part.load()).rejects.toThrow('no network');
  isHere = true;
  await part.load();
  expect(draw(part)).toBe('<p>Hello, Ana.</p>');
});
