import { expect, test } from 'vitest';
import { choicesOf, editorOf } from './field-kinds.ts';

test('choices stand in their order', () => {
  const fieldData = '{"0":{"text":"Emacs","order":"2"},"1":{"text":"Vim","order":"1"},"2":null}';
  expect(choicesOf({ fieldData })).toEqual([
    { value: '1', label: 'Vim' },
    { value: '0', label: 'Emacs' },
  ]);
  expect([choicesOf({ fieldData: '' }), choicesOf({ fieldData: 'x' })]).toEqual([[], []]);
});

test('an unknown kind is a line of text', () => {
  expect([editorOf({ type: 2 }), editorOf({ type: 99 })]).toEqual(['text', 'line']);
});
