// Refuses a withdrawal while withdrawals of the account are frozen. Every route that takes money out asks here.
import { isFrozen } from '../../accounts/trading-keys/freeze.ts';
import type { TradingAccount } from '../../accounts/trading-keys/key.ts';
import { refuse } from '../http/errors.ts';
import { toMillis } from '../values.ts';

export function checkNotFrozen(
  account: Pick<TradingAccount, 'withdrawFreezeUntil'>,
  nowMs: number,
): void {
  const { withdrawFreezeUntil: until } = account;
  if (until === null || !isFrozen(account, nowMs)) return;
  throw refuse(
    'WITHDRAW_FROZEN',
    `Withdrawals are frozen until ${until.toISOString()}, because the password, the address or a factor of the account changed.`,
    { until: toMillis(until) },
  );
}
