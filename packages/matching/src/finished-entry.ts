// One finished order in words. An entry leaves out what follows from the rest, and takes about ninety bytes of the
// four hundred of a record. The same order has the same words on every machine, and snapshots hold them as
// they are: a change of this form is a new format of snapshots.

import { assert } from './assert.ts';
import * as rec from './record.ts';
import { CELLS, NONE } from './record.ts';
import type { OrderPool } from './record.ts';
import { setZero } from './wide.ts';

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
export const LONGEST = SHORTEST + 32 + 20 + 1 + rec.CLIENT_WORDS;

/**
 * Each may depend on those before it. The sequence is the first, so that it is found without reading the
 * others.
 */
const DOUBLES: readonly number[] = [
  rec.SEQ,
  rec.PRICE,
  rec.STOP,
  rec.VOLUME,
  rec.FILLED,
  rec.PREVENTED,
  rec.VISIBLE,
  rec.REMAINING,
  rec.UPDATED,
  rec.LAST_TRADE,
  rec.TRIGGERED,
  rec.EXPIRE,
  rec.ASKED_PRICE,
  rec.ASKED_STOP,
  rec.ASKED_VOLUME,
  rec.ASKED_VISIBLE,
];
const AMOUNTS: readonly number[] = [rec.TOTAL, rec.FILLED_TOTAL, rec.FEE, rec.REBATE];
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
  ((words[place + PRESENT]! >>> 21) & rec.FLAG_HAS_CLIENT) !== 0;

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
  const created = f64[cell + rec.CREATED]!;
  const createdHigh = Math.floor(created / TWO32);
  words[place + OWNER] = u32[word + rec.ACCOUNT]!;
  const decimals = u32[word + rec.DECIMALS]!;
  words[place + PLACE] = (decimals & 31) | ((decimals >> 8) << 5) | (u32[word + rec.MARKET]! << 10);
  words[place + KINDS] =
    u32[word + rec.TYPE]! |
    (u32[word + rec.TIF]! << 4) |
    (u32[word + rec.STP]! << 8) |
    (u32[word + rec.STATUS]! << 12) |
    (u32[word + rec.REASON]! << 16);
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
  const link = u32[word + rec.LINK]!;
  if (link !== 0) words[end++] = link;
  const flags = u32[word + rec.FLAGS]!;
  let clients = 0;
  if ((flags & rec.FLAG_HAS_CLIENT) !== 0) {
    const at = word + rec.CLIENT;
    while (clients < rec.CLIENT_WORDS && u32[at + clients] !== 0) {
      words[end++] = u32[at + clients]!;
      clients += 1;
    }
  }
  words[place + HASH] = clients === 0 ? 0 : u32[word + rec.CLIENT_HASH]!;
  words[place + PRESENT] =
    present |
    (clients << 16) |
    (link === 0 ? 0 : 1 << 20) |
    (flags << 21) |
    (u32[word + rec.SIDE]! << 26);
  words[place + WIDTHS] = widths;
  const id = f64[cell + rec.ID]!;
  const idHigh = Math.floor(id / TWO32);
  words[place + ID_LOW] = id - idHigh * TWO32;
  words[place + HEAD] = (end - place) | (idHigh << 8);
  return end - place;
}

/** What usual() says, spelled out: this is done for every order that ends. */
function writeDoubles(words: Uint32Array, f64: Float64Array, cell: number): void {
  const price = f64[cell + rec.PRICE]!;
  const stop = f64[cell + rec.STOP]!;
  const volume = f64[cell + rec.VOLUME]!;
  const filled = f64[cell + rec.FILLED]!;
  const prevented = f64[cell + rec.PREVENTED]!;
  const visible = f64[cell + rec.VISIBLE]!;
  const remaining = f64[cell + rec.REMAINING]!;
  const created = f64[cell + rec.CREATED]!;
  const updated = f64[cell + rec.UPDATED]!;
  const lastTrade = f64[cell + rec.LAST_TRADE]!;
  if (f64[cell + rec.SEQ] !== 0) put(words, 1, f64[cell + rec.SEQ]!);
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
  if (f64[cell + rec.TRIGGERED] !== 0) put(words, 1 << 10, f64[cell + rec.TRIGGERED]!);
  if (f64[cell + rec.EXPIRE] !== 0) put(words, 1 << 11, f64[cell + rec.EXPIRE]!);
  if (f64[cell + rec.ASKED_PRICE] !== price) put(words, 1 << 12, f64[cell + rec.ASKED_PRICE]!);
  if (f64[cell + rec.ASKED_STOP] !== stop) put(words, 1 << 13, f64[cell + rec.ASKED_STOP]!);
  if (f64[cell + rec.ASKED_VOLUME] !== volume) put(words, 1 << 14, f64[cell + rec.ASKED_VOLUME]!);
  if (f64[cell + rec.ASKED_VISIBLE] !== visible)
    put(words, 1 << 15, f64[cell + rec.ASKED_VISIBLE]!);
}

/** What a double is if it is not written, given those before it. */
function usual(f64: Float64Array, cell: number, field: number): number {
  switch (field) {
    case rec.REMAINING:
      return f64[cell + rec.VOLUME]! - f64[cell + rec.FILLED]! - f64[cell + rec.PREVENTED]!;
    case rec.UPDATED:
      return f64[cell + rec.CREATED]!;
    case rec.LAST_TRADE:
      return f64[cell + rec.FILLED]! > 0 ? f64[cell + rec.UPDATED]! : 0;
    case rec.ASKED_PRICE:
      return f64[cell + rec.PRICE]!;
    case rec.ASKED_STOP:
      return f64[cell + rec.STOP]!;
    case rec.ASKED_VOLUME:
      return f64[cell + rec.VOLUME]!;
    case rec.ASKED_VISIBLE:
      return f64[cell + rec.VISIBLE]!;
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
  f64[cell + rec.ID] = idAt(words, place);
  f64[cell + rec.CREATED] = created;
  let at = place + SHORTEST;
  for (let i = 0; i < DOUBLES.length; i++) {
    const field = DOUBLES[i]!;
    if ((has & (1 << i)) === 0) {
      f64[cell + field] = usual(f64, cell, field);
      continue;
    }
    let value = words[at++]!;
    if ((wide & (1 << i)) !== 0) value += words[at++]! * TWO32;
    f64[cell + field] = field === rec.UPDATED ? created + value : value;
  }
  for (let i = 0; i < AMOUNTS.length; i++) {
    const length = (wide >>> (16 + i * 3)) & 7;
    getAmount(words, at, length, f64, cell + AMOUNTS[i]!);
    at += length;
  }
  setZero(f64, cell + rec.HELD);
  u32[word + rec.LINK] = (has & (1 << 20)) === 0 ? 0 : words[at]!;
  u32[word + rec.ACCOUNT] = words[place + OWNER]!;
  u32[word + rec.MARKET] = decimals >>> 10;
  u32[word + rec.DECIMALS] = (decimals & 31) | (((decimals >>> 5) & 31) << 8);
  u32[word + rec.SIDE] = (has >>> 26) & 1;
  u32[word + rec.FLAGS] = (has >>> 21) & 31;
  u32[word + rec.TYPE] = kinds & 15;
  u32[word + rec.TIF] = (kinds >>> 4) & 15;
  u32[word + rec.STP] = (kinds >>> 8) & 15;
  u32[word + rec.STATUS] = (kinds >>> 12) & 15;
  u32[word + rec.REASON] = kinds >>> 16;
  for (let i = 0; i < rec.CLIENT_WORDS; i++) {
    u32[word + rec.CLIENT + i] = clientWordAt(words, place, i);
  }
  u32[word + rec.CLIENT_HASH] = words[place + HASH]!;
  for (const link of [rec.NEXT, rec.PREV, rec.MINE_NEXT, rec.MINE_PREV, rec.LEVEL]) {
    i32[word + link] = NONE;
  }
  f64[cell + rec.SHOWN] = 0;
  f64[cell + rec.TIMER_SEQ] = 0;
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
