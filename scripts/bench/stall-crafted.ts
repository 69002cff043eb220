// Client ids that an attacker crafts to share one place of the table: the hash of version 1 of the
// core has no key, and each of its steps can be inverted. With the keyed hash they are ordinary
// ids.
import { assert } from '../../server/src/platform/std/assert.ts';

const STEP = 0x9e3779b1;
/** STEP times this is 1, in 32 bits. */
const STEP_BACK = inverse(STEP);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-';
const PERMITTED = new Set(Buffer.from(LETTERS));
/** The hash they all share, before the last mixing. */
const TARGET = 0x5ca1ab1e | 0;

/** This many ids of twelve characters, all with one hash for this account. */
export function craftClientIds(account: number, count: number): string[] {
  const ids: string[] = [];
  const wanted = Math.imul(unshift(TARGET), STEP_BACK);
  for (let n = 0; ids.length < count; n += 1) {
    const first = toWord(n);
    const second = toWord(Math.floor(n / LETTERS.length ** 4));
    const last = wanted ^ mix(mix(account | 0, first), second);
    if (!isPermitted(last)) continue;
    assert(mix(mix(mix(account | 0, first), second), last) === TARGET, 'the hash was undone');
    ids.push(toText(first) + toText(second) + toText(last));
  }
  return ids;
}

function mix(hash: number, word: number): number {
  const mixed = Math.imul(hash ^ word, STEP);
  return mixed ^ (mixed >>> 15);
}

/** Inverts `h ^ (h >>> 15)`. */
function unshift(mixed: number): number {
  let hash = mixed;
  for (let round = 0; round < 3; round += 1) hash = mixed ^ (hash >>> 15);
  return hash;
}

function inverse(odd: number): number {
  let result = odd;
  // Each round doubles the number of correct bits.
  for (let round = 0; round < 5; round += 1) {
    result = Math.imul(result, 2 - Math.imul(odd, result));
  }
  return result;
}

/** Four permitted characters, the first in the lowest byte. */
function toWord(number: number): number {
  let word = 0;
  let rest = number;
  for (let at = 0; at < 4; at += 1) {
    word |= LETTERS.charCodeAt(rest % LETTERS.length) << (at * 8);
    rest = Math.floor(rest / LETTERS.length);
  }
  return word;
}

const bytesOf = (word: number): number[] => [0, 8, 16, 24].map((shift) => (word >>> shift) & 0xff);
const isPermitted = (word: number): boolean => bytesOf(word).every((byte) => PERMITTED.has(byte));
const toText = (word: number): string => String.fromCharCode(...bytesOf(word));
