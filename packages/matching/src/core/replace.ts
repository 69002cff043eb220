// Replacing: one order is canceled and another one placed, with nothing in between.

import type { Replace } from '../command.ts';
import { CANCELED, STATUSES } from '../names.ts';
import { CELLS, ID, NONE, STATUS } from '../record.ts';
import { findAccount } from '../state.ts';
import type { State } from '../state.ts';
import * as tape from '../tape.ts';
import { cancelOne, findOrder, isFinal } from './cancel.ts';
import { mustLookUpAgain, placeOne, writeLookUpAgain } from './place.ts';
import { recall } from './recall.ts';
import { refuse, writeRefusal, writeResult } from './reject.ts';
import type { Refusal } from './reject.ts';
import { beginStep, endStep, writeOrder } from './step.ts';
import { runStarted } from './trigger.ts';

const CAUSE_COMMAND = 0;

/**
 * Whether the new order exists already is decided before anything is canceled: a caller that repeats
 * the command must not lose a second order. So a client id that belongs to another order refuses the
 * whole, and cancels nothing.
 */
export function replace(s: State, c: Replace): void {
  if (mustLookUpAgain(s, c.account, c.order, c.checkpoint)) {
    writeLookUpAgain(s);
    return;
  }
  beginStep(s, c.time, CAUSE_COMMAND);
  const known = findKnown(s, c);
  if (typeof known !== 'number') {
    endStep(s);
    writeRefusal(s, known);
    return;
  }
  if (known !== NONE) {
    endStep(s);
    writeReplay(s, c, known);
    return;
  }
  const old = cancelOne(s, c.account, c, undefined, undefined, 'user');
  endStep(s);
  if (typeof old === 'number') {
    writeResult(s, tape.R_CANCELED, 0, s.pool.f64[old * CELLS + ID]!);
    // A canceled entry of a bracket lets its exits begin.
    runStarted(s, c.time);
  } else {
    writeRefusal(s, old);
    if (c.mode === 'stop_on_failure') {
      writeResult(s, tape.R_REPLACED, 1, 0);
      return;
    }
  }
  placeOne(s, c.account, c.order, c.time, CAUSE_COMMAND);
  writeResult(s, tape.R_REPLACED, 2, 0);
}

/** The slot of the new order if it exists already, NONE if not, or why nothing is replaced. */
function findKnown(s: State, c: Replace): number | Refusal {
  if (c.mode !== 'stop_on_failure' && c.mode !== 'allow_failure') {
    return refuse('PARAMETER_INVALID', { parameter: 'mode' });
  }
  const known = recall(s, c.account, c.order);
  if (typeof known !== 'number' || known === NONE) return known;
  const old = findOrder(s, findAccount(s, c.account)!, c);
  if (old === NONE || isFinal(s.pool.u32[old * CELLS * 2 + STATUS]!)) return known;
  // The known order cannot have replaced one that is still live.
  return refuse('CLIENT_ORDER_ID_CONFLICT', {
    clientOrderId: c.order.clientOrderId ?? '',
    orderId: s.pool.f64[known * CELLS + ID]!,
  });
}

/** Both orders as they are now. */
function writeReplay(s: State, c: Replace, known: number): void {
  const old = findOrder(s, findAccount(s, c.account)!, c);
  if (old === NONE) writeRefusal(s, refuse('ORDER_NOT_FOUND'));
  else {
    const status = s.pool.u32[old * CELLS * 2 + STATUS]!;
    if (status === CANCELED) {
      writeResult(s, tape.R_CANCELED, 1, 0);
      writeOrder(s, tape.ORDER, old);
    } else writeRefusal(s, refuse('ORDER_FINAL', { status: STATUSES[status]! }, old));
  }
  writeResult(s, tape.R_REPLAY, 0, 0);
  writeOrder(s, tape.ORDER, known);
  writeResult(s, tape.R_REPLACED, 2, 0);
}
