import { expect, it } from 'vitest';
import { checkNotFrozen } from './freeze.ts';

it('[I27] a withdrawal is refused with 5009 while withdrawals are frozen, and not after', () => {
  const untilMs = Date.UTC(2026, 0, 2);
  const account = { withdrawFreezeUntil: new Date(untilMs) };
  expect(() => checkNotFrozen(account, untilMs - 1)).toThrow(
    expect.objectContaining({ code: '5009', status: 403, fields: { until: String(untilMs) } }),
  );
  checkNotFrozen(account, untilMs);
  checkNotFrozen({ withdrawFreezeUntil: null }, untilMs);
});
