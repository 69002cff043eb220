// Amendments with an id in the slow twin: every order carries a list of them.

import { LIMITS } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { amend } from './amending.ts';
import { findAccount, findOrder, pow10, rejected, view } from './model.ts';
import type { CommandOf, TwinState } from './model.ts';
import { isClientId } from './placing.ts';

type Amend = CommandOf<'amend'>;

const NUMBERS = ['price', 'stopPrice', 'volume', 'visibleVolume'] as const;

function isSame(made: Amend, now: Amend): boolean {
  return NUMBERS.every((name) => {
    const decimals = name.endsWith('rice') ? 'priceDecimals' : 'volumeDecimals';
    const [a, b] = [made[name], now[name]];
    const [da, db] = [made[decimals] ?? 0, now[decimals] ?? 0];
    if (a === undefined || b === undefined) return a === b;
    // What was made was valid, so a number that cannot be read is another one. More zeros than an order may have at
    // its end do not make it another one: it is only compared.
    if (!Number.isSafeInteger(b) || !Number.isInteger(db) || db < 0) return false;
    return BigInt(a) * pow10(db) === BigInt(b) * pow10(da);
  });
}

/** Amends, unless the same amendment was made before. */
export function amendOnce(s: TwinState, c: Amend): Result {
  if (s.rules < 4 || c.amendId === undefined) return amend(s, c);
  const o = findAccount(s, c.account) && findOrder(s, c.account, c);
  if (o === undefined) return amend(s, c);
  if (c.amendId === '' || !isClientId(c.amendId)) {
    return rejected('PARAMETER_INVALID', { parameter: 'amendId' });
  }
  const made = o.amendments?.find(({ command }) => command.amendId === c.amendId);
  if (made !== undefined) {
    return isSame(made.command, c)
      ? { kind: 'amended', order: view(o), keptPriority: made.keptPriority, replay: true }
      : rejected('CLIENT_ID_CONFLICT', { id: c.amendId });
  }
  const result = amend(s, c);
  if (result.kind === 'amended') {
    const { keptPriority } = result;
    const all = [...(o.amendments ?? []), { command: c, keptPriority }];
    o.amendments = all.slice(-LIMITS.amendIdsMax);
  }
  return result;
}
