// Ceilings by transaction, hour and day. Windows slide: no minute of the clock gives a second hour's worth.
import { DAY_MS, HOUR_MS, type Charge } from './ledger.ts';
import type { Ceilings } from '../policy/policy.ts';
import { Refusal, type Reason } from '../refusal.ts';

const WINDOWS = [
  { reason: 'limit_hour', windowMs: HOUR_MS, ceiling: 'hourMax' },
  { reason: 'limit_day', windowMs: DAY_MS, ceiling: 'dayMax' },
] as const satisfies readonly { reason: Reason; windowMs: number; ceiling: keyof Ceilings }[];

/**
 * `units` is what the transaction can cost, `extra` by how much that is more than what an earlier version of the
 * payment was charged with.
 */
export function checkLimits(
  name: string,
  ceilings: Ceilings,
  charges: readonly Charge[],
  { units, extra, now }: { units: bigint; extra: bigint; now: number },
): void {
  if (units > ceilings.transactionMax) {
    throw new Refusal(
      'limit_transaction',
      `${name}: at most ${ceilings.transactionMax} units in a transaction, this one has ${units}.`,
    );
  }
  if (extra <= 0n) return;
  for (const { reason, windowMs, ceiling } of WINDOWS) {
    const recent = charges.filter(({ at }) => at > now - windowMs);
    let used = recent.reduce((sum, charge) => sum + charge.units, 0n);
    const max = ceilings[ceiling];
    if (used + extra <= max) continue;
    const message = `${name}: at most ${max} units, ${used} of them are used, ${extra} more were asked for.`;
    // The time when enough of it has left the window, if ever.
    const leaving = recent.find((charge) => {
      used -= charge.units;
      return used + extra <= max;
    });
    throw new Refusal(reason, message, leaving === undefined ? undefined : leaving.at + windowMs);
  }
}
