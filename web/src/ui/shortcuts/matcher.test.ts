import fc from 'fast-check';
import { expect, test } from 'vitest';
import { nameOf, type KeyPress } from './keys.ts';
import { conflictsOf, match, NOTHING, rebind, type Binding, type Situation } from './matcher.ts';

const bindings: readonly Binding[] = [
  { command: 'search', keys: 'Ctrl+K' },
  { command: 'search', keys: '/' },
  { command: 'trade', keys: 'g t' },
  { command: 'markets', keys: 'g m' },
  { command: 'recent', keys: 't' },
  { command: 'inbox', keys: 'Shift+I' },
  { command: 'close', keys: 'Escape' },
];

const free: Situation = { isTyping: false, areSingleKeysOff: false };

function press(presses: readonly string[], situation = free, gapMs = 100): (string | undefined)[] {
  let waiting = NOTHING;
  return presses.map((name, index) => {
    const matched = match(bindings, waiting, name, 10_000 + index * gapMs, situation);
    waiting = matched.waiting;
    return matched.command;
  });
}

test('One key, a combination and a sequence call their commands.', () => {
  expect(press(['t'])).toEqual(['recent']);
  expect(press(['Ctrl+K'])).toEqual(['search']);
  expect(press(['g', 't'])).toEqual([undefined, 'trade']);
  expect(press(['Shift+I', '/'])).toEqual(['inbox', 'search']);
});

test('A sequence that is not ended in time, or goes on otherwise, begins anew.', () => {
  expect(press(['g', 't'], free, 1600)).toEqual([undefined, 'recent']);
  expect(press(['g', 'x', 't'])).toEqual([undefined, undefined, 'recent']);
  expect(press(['g', 'g', 'm'])).toEqual([undefined, undefined, 'markets']);
  expect(press(['g', 'Shift+I'])).toEqual([undefined, 'inbox']);
});

test('While a field has the focus, or when single keys are off, only Ctrl and Escape work.', () => {
  for (const situation of [
    { isTyping: true, areSingleKeysOff: false },
    { isTyping: false, areSingleKeysOff: true },
  ])
    expect(press(['t', 'g', 't', 'Ctrl+K', 'Escape'], situation)).toEqual([
      undefined,
      undefined,
      undefined,
      'search',
      'close',
    ]);
});

const bare = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
const named = (given: Partial<KeyPress> & { key: string }) => nameOf({ ...bare, ...given });

test('A press is named alike on every keyboard.', () => {
  expect(named({ key: 'k', ctrlKey: true })).toBe('Ctrl+K');
  expect(named({ key: 'k', metaKey: true })).toBe('Ctrl+K');
  expect(named({ key: 'I', shiftKey: true })).toBe('Shift+I');
  expect(named({ key: '?', shiftKey: true })).toBe('?');
  expect(named({ key: 'T' })).toBe('t');
  expect(named({ key: 'Enter', ctrlKey: true })).toBe('Ctrl+Enter');
  expect(named({ key: ' ' })).toBe('Space');
  // A Persian keyboard.
  expect(named({ key: 'ف', code: 'KeyT' })).toBe('t');
  expect(named({ key: 'ن', code: 'KeyK', ctrlKey: true })).toBe('Ctrl+K');
  expect(named({ key: 'Shift', shiftKey: true })).toBeUndefined();
});

test('Two commands cannot share keys, nor can one begin with those of another.', () => {
  expect(conflictsOf(bindings)).toEqual([]);
  const more = [...bindings, { command: 'other', keys: 'g' }, { command: 'third', keys: 't' }];
  expect(conflictsOf(more).map(([a, b]) => [a.command, b.command])).toEqual([
    ['trade', 'other'],
    ['markets', 'other'],
    ['recent', 'third'],
  ]);
});

test('A person can give a command other keys, or none.', () => {
  const own = rebind(bindings, { search: ['f'], trade: [] });
  expect(own.filter(({ command }) => command === 'search')).toEqual([
    { command: 'search', keys: 'f' },
  ]);
  expect(own.some(({ command }) => command === 'trade')).toBe(false);
  expect(match(own, NOTHING, 'f', 0, free).command).toBe('search');
});

test('Of bindings without conflicts, every one can be called from rest.', () => {
  const key = fc.constantFrom('a', 'b', 'c', 'Shift+A', 'Ctrl+K', '?');
  const drawn = fc.uniqueArray(fc.array(key, { minLength: 1, maxLength: 3 }), {
    selector: (keys) => keys.join(' '),
    maxLength: 8,
  });
  fc.assert(
    fc.property(drawn, (rows) => {
      const made = rows.map((row, index) => ({ command: `c${index}`, keys: row.join(' ') }));
      fc.pre(conflictsOf(made).length === 0);
      for (const [index, row] of rows.entries()) {
        let waiting = NOTHING;
        let command: string | undefined;
        for (const name of row) ({ command, waiting } = match(made, waiting, name, 10_000, free));
        expect(command).toBe(`c${index}`);
      }
    }),
  );
});
