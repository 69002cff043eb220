// Amendments that came with an id, so that one which is sent again is not made again. They are
// remembered as long as their order is, the newest of each order.

import { LIMITS } from '../command.ts';
import type { Amend } from '../command.ts';
import { CELLS, ID } from '../record.ts';
import type { State } from '../state.ts';
import { refuse } from './reject.ts';
import type { Refusal } from './reject.ts';

const ID_FORM = /^[A-Za-z0-9._:/-]+$/;
const KEPT = 'k';
const MOVED = 'm';

/** A decimal in its shortest form, so that 1.50 equals 1.5. Undefined is empty. */
function shortest(value: number | undefined, decimals: number): string {
  if (value === undefined) return '';
  let [digits, places] = [value, decimals];
  while (places > 0 && digits !== 0 && digits % 10 === 0) {
    digits /= 10;
    places -= 1;
  }
  return `${digits}e${places}`;
}

function termsOf(c: Amend): string {
  const [pd, vd] = [c.priceDecimals ?? 0, c.volumeDecimals ?? 0];
  const prices = `${shortest(c.price, pd)}|${shortest(c.stopPrice, pd)}`;
  return `${prices}|${shortest(c.volume, vd)}|${shortest(c.visibleVolume, vd)}`;
}

const orderKey = (s: State, slot: number): string => String(s.pool.f64[slot * CELLS + ID]!);

/**
 * Answers an amendment that was made before: did the order keep its place then? Undefined if the
 * amendment is new, or a refusal if its id was given to another one.
 */
export function recallAmendment(s: State, slot: number, c: Amend): boolean | Refusal | undefined {
  const { amendId } = c;
  if (amendId === undefined) return undefined;
  if (amendId.length > LIMITS.clientIdMax || !ID_FORM.test(amendId)) {
    return refuse('PARAMETER_INVALID', { parameter: 'amendId' });
  }
  const start = `${amendId}|`;
  const entry = s.amendments.get(orderKey(s, slot))?.find((made) => made.startsWith(start));
  if (entry === undefined) return undefined;
  const terms = entry.slice(start.length);
  if (terms.slice(1) !== termsOf(c)) return refuse('CLIENT_ID_CONFLICT', { id: amendId });
  return terms.startsWith(KEPT);
}

/** Remembers an amendment that was made, if its order is still known. */
export function rememberAmendment(s: State, slot: number, c: Amend, keptPlace: boolean): void {
  // The order may have ended, and with a small memory be forgotten within the same step.
  if (c.amendId === undefined || s.ids.find(s.pool.f64[slot * CELLS + ID]!) !== slot) return;
  const entry = `${c.amendId}|${keptPlace ? KEPT : MOVED}${termsOf(c)}`;
  const made = s.amendments.get(orderKey(s, slot));
  if (made === undefined) {
    s.amendments.set(orderKey(s, slot), [entry]);
    return;
  }
  made.push(entry);
  if (made.length > LIMITS.amendIdsMax) made.shift();
}
