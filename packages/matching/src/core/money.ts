// Movements of money other than trading. Each names its cause, and a cause is executed once:
// sending it again answers that it is done, and sending it with other terms is refused.

import type {
  Adjust,
  BookChainCost,
  CancelWithdrawal,
  ContributeCapital,
  CreditDeposit,
  RequestWithdrawal,
  ReverseDeposit,
  SettleWithdrawal,
  Transfer,
  WithdrawCapital,
} from '../command.ts';
import { AVAILABLE, PENDING_WITHDRAW } from '../names.ts';
import type { JournalKind, WithdrawalChange } from '../outcome.ts';
import { findAccount } from '../state.ts';
import type { Account, Cause, State, Withdrawal } from '../state.ts';
import * as tape from '../tape.ts';
import { fromBigint } from '../wide.ts';
import {
  AMOUNT,
  availableOf,
  bookChainCost,
  creditDeposit,
  findOwner,
  isBadAmount,
  isOfVenue,
  journalKind,
  moveCapital,
  postCustody,
  reversalId,
  reverseDeposit,
} from './custody.ts';
import { FORGETS_AT_ONCE } from './finish.ts';
import { conflict, outOfRange, refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { beginStep, credit, debit, endStep, journalNamed, writeNote } from './step.ts';

export type Movement =
  | CreditDeposit
  | ReverseDeposit
  | RequestWithdrawal
  | Transfer
  | Adjust
  | ContributeCapital
  | WithdrawCapital
  | BookChainCost;

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
    case 'reverse_deposit':
      return {
        key: `r:${reversalId(c)}`,
        terms: `${c.coin}|${c.account}|${c.amount}|${c.cover}`,
      };
    case 'book_chain_cost':
      return { key: `x:${c.costId}`, terms: `${c.coin}|${c.network}|${c.amount}` };
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
    const { terms: before, taken } =
      live === undefined ? recallTerms(c, known!) : { terms: withdrawalTerms(live) };
    endStep(s);
    if (before === terms) writeMoved(s, c, true, taken);
    else writeRefusal(s, refuse('CLIENT_ID_CONFLICT', { id: key.slice(2) }));
    return;
  }
  const made = makeMovement(s, c);
  if (typeof made === 'object') {
    endStep(s);
    writeRefusal(s, made);
    return;
  }
  if (c.type !== 'request_withdrawal') rememberCause(s, key, withTaken(terms, made));
  endStep(s);
  writeMoved(s, c, false, made);
}

/** A reversal is remembered with what it took, because that is its answer when it is sent again. */
const withTaken = (terms: string, taken: bigint | undefined): string =>
  taken === undefined ? terms : `${terms}=${taken}`;

function recallTerms(c: Movement, known: Cause): { terms: string; taken?: bigint } {
  const { terms } = known;
  if (c.type !== 'reverse_deposit') return { terms };
  const at = terms.lastIndexOf('=');
  return { terms: terms.slice(0, at), taken: BigInt(terms.slice(at + 1)) };
}

function writeMoved(s: State, c: Movement, isReplay: boolean, taken: bigint | undefined): void {
  const replay = isReplay ? 1 : 0;
  if (c.type !== 'reverse_deposit' || taken === undefined) {
    writeResult(s, tape.R_MOVED, replay, 0);
    return;
  }
  const note = s.tape.note({ taken, missing: c.amount - taken });
  writeResult(s, tape.R_REVERSED, note, replay);
}

/** Why not; or what a reversal took; or nothing more to say. */
function makeMovement(s: State, c: Movement): Refusal | bigint | undefined {
  switch (c.type) {
    case 'reverse_deposit':
      return reverseDeposit(s, c);
    case 'book_chain_cost':
      return bookChainCost(s, c);
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
  const available = availableOf(s, from, coin);
  if (amount > available) {
    return refuse('INSUFFICIENT_FUNDS', { coin: s.coins[coin]!.name, required: amount, available });
  }
  fromBigint(s.scratch, AMOUNT, amount);
  journalNamed(s, journalKind(kind), id);
  debit(s, from, coin, AVAILABLE, s.scratch, AMOUNT);
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
  const available = availableOf(s, account, coin);
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
  writeNote(s, tape.NOTE_WITHDRAWAL, change);
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
