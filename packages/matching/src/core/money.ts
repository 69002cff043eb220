// Movements of money other than trading. Each names its cause, and a cause is executed once:
// sending it again answers that it is done, and sending it with other terms is refused.

import { LIMITS, SIMULATED_NETWORK } from '../command.ts';
import type {
  Adjust,
  CancelWithdrawal,
  ContributeCapital,
  CreditDeposit,
  OwnerRef,
  RequestWithdrawal,
  SettleWithdrawal,
  Transfer,
  WithdrawCapital,
} from '../command.ts';
import { AVAILABLE, JOURNALS, PENDING_WITHDRAW } from '../names.ts';
import type { JournalKind, WithdrawalChange } from '../outcome.ts';
import { CUSTODY_BASE, findAccount, rowOf } from '../state.ts';
import type { Account, State, Withdrawal } from '../state.ts';
import * as tape from '../tape.ts';
import { LIMBS, fromBigint, toBigint } from '../wide.ts';
import { FORGETS_AT_ONCE } from './finish.ts';
import { conflict, outOfRange, refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { beginStep, credit, debit, endStep, journalNamed } from './step.ts';

export type Movement =
  CreditDeposit | RequestWithdrawal | Transfer | Adjust | ContributeCapital | WithdrawCapital;

const AMOUNT = 56;

const withdrawalTerms = (w: Omit<Withdrawal, 'status' | 'id'>): string =>
  `${w.account}|${w.coin}|${w.network}|${w.amount}|${w.fee}`;

/** The fields that define the movement, and must be equal when it is sent again. */
function causeOf(s: State, c: Movement): { key: string; terms: string } {
  switch (c.type) {
    case 'credit_deposit':
      return { key: `d:${c.network}:${c.depositId}`, terms: `${c.coin}|${c.to}|${c.amount}` };
    case 'request_withdrawal': {
      const coin = s.coinIndex.get(c.coin) ?? -1;
      return { key: `w:${c.withdrawalId}`, terms: withdrawalTerms({ ...c, coin }) };
    }
    case 'transfer':
      return { key: `t:${c.transferId}`, terms: `${c.from}|${c.to}|${c.coin}|${c.amount}` };
    case 'adjust':
      return { key: `a:${c.adjustmentId}`, terms: `${c.from}|${c.to}|${c.coin}|${c.amount}` };
    case 'contribute_capital':
    case 'withdraw_capital':
      return {
        key: `c:${c.contributionId}`,
        terms: `${c.type}|${c.coin}|${c.network}|${c.amount}`,
      };
  }
}

export function move(s: State, c: Movement): void {
  const { key, terms } = causeOf(s, c);
  const known = s.causes.get(key);
  const live = c.type === 'request_withdrawal' ? s.withdrawals.get(c.withdrawalId) : undefined;
  if (known === undefined && live === undefined && (c.checkpoint ?? 0) < s.causesForgottenThrough) {
    writeResult(s, tape.R_LOOKUP_AGAIN, 0, s.causesForgottenThrough);
    return;
  }
  beginStep(s, c.time, 0);
  if (known !== undefined || live !== undefined) {
    const before = live === undefined ? known?.terms : withdrawalTerms(live);
    endStep(s);
    if (before === terms) writeResult(s, tape.R_MOVED, 1, 0);
    else writeRefusal(s, refuse('CLIENT_ID_CONFLICT', { id: key.slice(2) }));
    return;
  }
  const bad = makeMovement(s, c);
  if (bad === undefined && c.type !== 'request_withdrawal') rememberCause(s, key, terms);
  endStep(s);
  if (bad === undefined) writeResult(s, tape.R_MOVED, 0, 0);
  else writeRefusal(s, bad);
}

function makeMovement(s: State, c: Movement): Refusal | undefined {
  switch (c.type) {
    case 'credit_deposit':
      return creditDeposit(s, c);
    case 'request_withdrawal':
      return requestWithdrawal(s, c);
    case 'transfer': {
      const from = findAccount(s, c.from);
      if (from === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.from });
      const to = findAccount(s, c.to);
      if (to === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.to });
      const coin = s.coinIndex.get(c.coin);
      if (coin === undefined) return refuse('UNKNOWN_COIN', { coin: c.coin });
      if (from === to) return conflict('to');
      if (from.suspended) return refuse('ACCOUNT_SUSPENDED', { account: c.from });
      return moveBetween(s, 'transfer', c.transferId, from, to, coin, c.amount);
    }
    case 'adjust': {
      const from = findOwner(s, c.from);
      if (from === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.from });
      const to = findOwner(s, c.to);
      if (to === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.to });
      const coin = s.coinIndex.get(c.coin);
      if (coin === undefined) return refuse('UNKNOWN_COIN', { coin: c.coin });
      if (from === to) return conflict('to');
      return moveBetween(s, 'adjustment', c.adjustmentId, from, to, coin, c.amount);
    }
    case 'contribute_capital':
    case 'withdraw_capital':
      return moveCapital(s, c);
  }
}

function findOwner(s: State, owner: OwnerRef): Account | undefined {
  if (typeof owner === 'number') return findAccount(s, owner);
  if (owner === 'fees') return s.fees;
  if (owner === 'suspense') return s.suspense;
  // Version 1 did not have this account.
  if (owner === 'capital') return s.rules >= 2 ? s.capital : undefined;
  return owner === 'adjustments' ? s.adjustments : undefined;
}

const isBadAmount = (amount: bigint): boolean => amount <= 0n || amount > LIMITS.amountMax;

function journalKind(kind: JournalKind): number {
  return JOURNALS.indexOf(kind);
}

/** The source must be funded: nothing in the ledger is made from nothing. */
function moveBetween(
  s: State,
  kind: JournalKind,
  id: string,
  from: Account,
  to: Account,
  coin: number,
  amount: bigint,
): Refusal | undefined {
  if (isBadAmount(amount)) return outOfRange('amount');
  const available = toBigint(s.rows, rowOf(s, from, coin) + AVAILABLE * LIMBS);
  if (amount > available) {
    return refuse('INSUFFICIENT_FUNDS', { coin: s.coins[coin]!.name, required: amount, available });
  }
  fromBigint(s.scratch, AMOUNT, amount);
  journalNamed(s, journalKind(kind), id);
  debit(s, from, coin, AVAILABLE, s.scratch, AMOUNT);
  credit(s, to, coin, AVAILABLE, s.scratch, AMOUNT);
  return undefined;
}

/** What users and the venue own of a coin must equal what custody owes. */
function issued(s: State, coin: number): bigint {
  let sum = 0n;
  for (const network of s.custody) sum -= network[coin] ?? 0n;
  return sum;
}

function postCustody(s: State, network: string, coin: number, amount: bigint): void {
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
const isOfVenue = (s: State, network: string): boolean =>
  s.money === '' || (s.money === 'simulated') === (network === SIMULATED_NETWORK);

/** Moves money over a network, between custody and the venue's capital. */
function moveCapital(s: State, c: ContributeCapital | WithdrawCapital): Refusal | undefined {
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
  const available = toBigint(s.rows, rowOf(s, s.capital, coin) + AVAILABLE * LIMBS);
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

function creditDeposit(s: State, c: CreditDeposit): Refusal | undefined {
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

function requestWithdrawal(s: State, c: RequestWithdrawal): Refusal | undefined {
  const account = findAccount(s, c.account);
  if (account === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  const coin = s.coinIndex.get(c.coin);
  if (coin === undefined) return refuse('UNKNOWN_COIN', { coin: c.coin });
  if (!isOfVenue(s, c.network))
    return refuse('WITHDRAW_NOT_ACTIVE', { network: c.network, money: s.money });
  if (!s.coins[coin]!.networks.includes(c.network))
    return refuse('UNKNOWN_NETWORK', { network: c.network });
  if (account.suspended) return refuse('ACCOUNT_SUSPENDED', { account: c.account });
  if (isBadAmount(c.amount)) return outOfRange('amount');
  if (c.fee < 0n || c.fee >= c.amount) return outOfRange('fee');
  const available = toBigint(s.rows, rowOf(s, account, coin) + AVAILABLE * LIMBS);
  if (c.amount > available) {
    return refuse('INSUFFICIENT_FUNDS', { coin: c.coin, required: c.amount, available });
  }
  const { withdrawalId: id, network, amount, fee } = c;
  s.withdrawals.set(id, {
    id,
    account: c.account,
    coin,
    network,
    amount,
    fee,
    status: 'pending',
  });
  fromBigint(s.scratch, AMOUNT, amount);
  journalNamed(s, journalKind('withdrawal'), id);
  debit(s, account, coin, AVAILABLE, s.scratch, AMOUNT);
  credit(s, account, coin, PENDING_WITHDRAW, s.scratch, AMOUNT);
  writeChange(s, { withdrawalId: id, account: c.account, status: 'pending', network, fee });
  return undefined;
}

function writeChange(s: State, change: WithdrawalChange): void {
  const at = s.tape.begin(tape.NOTE, 1);
  s.tape.u32[at * 2] = tape.NOTE_WITHDRAWAL;
  s.tape.u32[at * 2 + 1] = s.tape.note(change);
}

/** Pays a withdrawal out of the ledger, or gives it back to the account. */
export function endWithdrawal(s: State, c: SettleWithdrawal | CancelWithdrawal): void {
  const { withdrawalId } = c;
  const w = s.withdrawals.get(withdrawalId);
  // Version 1 treated a forgotten withdrawal as one that never existed.
  if (s.rules >= 2 && w === undefined && (c.checkpoint ?? 0) < s.causesForgottenThrough) {
    writeResult(s, tape.R_LOOKUP_AGAIN, 0, s.causesForgottenThrough);
    return;
  }
  beginStep(s, c.time, 0);
  const wanted = c.type === 'settle_withdrawal' ? 'settled' : 'canceled';
  if (w === undefined || w.status !== 'pending') {
    endStep(s);
    if (w?.status === wanted) writeResult(s, tape.R_MOVED, 1, 0);
    else
      writeRefusal(s, refuse('WITHDRAW_FINAL', { withdrawalId, status: w?.status ?? 'unknown' }));
    return;
  }
  w.status = wanted;
  const account = findAccount(s, w.account)!;
  fromBigint(s.scratch, AMOUNT, w.amount);
  if (wanted === 'settled') {
    journalNamed(s, journalKind('withdrawal_settled'), withdrawalId);
    debit(s, account, w.coin, PENDING_WITHDRAW, s.scratch, AMOUNT);
    postCustody(s, w.network, w.coin, w.amount - w.fee);
    if (w.fee > 0n) {
      fromBigint(s.scratch, AMOUNT, w.fee);
      credit(s, s.fees, w.coin, AVAILABLE, s.scratch, AMOUNT);
    }
  } else {
    journalNamed(s, journalKind('withdrawal_canceled'), withdrawalId);
    debit(s, account, w.coin, PENDING_WITHDRAW, s.scratch, AMOUNT);
    credit(s, account, w.coin, AVAILABLE, s.scratch, AMOUNT);
  }
  rememberCause(s, `w:${withdrawalId}`, withdrawalTerms(w));
  const { network, fee } = w;
  writeChange(s, { withdrawalId, account: w.account, status: wanted, network, fee });
  endStep(s);
  writeResult(s, tape.R_MOVED, 0, 0);
}

function rememberCause(s: State, key: string, terms: string): void {
  s.causes.set(key, { terms, seq: s.engineSeq });
  for (let i = 0; i < FORGETS_AT_ONCE && s.causes.size > s.config.memory; i++) forgetOldestCause(s);
}

export function forgetOldestCause(s: State): void {
  // A Map iterates in the order of insertion, so the first entry is the oldest.
  for (const [oldest, cause] of s.causes) {
    s.causes.delete(oldest);
    s.causesForgottenThrough = cause.seq;
    if (oldest.startsWith('w:')) s.withdrawals.delete(oldest.slice(2));
    break;
  }
}
