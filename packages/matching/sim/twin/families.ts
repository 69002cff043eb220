// The tiers of whole families in the slow twin.

import { LIMITS } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { findAccount, getStep, rejected } from './model.ts';
import type { CommandOf, TwinState } from './model.ts';

export function setFeeTiers(s: TwinState, c: CommandOf<'set_fee_tiers'>): Result {
  if (!Number.isSafeInteger(c.day) || c.day < 0) {
    return rejected('PARAMETER_RANGE', { parameter: 'day' });
  }
  if (c.tiers.length === 0 || c.tiers.length > LIMITS.feeTiersMax) {
    return rejected('PARAMETER_RANGE', { parameter: 'tiers' });
  }
  for (const [i, { account, tier }] of c.tiers.entries()) {
    const head = findAccount(s, account);
    if (head === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account });
    const isRepeated = c.tiers.slice(0, i).some((earlier) => earlier.account === account);
    if (head.parent !== account || isRepeated) {
      return rejected('PARAMETER_CONFLICT', { parameter: 'account', account });
    }
    if (!s.tiers.has(tier)) return rejected('PARAMETER_RANGE', { parameter: 'tier', account });
  }
  for (const entry of c.tiers) {
    const family = s.accounts.filter(({ parent }) => parent === entry.account);
    for (const member of family.filter(({ tier }) => tier !== entry.tier)) {
      member.tier = entry.tier;
      const { id, parent, tier, suspended } = member;
      getStep(s).accounts.push({ account: id, parent, tier, suspended });
    }
  }
  return { kind: 'done' };
}
