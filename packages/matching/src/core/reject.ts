// Refusals as values. They are made only when something is refused, so they may be plain objects.

import { REJECTION_CODES } from '../outcome.ts';
import type { DetailValue, RejectionCode, RejectionName } from '../outcome.ts';
import type { State } from '../state.ts';
import * as tape from '../tape.ts';
import { NONE } from '../record.ts';
import { writeOrder } from './step.ts';

export interface Refusal {
  code: RejectionCode;
  details: Record<string, DetailValue>;
  /** Slot of the order concerned, or NONE. */
  slot: number;
}

export const refuse = (
  name: RejectionName,
  details: Record<string, DetailValue> = {},
  slot: number = NONE,
): Refusal => ({ code: REJECTION_CODES[name], details, slot });

export const outOfRange = (parameter: string): Refusal => refuse('PARAMETER_RANGE', { parameter });
export const conflict = (parameter: string): Refusal => refuse('PARAMETER_CONFLICT', { parameter });

/** Writes a result with one word and one double of its own. */
export function writeResult(s: State, kind: number, argument: number, value: number): void {
  const at = s.tape.begin(tape.RESULT, 2);
  s.tape.u32[at * 2] = kind;
  s.tape.u32[at * 2 + 1] = argument;
  s.tape.f64[at + 1] = value;
}

export function writeRefusal(s: State, refusal: Refusal): void {
  const note = s.tape.note(refusal);
  writeResult(s, tape.R_REJECTED, note, refusal.slot === NONE ? 0 : 1);
  // The order is copied as it is now, because another order may get the slot later.
  if (refusal.slot !== NONE) writeOrder(s, tape.ORDER, refusal.slot);
}
