// The plan of the chat must have every folder that there is, and no exception that nobody needs.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { AGAINST_THE_ORDER, FEATURES, SHARED_STORES, WINGS } from './wings.ts';

const CHAT = join(import.meta.dirname, '../server/src/chat');

const foldersIn = (path: string): string[] =>
  readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();

it('has every wing of the chat, and nothing else', () => {
  expect(WINGS.map(([wing]) => wing).sort()).toEqual(foldersIn(CHAT));
});

it.each(WINGS.filter(([, features]) => features.length > 0))(
  'has every feature of %s, and nothing else',
  (wing, features) => {
    expect([...features].sort()).toEqual(foldersIn(join(CHAT, wing)));
  },
);

it('has its readers’ plan in the README of the chat: every wing and feature, in the same order', () => {
  const text = readFileSync(join(CHAT, 'README.md'), 'utf8');
  const drawn = [...text.matchAll(/^ ([a-z]+) {2,}\S/gm)].map(([, wing]) => wing);
  expect(drawn.reverse()).toEqual(WINGS.map(([wing]) => wing));
  const described = [...text.matchAll(/^## (.+)$([^]*?)(?=^## |$(?![^]))/gm)].map(
    ([, wing, table = '']) => [
      wing,
      [...table.matchAll(/^\| `([a-z-]+)` +\| \S/gm)].map(([, feature]) => feature),
    ],
  );
  expect(described).toEqual(WINGS.filter(([, features]) => features.length > 0));
});

it.each(AGAINST_THE_ORDER)('still needs the import of $to by $from', ({ from, to }) => {
  const name = to.slice(to.indexOf('/') + 1);
  expect(existsSync(join(CHAT, to))).toBe(true);
  expect(readFileSync(join(CHAT, from), 'utf8')).toMatch(new RegExp(`from '[./]+(\\w+/)?${name}'`));
});

it('has at most ten imports against the order', () => {
  expect(AGAINST_THE_ORDER.length).toBeLessThanOrEqual(10);
});

it.each(SHARED_STORES)('shares the store of $store only with features that use it', (shared) => {
  expect(FEATURES).toContain(shared.store);
  for (const feature of shared.with) {
    const sources = readdirSync(join(CHAT, feature))
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
      .map((file) => readFileSync(join(CHAT, feature, file), 'utf8'));
    const noun = shared.store.slice(shared.store.indexOf('/') + 1);
    expect(sources.join('\n'), feature).toContain(`${noun}/store.ts'`);
  }
});
