import { expect, it } from 'vitest';
import { isFrozen } from './freeze.ts';

it('[I27] is frozen until the very moment, and without one not at all', () => {
  const untilMs = Date.UTC(2026, 0, 2);
  const account = { withdrawFreezeUntil: new Date(untilMs) };
  expect(isFrozen(account, untilMs - 1)).toBe(true);
  expect(isFrozen(account, untilMs)).toBe(false);
  expect(isFrozen(account, untilMs + 1)).toBe(false);
  expect(isFrozen({ withdrawFreezeUntil: null }, untilMs)).toBe(false);
});
