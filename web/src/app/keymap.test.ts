import { expect, test } from 'vitest';
import { conflictsOf } from '../ui/shortcuts/matcher.ts';
import { BINDINGS, GROUPS } from './keymap.ts';

test('no key calls two commands', () => expect(conflictsOf(BINDINGS)).toEqual([]));

test('every command is in one group of the dialog', () => {
  const listed = Object.values(GROUPS).flat();
  expect(new Set(listed)).toEqual(new Set(BINDINGS.map(({ command }) => command)));
  expect(new Set(listed).size).toBe(listed.length);
});
