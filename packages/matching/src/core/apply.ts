// The one way in: apply a command, after everything that fell due before it.

import { assert } from '../assert.ts';
import type { Command } from '../command.ts';
import { decodeOutcome } from '../decode.ts';
import { EXPIRED, reasonNumber } from '../names.ts';
import type { Outcome } from '../outcome.ts';
import { NONE } from '../record.ts';
import type { State } from '../state.ts';
import * as tape from '../tape.ts';
import type { Tape } from '../tape.ts';
import { administer, enterPhase, isAdminType } from './admin.ts';
import type { AdminCommand } from './admin.ts';
import { amend } from './amend.ts';
import { cancel, cancelAll, cancelAllAfter, cancelBatch, writeTimer } from './cancel.ts';
import { changePhase } from './phase.ts';
import { finish, shelveFinished } from './finish.ts';
import { endWithdrawal, move } from './money.ts';
import { place, placeBatch, testOrder } from './place.ts';
import { placeList } from './place-list.ts';
import { refuse, writeRefusal, writeResult } from './reject.ts';
import { replace } from './replace.ts';
import { beginStep, endStep } from './step.ts';
import { cancelMarket, cancelMine, sweepOn } from './sweep.ts';
import { runStarted } from './trigger.ts';

const CAUSE_GTD = 3;
const CAUSE_DEAD_MAN = 4;
const CAUSE_PHASE_END = 5;
const REASON_GTD = reasonNumber('gtd');
/** How long a market admits only post-only orders after an automatic halt. */
const AFTER_HALT_MS = 60_000;

/**
 * Applies one command and gives what happened as plain objects. A refusal is an answer like any
 * other; a throw means a broken assumption, and the state must then be dropped.
 */
export function apply(s: State, command: Command): Outcome {
  s.ownTape.clear();
  applyTo(s, command, s.ownTape);
  return decodeOutcome(s, s.ownTape, 0).outcome;
}

/** The same, written at the end of a tape; makes no garbage on the common paths. */
export function applyTo(s: State, command: Command, out: Tape): void {
  assert(command.time >= s.time, 'time went backwards');
  s.tape = out;
  const { time } = command;
  if (s.gtd.isDue(time) || s.deadMan.isDue(time) || s.phaseEnds.isDue(time)) fireDue(s, time);
  dispatch(s, command);
  // What a command without trades has started, such as the exits of an entry that it canceled.
  runStarted(s, time);
  shelveFinished(s);
  out.begin(tape.END, 0);
}

/**
 * Fires what is due by the time, in order of due time, then of the sequence it was set in. From
 * rules 2 on, one command fires a bounded number; the rest stays due and the engine ticks again at
 * once.
 */
function fireDue(s: State, time: number): void {
  let left = s.rules >= 2 ? s.config.sweepStep : Infinity;
  while (left > 0) {
    const { gtd, deadMan, phaseEnds } = s;
    let first = gtd;
    if (isBefore(deadMan, first)) first = deadMan;
    if (isBefore(phaseEnds, first)) first = phaseEnds;
    if (first.due > time) return;
    const item = first.top;
    left -= 1;
    if (first === gtd) {
      beginStep(s, time, CAUSE_GTD);
      finish(s, item, EXPIRED, REASON_GTD);
    } else if (first === deadMan) {
      beginStep(s, time, CAUSE_DEAD_MAN);
      deadMan.remove(item);
      const account = s.accounts[item]!;
      writeTimer(s, account, 0);
      left -= cancelMine(s, account, undefined, NONE, 'dead_man').orderIds.length;
    } else {
      beginStep(s, time, CAUSE_PHASE_END);
      const market = s.markets[item]!;
      const auctionSeconds = s.rules >= 4 ? (market.config.auctionSeconds ?? 0) : 0;
      if (market.phase !== 'halted') enterPhase(s, market, market.nextPhase, 0);
      else if (auctionSeconds > 0) enterPhase(s, market, 'auction', time + auctionSeconds * 1000);
      else changePhase(s, market, 'post_only', time + AFTER_HALT_MS, 'continuous');
    }
    endStep(s);
    runStarted(s, time);
  }
}

const isBefore = (a: State['gtd'], b: State['gtd']): boolean =>
  a.due < b.due || (a.due === b.due && a.seq < b.seq);

function dispatch(s: State, c: Command): void {
  switch (c.type) {
    case 'place':
      place(s, c);
      return;
    case 'cancel':
      cancel(s, c);
      return;
    case 'amend':
      amend(s, c);
      return;
    case 'place_batch':
      placeBatch(s, c);
      return;
    case 'cancel_batch':
      cancelBatch(s, c);
      return;
    case 'cancel_all':
      cancelAll(s, c);
      return;
    case 'cancel_all_after':
      cancelAllAfter(s, c);
      return;
    case 'cancel_market':
      if (s.rules >= 2) cancelMarket(s, c);
      else passOver(s, c.time);
      return;
    case 'sweep':
      if (s.rules >= 2) sweepOn(s, c);
      else passOver(s, c.time);
      return;
    case 'test':
      testOrder(s, c);
      return;
    case 'tick':
      writeResult(s, tape.R_DONE, 0, 0);
      return;
    case 'credit_deposit':
    case 'request_withdrawal':
    case 'transfer':
    case 'adjust':
      move(s, c);
      return;
    case 'contribute_capital':
    case 'withdraw_capital':
      if (s.rules >= 2) {
        move(s, c);
        return;
      }
      // Version 1 did not know them, and did nothing.
      beginStep(s, c.time, 0);
      endStep(s);
      writeResult(s, tape.R_DONE, 0, 0);
      return;
    case 'reverse_deposit':
    case 'book_chain_cost':
      if (s.rules >= 5) move(s, c);
      else refuseUnknown(s, c);
      return;
    case 'settle_withdrawal':
    case 'cancel_withdrawal':
      endWithdrawal(s, c);
      return;
    case 'place_list':
      if (s.rules >= 4) placeList(s, c);
      else refuseUnknown(s, c);
      return;
    case 'replace':
      if (s.rules >= 4) replace(s, c);
      else refuseUnknown(s, c);
      return;
    case 'set_fee_tiers':
      if (s.rules >= 4) operate(s, c);
      else refuseUnknown(s, c);
      return;
    default:
      if (isAdminType(c.type)) operate(s, c);
      else refuseUnknown(s, c);
  }
}

function operate(s: State, c: AdminCommand): void {
  beginStep(s, c.time, 0);
  const bad = administer(s, c);
  endStep(s);
  if (bad === undefined) writeResult(s, tape.R_DONE, 0, 0);
  else writeRefusal(s, bad);
  runStarted(s, c.time);
}

/** A command whose type these rules do not know. */
function refuseUnknown(s: State, c: Command): void {
  if (s.rules >= 2) writeRefusal(s, refuse('PARAMETER_INVALID', { parameter: 'type' }));
  else passOver(s, c.time);
}

/** Version 1 treated a command of an unknown type as one that does nothing, and journaled it. */
function passOver(s: State, time: number): void {
  beginStep(s, time, 0);
  endStep(s);
  writeResult(s, tape.R_DONE, 0, 0);
}
