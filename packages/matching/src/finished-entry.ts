// One finished order in words. An entry leaves out what follows from the rest, and takes about ninety bytes of the
// four hundred of a record. The same order has the same words on every machine, and snapshots hold them as
// they are: a change of this form is a new format of snapshots.

import { assert } from './assert.ts';
import * as record from './record.ts';
import type { OrderPool } from './record.ts';
import { setZero } from './wide.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const {
  ACCOUNT,
  ASKED_PRICE,
  ASKED_STOP,
  ASKED_VISIBLE,
  ASKED_VOLUME,
  CELLS,
  CLIENT,
  CLIENT_HASH,
  CLIENT_WORDS,
  CREATED,
  DECIMALS,
  EXPIRE,
  FEE,
  FILLED,
  FILLED_TOTAL,
  FLAGS,
  FLAG_HAS_CLIENT,
  HELD,
  ID,
  LAST_TRADE,
  LEVEL,
  LINK,
  MARKET,
  MINE_NEXT,
  MINE_PREV,
  NEXT,
  NONE,
  PREV,
  PREVENTED,
  PRICE,
  REASON,
  REBATE,
  REMAINING,
  SEQ,
  SHOWN,
  SIDE,
  STATUS,
  STOP,
  STP,
  TIF,
  TIMER_SEQ,
  TOTAL,
  TRIGGERED,
  TYPE,
  UPDATED,
  VISIBLE,
  VOLUME,
} = record;

// The first words of an entry. Its length is the lowest byte of the first.
const HEAD = 0; // words of the entry | upper 21 bits of the id << 8
const ID_LOW = 1;
const HASH = 2;
const OWNER = 3;
const PRESENT = 4; // doubles that are written | client words << 16 | has a link << 20 | flags << 21 | side << 26
const WIDTHS = 5; // doubles of two words | words of each amount, three bits each << 16
const PLACE = 6; // decimals of price | of volume << 5 | market << 10
const KINDS = 7; // type | time in force << 4 | stp << 8 | status << 12 | reason << 16
const CREATED_LOW = 8;
const CREATED_HIGH = 9;
export const SHORTEST = 10;
/** Fixed words, 16 doubles of two, four amounts of five, a link and nine of the client id. */
export const LONGEST = SHORTEST + 32 + 20 + 1 + CLIENT_WORDS;

/**
 * Each may depend on those before it. The sequence is the first, so that it is found without reading the
 * others.
 */
const DOUBLES: readonly number[] = [
  SEQ,
  PRICE,
  STOP,
  VOLUME,
  FILLED,
  PREVENTED,
  VISIBLE,
  REMAINING,
  UPDATED,
  LAST_TRADE,
  TRIGGERED,
  EXPIRE,
  ASKED_PRICE,
  ASKED_STOP,
  ASKED_VOLUME,
  ASKED_VISIBLE,
];
const AMOUNTS: readonly number[] = [TOTAL, FILLED_TOTAL, FEE, REBATE];
const TWO16 = 65_536;
const TWO32 = 4_294_967_296;

// Entries go into snapshots as bytes.
assert(new Uint8Array(new Uint32Array([1]).buffer)[0] === 1, 'words begin with their lowest byte');

export const lengthAt = (words: Uint32Array, place: number): number => words[place]! & 255;

export const idAt = (words: Uint32Array, place: number): number =>
  (words[place + HEAD]! >>> 8) * TWO32 + words[place + ID_LOW]!;

export const hashAt = (words: Uint32Array, place: number): number => words[place + HASH]! | 0;

export function setHashAt(words: Uint32Array, place: number, hash: number): void {
  words[place + HASH] = hash;
}

export const accountAt = (words: Uint32Array, place: number): number => words[place + OWNER]!;

export const hasClientAt = (words: Uint32Array, place: number): boolean =>
  ((words[place + PRESENT]! >>> 21) & FLAG_HAS_CLIENT) !== 0;

/** The sequence of the step in which the order finished. */
export function seqAt(words: Uint32Array, place: number): number {
  if ((words[place + PRESENT]! & 1) === 0) return 0;
  const isWide = (words[place + WIDTHS]! & 1) !== 0;
  return words[place + SHORTEST]! + (isWide ? words[place + SHORTEST + 1]! * TWO32 : 0);
}

/** The word of the client id at this place of it; zero after its end. */
export function clientWordAt(words: Uint32Array, place: number, index: number): number {
  const count = (words[place + PRESENT]! >>> 16) & 15;
  return index < count ? words[place + lengthAt(words, place) - count + index]! : 0;
}

// Where the entry ends so far, and which doubles it has.
let end = 0;
let present = 0;
let widths = 0;

function put(words: Uint32Array, bit: number, value: number): void {
  present |= bit;
  if (value < TWO32) {
    words[end++] = value;
    return;
  }
  const high = Math.floor(value / TWO32);
  widths |= bit;
  words[end] = value - high * TWO32;
  words[end + 1] = high;
  end += 2;
}

/** Writes the order in the slot at words[place …], where there is room, and gives the length. */
export function writeEntry(
  words: Uint32Array,
  place: number,
  { f64, u32 }: OrderPool,
  slot: number,
): number {
  const cell = slot * CELLS;
  const word = cell * 2;
  const created = f64[cell + CREATED]!;
  const createdHigh = Math.floor(created / TWO32);
  words[place + OWNER] = u32[word + ACCOUNT]!;
  const decimals = u32[word + DECIMALS]!;
  words[place + PLACE] = (decimals & 31) | ((decimals >> 8) << 5) | (u32[word + MARKET]! << 10);
  words[place + KINDS] =
    u32[word + TYPE]! |
    (u32[word + TIF]! << 4) |
    (u32[word + STP]! << 8) |
    (u32[word + STATUS]! << 12) |
    (u32[word + REASON]! << 16);
  words[place + CREATED_LOW] = created - createdHigh * TWO32;
  words[place + CREATED_HIGH] = createdHigh;
  end = place + SHORTEST;
  present = 0;
  widths = 0;
  writeDoubles(words, f64, cell);
  for (let i = 0; i < AMOUNTS.length; i++) {
    const length = putAmount(words, end, f64, cell + AMOUNTS[i]!);
    widths |= length << (16 + i * 3);
    end += length;
  }
  const link = u32[word + LINK]!;
  if (link !== 0) words[end++] = link;
  const flags = u32[word + FLAGS]!;
  let clients = 0;
  if ((flags & FLAG_HAS_CLIENT) !== 0) {
    const at = word + CLIENT;
    while (clients < CLIENT_WORDS && u32[at + clients] !== 0) {
      words[end++] = u32[at + clients]!;
      clients += 1;
    }
  }
  words[place + HASH] = clients === 0 ? 0 : u32[word + CLIENT_HASH]!;
  words[place + PRESENT] =
    present |
    (clients << 16) |
    (link === 0 ? 0 : 1 << 20) |
    (flags << 21) |
    (u32[word + SIDE]! << 26);
  words[place + WIDTHS] = widths;
  const id = f64[cell + ID]!;
  const idHigh = Math.floor(id / TWO32);
  words[place + ID_LOW] = id - idHigh * TWO32;
  words[place + HEAD] = (end - place) | (idHigh << 8);
  return end - place;
}

/** What usual() says, spelled out: this is done for every order that ends. */
function writeDoubles(words: Uint32Array, f64: Float64Array, cell: number): void {
  const price = f64[cell + PRICE]!;
  const stop = f64[cell + STOP]!;
  const volume = f64[cell + VOLUME]!;
  const filled = f64[cell + FILLED]!;
  const prevented = f64[cell + PREVENTED]!;
  const visible = f64[cell + VISIBLE]!;
  const remaining = f64[cell + REMAINING]!;
  const created = f64[cell + CREATED]!;
  const updated = f64[cell + UPDATED]!;
  const lastTrade = f64[cell + LAST_TRADE]!;
  if (f64[cell + SEQ] !== 0) put(words, 1, f64[cell + SEQ]!);
  if (price !== 0) put(words, 1 << 1, price);
  if (stop !== 0) put(words, 1 << 2, stop);
  if (volume !== 0) put(words, 1 << 3, volume);
  if (filled !== 0) put(words, 1 << 4, filled);
  if (prevented !== 0) put(words, 1 << 5, prevented);
  if (visible !== 0) put(words, 1 << 6, visible);
  if (remaining !== volume - filled - prevented) put(words, 1 << 7, remaining);
  // Mostly seconds or days after it was created.
  if (updated !== created) put(words, 1 << 8, updated - created);
  if (lastTrade !== (filled > 0 ? updated : 0)) put(words, 1 << 9, lastTrade);
  if (f64[cell + TRIGGERED] !== 0) put(words, 1 << 10, f64[cell + TRIGGERED]!);
  if (f64[cell + EXPIRE] !== 0) put(words, 1 << 11, f64[cell + EXPIRE]!);
  if (f64[cell + ASKED_PRICE] !== price) put(words, 1 << 12, f64[cell + ASKED_PRICE]!);
  if (f64[cell + ASKED_STOP] !== stop) put(words, 1 << 13, f64[cell + ASKED_STOP]!);
  if (f64[cell + ASKED_VOLUME] !== volume) put(words, 1 << 14, f64[cell + ASKED_VOLUME]!);
  if (f64[cell + ASKED_VISIBLE] !== visible) put(words, 1 << 15, f64[cell + ASKED_VISIBLE]!);
}

/** What a double is if it is not written, given those before it. */
function usual(f64: Float64Array, cell: number, field: number): number {
  switch (field) {
    case REMAINING:
      return f64[cell + VOLUME]! - f64[cell + FILLED]! - f64[cell + PREVENTED]!;
    case UPDATED:
      return f64[cell + CREATED]!;
    case LAST_TRADE:
      return f64[cell + FILLED]! > 0 ? f64[cell + UPDATED]! : 0;
    case ASKED_PRICE:
      return f64[cell + PRICE]!;
    case ASKED_STOP:
      return f64[cell + STOP]!;
    case ASKED_VOLUME:
      return f64[cell + VOLUME]!;
    case ASKED_VISIBLE:
      return f64[cell + VISIBLE]!;
    default:
      return 0;
  }
}

/** Writes the entry into the slot as a record that is in no book and no list. */
export function readEntry(
  words: Uint32Array,
  place: number,
  { f64, u32, i32 }: OrderPool,
  slot: number,
): void {
  const cell = slot * CELLS;
  const word = cell * 2;
  const has = words[place + PRESENT]!;
  const wide = words[place + WIDTHS]!;
  const kinds = words[place + KINDS]!;
  const decimals = words[place + PLACE]!;
  const created = words[place + CREATED_LOW]! + words[place + CREATED_HIGH]! * TWO32;
  f64[cell + ID] = idAt(words, place);
  f64[cell + CREATED] = created;
  let at = place + SHORTEST;
  for (let i = 0; i < DOUBLES.length; i++) {
    const field = DOUBLES[i]!;
    if ((has & (1 << i)) === 0) {
      f64[cell + field] = usual(f64, cell, field);
      continue;
    }
    let value = words[at++]!;
    if ((wide & (1 << i)) !== 0) value += words[at++]! * TWO32;
    f64[cell + field] = field === UPDATED ? created + value : value;
  }
  for (let i = 0; i < AMOUNTS.length; i++) {
    const length = (wide >>> (16 + i * 3)) & 7;
    getAmount(words, at, length, f64, cell + AMOUNTS[i]!);
    at += length;
  }
  setZero(f64, cell + HELD);
  u32[word + LINK] = (has & (1 << 20)) === 0 ? 0 : words[at]!;
  u32[word + ACCOUNT] = words[place + OWNER]!;
  u32[word + MARKET] = decimals >>> 10;
  u32[word + DECIMALS] = (decimals & 31) | (((decimals >>> 5) & 31) << 8);
  u32[word + SIDE] = (has >>> 26) & 1;
  u32[word + FLAGS] = (has >>> 21) & 31;
  u32[word + TYPE] = kinds & 15;
  u32[word + TIF] = (kinds >>> 4) & 15;
  u32[word + STP] = (kinds >>> 8) & 15;
  u32[word + STATUS] = (kinds >>> 12) & 15;
  u32[word + REASON] = kinds >>> 16;
  for (let i = 0; i < CLIENT_WORDS; i++) {
    u32[word + CLIENT + i] = clientWordAt(words, place, i);
  }
  u32[word + CLIENT_HASH] = words[place + HASH]!;
  for (const link of [NEXT, PREV, MINE_NEXT, MINE_PREV, LEVEL]) {
    i32[word + link] = NONE;
  }
  f64[cell + SHOWN] = 0;
  f64[cell + TIMER_SEQ] = 0;
}

/** Writes the wide integer at a[i] without the zeros above it, and gives how many words it took. */
function putAmount(words: Uint32Array, at: number, a: Float64Array, i: number): number {
  const low = a[i]!;
  const middle = a[i + 1]!;
  const high = a[i + 2]!;
  if (low === 0 && middle === 0 && high === 0) return 0;
  const lowHigh = Math.floor(low / TWO32);
  const middleHigh = Math.floor(middle / TWO16);
  const highHigh = Math.floor(high / TWO32);
  words[at] = low - lowHigh * TWO32;
  words[at + 1] = lowHigh + (middle - middleHigh * TWO16) * TWO16;
  words[at + 2] = middleHigh;
  words[at + 3] = high - highHigh * TWO32;
  words[at + 4] = highHigh;
  let length = 5;
  while (words[at + length - 1] === 0) length -= 1;
  return length;
}

function getAmount(
  words: Uint32Array,
  at: number,
  length: number,
  a: Float64Array,
  i: number,
): void {
  const second = length > 1 ? words[at + 1]! : 0;
  const third = length > 2 ? words[at + 2]! : 0;
  a[i] = (length > 0 ? words[at]! : 0) + (second & 0xffff) * TWO32;
  a[i + 1] = (second >>> 16) + third * TWO16;
  a[i + 2] = (length > 3 ? words[at + 3]! : 0) + (length > 4 ? words[at + 4]! * TWO32 : 0);
}
