import { expect, it } from 'vitest';
import { choicesOf } from './choices.ts';

it('numbers each choice once, in its order', () => {
  expect(choicesOf(' Desk\n\nRisk\nDesk ')).toEqual({
    0: { text: 'Desk', order: '1' },
    1: { text: 'Risk', order: '2' },
  });
  expect(choicesOf('\n ')).toEqual({});
});
