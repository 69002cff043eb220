import { expect, it, vi } from 'vitest';
import type { Place } from './addresses.ts';
import { follow } from './worker.ts';

const ORIGIN = 'https://rialto.example';
const goingTo = (message: unknown): readonly Place[] => {
  const go = vi.fn<(place: Place) => void>();
  follow({ go }, message, ORIGIN);
  return go.mock.calls.map(([place]) => place);
};

it('goes where a notification leads', () => {
  expect(goingTo({ kind: 'open', path: '/#narrow/dm/7-dm/near/41' })).toEqual([
    { view: 'narrow', hash: '#narrow/dm/7-dm/near/41' },
  ]);
  expect(goingTo({ kind: 'open', path: '/inbox' })).toEqual([{ view: 'inbox' }]);
});

it.each([
  undefined,
  'open',
  { kind: 'other', path: '/inbox' },
  { kind: 'open' },
  { kind: 'open', path: 'https://evil.example/inbox' },
  { kind: 'open', path: '//evil.example/inbox' },
  { kind: 'open', path: '/accounts/logout/' },
])('goes nowhere for %j', (message) => {
  expect(goingTo(message)).toEqual([]);
});
