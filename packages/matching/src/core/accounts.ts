// Accounts, their families and their fee tiers.

import { LIMITS } from '../command.ts';
import type {
  DefineFeeTier,
  OpenAccount,
  SetFeeTier,
  SetFeeTiers,
  SuspendAccount,
} from '../command.ts';
import { NONE } from '../record.ts';
import { Account, Tier, addAccount, familyOf, findAccount } from '../state.ts';
import type { State } from '../state.ts';
import * as tape from '../tape.ts';
import { writeTimer } from './cancel.ts';
import { conflict, outOfRange, refuse } from './reject.ts';
import type { Refusal } from './reject.ts';
import { writeNote } from './step.ts';
import { cancelMine } from './sweep.ts';

export function openAccount(s: State, c: OpenAccount): Refusal | undefined {
  if (!Number.isSafeInteger(c.account) || c.account < 1) return outOfRange('account');
  if (s.accountIndex.has(c.account)) return conflict('account');
  const index = s.accounts.length;
  let parent = index;
  if (c.parent !== c.account) {
    const head = findAccount(s, c.parent);
    if (head === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.parent });
    parent = head.parent;
  }
  const account = new Account(index, c.account, '', parent, s.tiers.get(0)!);
  addAccount(s, account);
  writeAccount(s, account);
  return undefined;
}

function writeAccount(s: State, account: Account): void {
  writeNote(s, tape.NOTE_ACCOUNT, {
    account: account.id,
    parent: s.accounts[account.parent]!.id,
    tier: account.tier.number,
    suspended: account.suspended,
  });
}

export function defineFeeTier(s: State, c: DefineFeeTier): Refusal | undefined {
  const max = LIMITS.feePpmMax;
  const isWithin = (n: number, low: number, high: number): boolean =>
    Number.isInteger(n) && n >= low && n <= high;
  if (!isWithin(c.tier, 0, 1000)) return outOfRange('tier');
  if (!isWithin(c.takerPpm, 0, max)) return outOfRange('takerPpm');
  if (!isWithin(c.makerPpm, -max, max)) return outOfRange('makerPpm');
  let tier = s.tiers.get(c.tier);
  if (tier === undefined) {
    tier = new Tier(c.tier);
    s.tiers.set(c.tier, tier);
  }
  tier.makerPpm = c.makerPpm;
  tier.takerPpm = c.takerPpm;
  return undefined;
}

export function changeAccount(s: State, c: SetFeeTier | SuspendAccount): Refusal | undefined {
  const account = findAccount(s, c.account);
  if (account === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  if (c.type === 'set_fee_tier') {
    const tier = s.tiers.get(c.tier);
    if (tier === undefined) return outOfRange('tier');
    account.tier = tier;
  } else {
    account.suspended = c.suspended;
    if (c.suspended && c.cancelOrders) cancelMine(s, account, undefined, NONE, 'admin');
    if (c.suspended && s.rules >= 2 && s.deadMan.has(account.index)) {
      s.deadMan.remove(account.index);
      writeTimer(s, account, 0);
    }
  }
  writeAccount(s, account);
  return undefined;
}

/**
 * Gives whole families their tiers. Everything is checked first, so that a mistake in one entry leaves
 * every family as it was. A family that keeps its tier is not written down again.
 */
export function setFeeTiers(s: State, c: SetFeeTiers): Refusal | undefined {
  if (!Number.isSafeInteger(c.day) || c.day < 0) return outOfRange('day');
  if (c.tiers.length < 1 || c.tiers.length > LIMITS.feeTiersMax) return outOfRange('tiers');
  const named = new Set<number>();
  for (const { account: id, tier } of c.tiers) {
    const account = findAccount(s, id);
    if (account === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: id });
    if (account.parent !== account.index || named.has(id)) {
      return refuse('PARAMETER_CONFLICT', { parameter: 'account', account: id });
    }
    if (!s.tiers.has(tier)) return refuse('PARAMETER_RANGE', { parameter: 'tier', account: id });
    named.add(id);
  }
  for (const { account: id, tier: number } of c.tiers) {
    const tier = s.tiers.get(number)!;
    for (const member of familyOf(s, findAccount(s, id)!)) {
      if (member.tier === tier) continue;
      member.tier = tier;
      writeAccount(s, member);
    }
  }
  return undefined;
}
