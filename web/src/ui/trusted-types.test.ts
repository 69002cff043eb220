import { expect, test } from 'vitest';
import { allowEmptyHtml, workerAddress } from './trusted-types.ts';

type Rule = (text: string) => string | null;

function factory() {
  const made: { name: string; createHTML?: Rule; createScriptURL?: Rule }[] = [];
  return {
    made,
    createPolicy(name: string, rules: { createHTML?: Rule; createScriptURL?: Rule }) {
      made.push({ name, ...rules });
      return { createScriptURL: (text: string) => rules.createScriptURL?.(text) };
    },
  };
}

test('The default policy lets the empty string pass and refuses everything else.', () => {
  const { made, createPolicy } = factory();
  allowEmptyHtml({ createPolicy });
  expect(made.map((policy) => policy.name)).toEqual(['default']);
  expect(made[0]?.createHTML?.('')).toBe('');
  for (const text of [' ', '<b>', 'text', '\0'])
    expect(made[0]?.createHTML?.(text), JSON.stringify(text)).toBeNull();
});

test('The policy of the worker is made once, and has no address but that of our worker.', () => {
  const { made, createPolicy } = factory();
  expect(workerAddress('en', { createPolicy })).toBe('/sw.js?lang=en');
  expect(workerAddress('fa', { createPolicy })).toBe('/sw.js?lang=fa');
  expect(made.map((policy) => policy.name)).toEqual(['worker']);
  for (const text of [
    '',
    '/sw.js',
    '//evil.example/sw.js?lang=en',
    '/sw.js?lang=en#',
    '/sw.js?lang=de',
  ])
    expect(made[0]?.createScriptURL?.(text), text).toBeNull();
});
