// Withdrawals are frozen for a while after a change of what opens an account. Somebody who took it over cannot empty it at
// once, and its owner has time to notice. Pure.
import type { TradingAccount } from './key.ts';

/** After a new password, another address, or a factor that is new, removed or recovered. */
export const FREEZE_HOURS = 24;
/** After a recovery by operators, who cannot know for certain whom they let in. */
export const RECOVERY_FREEZE_HOURS = 7 * 24;

/** Whether a withdrawal is refused now. */
export const isFrozen = (
  { withdrawFreezeUntil }: Pick<TradingAccount, 'withdrawFreezeUntil'>,
  nowMs: number,
): boolean => withdrawFreezeUntil !== null && withdrawFreezeUntil.getTime() > nowMs;
