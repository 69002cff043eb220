// Movements between the venue's ledger and what it holds on the networks: deposits and their reversals,
// capital, and what the networks charge.

import { LIMITS, SIMULATED_NETWORK } from '../command.ts';
import type {
  BookChainCost,
  ContributeCapital,
  CreditDeposit,
  OwnerRef,
  ReverseDeposit,
  WithdrawCapital,
} from '../command.ts';
import { AVAILABLE, JOURNALS } from '../names.ts';
import type { JournalKind } from '../outcome.ts';
import { CUSTODY_BASE, findAccount, rowOf } from '../state.ts';
import type { Account, State } from '../state.ts';
import * as tape from '../tape.ts';
import { LIMBS, fromBigint, toBigint } from '../wide.ts';
import { outOfRange, refuse } from './reject.ts';
import type { Refusal } from './reject.ts';
import { credit, debit, journalNamed, writeNote } from './step.ts';

/** Scratch cells of the amount that a movement posts. */
export const AMOUNT = 56;

export function findOwner(s: State, owner: OwnerRef): Account | undefined {
  if (typeof owner === 'number') return findAccount(s, owner);
  if (owner === 'fees') return s.fees;
  if (owner === 'suspense') return s.suspense;
  // Version 1 did not have this account.
  if (owner === 'capital') return s.rules >= 2 ? s.capital : undefined;
  return owner === 'adjustments' ? s.adjustments : undefined;
}

export const isBadAmount = (amount: bigint): boolean => amount <= 0n || amount > LIMITS.amountMax;

export function journalKind(kind: JournalKind): number {
  return JOURNALS.indexOf(kind);
}

export const availableOf = (s: State, account: Account, coin: number): bigint =>
  toBigint(s.rows, rowOf(s, account, coin) + AVAILABLE * LIMBS);

/** What users and the venue own of a coin must equal what custody owes. */
function issued(s: State, coin: number): bigint {
  let sum = 0n;
  for (const network of s.custody) sum -= network[coin] ?? 0n;
  return sum;
}

export function postCustody(s: State, network: string, coin: number, amount: bigint): void {
  const index = s.networks.indexOf(network);
  const balances = s.custody[index]!;
  while (balances.length <= coin) balances.push(0n);
  const after = balances[coin]! + amount;
  balances[coin] = after;
  const t = s.tape;
  const at = t.begin(tape.POSTING, 7);
  t.i32[at * 2] = CUSTODY_BASE - index;
  t.u32[at * 2 + 1] = (coin << 4) | (AVAILABLE << 2) | (amount < 0n ? 2 : 0) | (after < 0n ? 1 : 0);
  fromBigint(t.f64, at + 1, amount < 0n ? -amount : amount);
  fromBigint(t.f64, at + 4, after < 0n ? -after : after);
}

/** Whether the venue deals in money of this network; any network, while no kind is set. */
export const isOfVenue = (s: State, network: string): boolean =>
  s.money === '' || (s.money === 'simulated') === (network === SIMULATED_NETWORK);

/** Moves money over a network, between custody and the venue's capital. */
export function moveCapital(s: State, c: ContributeCapital | WithdrawCapital): Refusal | undefined {
  const isIn = c.type === 'contribute_capital';
  const { network, amount } = c;
  const coin = s.coinIndex.get(c.coin);
  if (coin === undefined) return refuse('UNKNOWN_COIN', { coin: c.coin });
  if (!isOfVenue(s, network))
    return refuse(isIn ? 'DEPOSIT_NOT_ACTIVE' : 'WITHDRAW_NOT_ACTIVE', { network, money: s.money });
  if (!s.coins[coin]!.networks.includes(network)) return refuse('UNKNOWN_NETWORK', { network });
  if (isBadAmount(amount) || (isIn && issued(s, coin) + amount > LIMITS.amountMax)) {
    return outOfRange('amount');
  }
  const available = availableOf(s, s.capital, coin);
  if (!isIn && amount > available) {
    return refuse('INSUFFICIENT_FUNDS', { coin: c.coin, required: amount, available });
  }
  journalNamed(s, journalKind('capital'), c.contributionId);
  fromBigint(s.scratch, AMOUNT, amount);
  if (isIn) {
    postCustody(s, network, coin, -amount);
    credit(s, s.capital, coin, AVAILABLE, s.scratch, AMOUNT);
  } else {
    debit(s, s.capital, coin, AVAILABLE, s.scratch, AMOUNT);
    postCustody(s, network, coin, amount);
  }
  return undefined;
}

export function creditDeposit(s: State, c: CreditDeposit): Refusal | undefined {
  const coin = s.coinIndex.get(c.coin);
  if (coin === undefined) return refuse('UNKNOWN_COIN', { coin: c.coin });
  if (!isOfVenue(s, c.network))
    return refuse('DEPOSIT_NOT_ACTIVE', { network: c.network, money: s.money });
  if (!s.coins[coin]!.networks.includes(c.network))
    return refuse('UNKNOWN_NETWORK', { network: c.network });
  // Capital is not deposited: it comes by a command that two people must approve.
  const to = (c.to as OwnerRef) === 'capital' ? undefined : findOwner(s, c.to);
  if (to === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.to });
  if (isBadAmount(c.amount) || issued(s, coin) + c.amount > LIMITS.amountMax) {
    return outOfRange('amount');
  }
  journalNamed(s, journalKind('deposit'), `${c.network}:${c.depositId}`);
  postCustody(s, c.network, coin, -c.amount);
  fromBigint(s.scratch, AMOUNT, c.amount);
  credit(s, to, coin, AVAILABLE, s.scratch, AMOUNT);
  return undefined;
}

/** What identifies a reversal, in its cause and in its double entry. */
export const reversalId = ({ network, depositId, part }: ReverseDeposit): string =>
  `${network}:${depositId}:${part}`;

/**
 * Takes back a deposit that its network has undone, as far as the account still has it; with `cover`, the
 * venue's adjustments pay the rest as far as they can. Gives what was taken, which may be nothing.
 */
export function reverseDeposit(s: State, c: ReverseDeposit): Refusal | bigint {
  const { network, amount, cover } = c;
  const coin = s.coinIndex.get(c.coin);
  if (coin === undefined) return refuse('UNKNOWN_COIN', { coin: c.coin });
  if (!isOfVenue(s, network)) return refuse('DEPOSIT_NOT_ACTIVE', { network, money: s.money });
  if (!s.coins[coin]!.networks.includes(network)) return refuse('UNKNOWN_NETWORK', { network });
  // Only who can be credited by a deposit can lose it again.
  const isDepositor = !['fees', 'capital'].includes(String(c.account));
  const account = isDepositor ? findOwner(s, c.account) : undefined;
  if (account === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  if (!Number.isInteger(c.part) || c.part < 0 || c.part > LIMITS.reversalPartMax) {
    return outOfRange('part');
  }
  if (isBadAmount(amount)) return outOfRange('amount');
  const own = smaller(amount, availableOf(s, account, coin));
  const covered =
    cover && account !== s.adjustments
      ? smaller(amount - own, availableOf(s, s.adjustments, coin))
      : 0n;
  const taken = own + covered;
  const id = reversalId(c);
  if (taken > 0n) {
    journalNamed(s, journalKind('reversal'), id);
    take(s, account, coin, own);
    take(s, s.adjustments, coin, covered);
    postCustody(s, network, coin, taken);
  }
  const change = { reversalId: id, account: c.account, coin: c.coin, network, amount, cover };
  writeNote(s, tape.NOTE_REVERSAL, { ...change, missing: amount - taken });
  return taken;
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

function take(s: State, account: Account, coin: number, amount: bigint): void {
  if (amount === 0n) return;
  fromBigint(s.scratch, AMOUNT, amount);
  debit(s, account, coin, AVAILABLE, s.scratch, AMOUNT);
}

/** The venue pays what a network charged for its own transactions. */
export function bookChainCost(s: State, c: BookChainCost): Refusal | undefined {
  const { network, amount } = c;
  const coin = s.coinIndex.get(c.coin);
  if (coin === undefined) return refuse('UNKNOWN_COIN', { coin: c.coin });
  if (!isOfVenue(s, network)) return refuse('WITHDRAW_NOT_ACTIVE', { network, money: s.money });
  if (!s.coins[coin]!.networks.includes(network)) return refuse('UNKNOWN_NETWORK', { network });
  if (isBadAmount(amount)) return outOfRange('amount');
  const available = availableOf(s, s.adjustments, coin);
  if (amount > available) {
    return refuse('INSUFFICIENT_FUNDS', { coin: c.coin, required: amount, available });
  }
  journalNamed(s, journalKind('chain_cost'), c.costId);
  take(s, s.adjustments, coin, amount);
  postCustody(s, network, coin, amount);
  return undefined;
}
