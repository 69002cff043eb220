import { expect, test } from 'vitest';
import { meaningOfEnter, type EnterPress } from './enter.ts';

const press = (change: Partial<EnterPress> = {}): EnterPress => ({
  isComposing: false,
  keyCode: 13,
  shiftKey: false,
  ctrlKey: false,
  metaKey: false,
  sinceCompositionMs: Infinity,
  ...change,
});

test('Enter sends or begins a line, as the person has set it; Ctrl+Enter always sends.', () => {
  expect(meaningOfEnter(press(), true)).toBe('send');
  expect(meaningOfEnter(press({ shiftKey: true }), true)).toBe('line');
  expect(meaningOfEnter(press(), false)).toBe('line');
  expect(meaningOfEnter(press({ ctrlKey: true }), false)).toBe('send');
  expect(meaningOfEnter(press({ metaKey: true }), false)).toBe('send');
});

test('Enter belongs to the input method while it composes, and 30 ms after.', () => {
  expect(meaningOfEnter(press({ isComposing: true }), true)).toBe('compose');
  expect(meaningOfEnter(press({ keyCode: 229 }), true)).toBe('compose');
  expect(meaningOfEnter(press({ sinceCompositionMs: 29 }), true)).toBe('compose');
  expect(meaningOfEnter(press({ sinceCompositionMs: 30 }), true)).toBe('send');
  expect(meaningOfEnter(press({ isComposing: true, ctrlKey: true }), true)).toBe('compose');
});
