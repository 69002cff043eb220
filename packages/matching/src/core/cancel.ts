// Cancelling: one order, several, all, or all when a caller falls silent.

import { LIMITS } from '../command.ts';
import type { Cancel, CancelAll, CancelAllAfter, CancelBatch, OrderRef } from '../command.ts';
import * as names from '../names.ts';
import { STATUSES, reasonNumber } from '../names.ts';
import type { StatusReason } from '../outcome.ts';
import * as record from '../record.ts';
import { findAccount, findMarket } from '../state.ts';
import type { Account, State } from '../state.ts';
import * as tape from '../tape.ts';
import { finish } from './finish.ts';
import { findByClient } from './recall.ts';
import { outOfRange, refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { beginStep, endStep } from './step.ts';
import { cancelMine, parseSide, refuseSweep } from './sweep.ts';
import type { Swept } from './sweep.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { R_BATCH, R_CANCELED, R_CANCELED_ALL, R_TIMER, TIMER } = tape;
const { CANCELED, STATUS_FILLED } = names;
const { ACCOUNT, CELLS, ID, MARKET, NONE, STATUS } = record;

const CAUSE_COMMAND = 0;

/** An order of this account, live or remembered. Orders of other accounts count as missing. */
export function findOrder(s: State, account: Account, ref: OrderRef): number {
  if (ref.orderId !== undefined) {
    const slot = s.ids.find(ref.orderId);
    if (slot === NONE) return NONE;
    return s.pool.u32[slot * CELLS * 2 + ACCOUNT] === account.index ? slot : NONE;
  }
  return findByClient(s, account, ref.clientOrderId ?? '');
}

export const isFinal = (status: number): boolean => status >= STATUS_FILLED;

/** Cancels one order in the step that is open. Gives its slot, or the refusal. */
export function cancelOne(
  s: State,
  accountId: number,
  ref: OrderRef,
  symbol: string | undefined,
  onlyIf: string | undefined,
  reason: StatusReason,
): number | Refusal {
  const account = findAccount(s, accountId);
  if (account === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: accountId });
  const slot = findOrder(s, account, ref);
  if (slot === NONE) return refuse('ORDER_NOT_FOUND');
  const word = slot * CELLS * 2;
  const { u32 } = s.pool;
  if (symbol !== undefined && s.markets[u32[word + MARKET]!]!.config.symbol !== symbol) {
    return refuse('ORDER_NOT_FOUND');
  }
  const status = STATUSES[u32[word + STATUS]!]!;
  if (isFinal(u32[word + STATUS]!)) return refuse('ORDER_FINAL', { status }, slot);
  if (onlyIf !== undefined && onlyIf !== status) {
    return refuse('PARAMETER_CONFLICT', { parameter: 'onlyIf' }, slot);
  }
  finish(s, slot, CANCELED, reasonNumber(reason));
  return slot;
}

export function cancel(s: State, c: Cancel): void {
  beginStep(s, c.time, CAUSE_COMMAND);
  const result = cancelOne(s, c.account, c, c.symbol, c.onlyIf, c.reason ?? 'user');
  endStep(s);
  if (typeof result === 'number') {
    writeResult(s, R_CANCELED, 0, s.pool.f64[result * CELLS + ID]!);
  } else writeRefusal(s, result);
}

export function cancelBatch(s: State, c: CancelBatch): void {
  beginStep(s, c.time, CAUSE_COMMAND);
  if (c.orders.length < 1 || c.orders.length > LIMITS.batchCancelMax) {
    endStep(s);
    writeRefusal(s, outOfRange('orders'));
    return;
  }
  const reason = c.reason ?? 'user';
  const results = c.orders.map((ref) => cancelOne(s, c.account, ref, undefined, undefined, reason));
  endStep(s);
  for (const result of results) {
    if (typeof result === 'number') {
      writeResult(s, R_CANCELED, 0, s.pool.f64[result * CELLS + ID]!);
    } else writeRefusal(s, result);
  }
  writeResult(s, R_BATCH, results.length, 0);
}

export function cancelAll(s: State, c: CancelAll): void {
  beginStep(s, c.time, CAUSE_COMMAND);
  const result = cancelAllOf(s, c);
  endStep(s);
  if ('code' in result) writeRefusal(s, result);
  else writeResult(s, R_CANCELED_ALL, s.tape.note(result.orderIds), result.sweepId);
}

function cancelAllOf(s: State, c: CancelAll): Swept | Refusal {
  const account = findAccount(s, c.account);
  if (account === undefined) return refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account });
  const market = c.symbol === undefined ? undefined : findMarket(s, c.symbol);
  if (c.symbol !== undefined && market === undefined)
    return refuse('UNKNOWN_SYMBOL', { symbol: c.symbol });
  let side = parseSide(c.side);
  if (typeof side !== 'number') {
    if (s.rules >= 2) return side;
    // Version 1 took an unknown side for both sides.
    side = NONE;
  }
  if (market !== undefined || side !== NONE) {
    const bad = refuseSweep(account);
    if (bad !== undefined) return bad;
  }
  return cancelMine(s, account, market, side, c.reason ?? 'cancel_all');
}

export function writeTimer(s: State, account: Account, due: number): void {
  const at = s.tape.begin(TIMER, 2);
  s.tape.f64[at] = due;
  s.tape.u32[(at + 1) * 2] = account.index;
  s.tape.u32[(at + 1) * 2 + 1] = 0;
}

export function cancelAllAfter(s: State, c: CancelAllAfter): void {
  beginStep(s, c.time, CAUSE_COMMAND);
  const account = findAccount(s, c.account);
  const { timeoutMs } = c;
  const isInRange =
    timeoutMs === 0 ||
    (Number.isInteger(timeoutMs) &&
      timeoutMs >= LIMITS.timerMinMs &&
      timeoutMs <= LIMITS.timerMaxMs);
  if (account === undefined || !isInRange) {
    endStep(s);
    const refusal =
      account === undefined
        ? refuse('SUB_ACCOUNT_UNKNOWN', { account: c.account })
        : outOfRange('timeout');
    writeRefusal(s, refusal);
    return;
  }
  let due = 0;
  if (timeoutMs === 0) s.deadMan.remove(account.index);
  else {
    due = c.time + timeoutMs;
    s.timerSeq += 1;
    s.deadMan.set(account.index, due, s.timerSeq);
  }
  writeTimer(s, account, due);
  endStep(s);
  writeResult(s, R_TIMER, 0, due);
}
