// Canonical bytes: one value has exactly one encoding, the same on every machine.
// A snapshot of a hundred thousand orders is ten megabytes, and the engine answers no requests
// while it reads one. So the remaining room is checked once per value and not once per byte, small
// numbers stay integers, and amounts and client ids are copied between cells and bytes without a
// bigint or a string in between.

import { assert, fail } from './assert.ts';
import { LIMBS, isZero, setZero } from './wide.ts';

/**
 * Only a text can be longer: an amount of three limbs is 18 bytes, 20 with its sign and its length.
 */
const LONGEST = 32;
const LONGEST_WHOLE = 8;
const TWO24 = 16_777_216;
const TWO28 = 268_435_456;
const TWO25 = 33_554_432;
const LIMB_BYTES = 6;
/**
 * Stands for a byte after the end: all bits set and "more follows", so the number becomes too large
 * and is refused.
 */
const ENDED = 255;

/** Writes a whole number at a position with enough room, and returns the position after it. */
function putWhole(bytes: Uint8Array, start: number, value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) fail(`not a whole number: ${value}`);
  let at = start;
  let rest = value;
  if (rest >= TWO28) {
    // Four bytes at once: what is left is below 2^25, and an integer of 32 bits again.
    const high = Math.floor(rest / TWO28);
    const low = rest - high * TWO28;
    bytes[at] = (low & 127) | 128;
    bytes[at + 1] = ((low >>> 7) & 127) | 128;
    bytes[at + 2] = ((low >>> 14) & 127) | 128;
    bytes[at + 3] = (low >>> 21) | 128;
    at += 4;
    rest = high;
  }
  while (rest >= 128) {
    bytes[at++] = (rest & 127) | 128;
    rest >>>= 7;
  }
  bytes[at] = rest;
  return at + 1;
}

export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>;
  #length = 0;

  /** `room` is a guess at the length; a good one saves copies. */
  constructor(room: number = 1 << 16) {
    this.#bytes = new Uint8Array(Math.max(room, LONGEST));
  }

  #makeRoom(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array((this.#bytes.length + count) * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  byte(value: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, low bits first. */
  whole(value: number): void {
    this.#makeRoom(LONGEST);
    this.#length = putWhole(this.#bytes, this.#length, value);
  }

  /** The first `count` of the whole numbers in a. */
  doubles(a: Float64Array, count: number): void {
    this.#makeRoom(count * LONGEST_WHOLE);
    const bytes = this.#bytes;
    let end = this.#length;
    for (let i = 0; i < count; i++) end = putWhole(bytes, end, a[i]!);
    this.#length = end;
  }

  /** Writes `count` whole numbers from a[at] on. */
  words(a: Uint32Array, at: number, count: number): void {
    this.#makeRoom(count * LONGEST_WHOLE);
    const bytes = this.#bytes;
    let end = this.#length;
    for (let i = 0; i < count; i++) {
      let rest = a[at + i]!;
      while (rest >= 128) {
        bytes[end++] = (rest & 127) | 128;
        rest >>>= 7;
      }
      bytes[end++] = rest;
    }
    this.#length = end;
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.byte(value < 0 ? 1 : 0);
    this.whole(Math.abs(value));
  }

  big(value: bigint): void {
    let rest = value < 0n ? -value : value;
    const digits: number[] = [];
    while (rest > 0n) {
      digits.push(Number(rest & 0xffn));
      rest >>= 8n;
    }
    this.byte(value < 0n ? 1 : 0);
    this.whole(digits.length);
    for (const digit of digits) this.byte(digit);
  }

  /** The same bytes as big() would write of the wide integer at a[i]. */
  wide(a: Float64Array, i: number): void {
    this.#makeRoom(LONGEST);
    if (isZero(a, i)) {
      // The short case: most amounts of most orders.
      this.#bytes[this.#length++] = 0;
      this.#bytes[this.#length++] = 0;
      return;
    }
    const bytes = this.#bytes;
    const start = this.#length + 2;
    let end = start;
    for (let limb = 0; limb < LIMBS; limb++) {
      const value = a[i + limb]!;
      const high = Math.floor(value / TWO24);
      const low = value - high * TWO24;
      bytes[end] = low;
      bytes[end + 1] = low >>> 8;
      bytes[end + 2] = low >>> 16;
      bytes[end + 3] = high;
      bytes[end + 4] = high >>> 8;
      bytes[end + 5] = high >>> 16;
      end += LIMB_BYTES;
    }
    while (bytes[end - 1] === 0) end -= 1;
    bytes[start - 2] = 0;
    bytes[start - 1] = end - start;
    this.#length = end;
  }

  text(value: string): void {
    this.whole(value.length);
    for (let i = 0; i < value.length; i++) this.whole(value.charCodeAt(i));
  }

  /** The same bytes as text() would write of the ASCII packed in words[at …], which a zero ends. */
  packed(words: Uint32Array, at: number, count: number): void {
    this.#makeRoom(LONGEST + count * 4);
    const bytes = this.#bytes;
    const start = this.#length + 1;
    let end = start;
    for (let i = 0; i < count; i++) {
      for (let rest = words[at + i]!; rest !== 0; rest >>>= 8) bytes[end++] = rest & 127;
    }
    bytes[start - 1] = end - start;
    this.#length = end;
  }

  /**
   * The words of some pieces as they are in memory, lowest byte first, after their count. They begin at a multiple of
   * four bytes, so that they can be read where they lie.
   */
  pieces(pieces: Iterable<Uint32Array>, words: number): void {
    this.whole(words);
    while (this.#length % 4 !== 0) this.byte(0);
    this.#makeRoom(words * 4);
    for (const { buffer, byteOffset, byteLength } of pieces) {
      this.#bytes.set(new Uint8Array(buffer, byteOffset, byteLength), this.#length);
      this.#length += byteLength;
    }
  }

  /** The bytes so far. The writer is not used afterwards. */
  finish(): Uint8Array<ArrayBuffer> {
    // A copy frees much memory if the guess was bad, and takes time if it was good.
    const isTight = this.#length * 2 > this.#bytes.length;
    return isTight ? this.#bytes.subarray(0, this.#length) : this.#bytes.slice(0, this.#length);
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #one = new Float64Array(1);
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    assert(value !== undefined, 'the bytes end too early');
    return value;
  }

  whole(): number {
    this.doubles(this.#one, 1);
    return this.#one[0]!;
  }

  /** Reads `count` whole numbers straight into a, since a large one that is returned is allocated. */
  doubles(a: Float64Array, count: number): void {
    const bytes = this.#bytes;
    let from = this.#at;
    for (let i = 0; i < count; i++) {
      let byte = bytes[from++] ?? ENDED;
      let value = byte & 127;
      for (let shift = 7; byte >= 128 && shift < 28; shift += 7) {
        byte = bytes[from++] ?? ENDED;
        value |= (byte & 127) << shift;
      }
      let high = 0;
      for (let scale = 1; byte >= 128; scale *= 128) {
        byte = bytes[from++] ?? ENDED;
        high += (byte & 127) * scale;
        assert(high < TWO25, 'a number is too large, or the bytes end too early');
      }
      a[i] = high * TWO28 + value;
    }
    this.#at = from;
  }

  /** Reads `count` whole numbers of 32 bits into a[at …]. */
  words(a: Uint32Array, at: number, count: number): void {
    const bytes = this.#bytes;
    let from = this.#at;
    for (let i = 0; i < count; i++) {
      let byte = bytes[from++] ?? ENDED;
      let value = byte & 127;
      for (let shift = 7; byte >= 128; shift += 7) {
        assert(shift < 35, 'a number is too large, or the bytes end too early');
        byte = bytes[from++] ?? ENDED;
        value |= (byte & 127) << shift;
      }
      a[at + i] = value;
    }
    this.#at = from;
  }

  signed(): number {
    const isNegative = this.byte() === 1;
    const value = this.whole();
    return isNegative ? -value : value;
  }

  big(): bigint {
    const isNegative = this.byte() === 1;
    const length = this.whole();
    let value = 0n;
    for (let i = 0; i < length; i++) value |= BigInt(this.byte()) << BigInt(i * 8);
    return isNegative ? -value : value;
  }

  /** Reads what big() or wide() wrote into the three limbs at a[i]. */
  wide(a: Float64Array, i: number): void {
    assert(this.byte() === 0, 'an amount is negative');
    let left = this.whole();
    assert(left <= LIMBS * LIMB_BYTES, 'an amount does not fit 144 bits');
    setZero(a, i);
    for (let limb = 0; left > 0; limb++) {
      const low = this.#little(Math.min(left, 3));
      a[i + limb] = low + this.#little(Math.min(left - 3, 3)) * TWO24;
      left -= LIMB_BYTES;
    }
  }

  /** Up to three bytes, low ones first; fewer if the bytes end. */
  #little(count: number): number {
    let value = 0;
    for (let shift = 0; shift < count * 8; shift += 8) value |= this.byte() << shift;
    return value;
  }

  text(): string {
    const length = this.whole();
    let value = '';
    for (let i = 0; i < length; i++) value += String.fromCharCode(this.whole());
    return value;
  }

  /** Reads a text of ASCII into words[at …], four characters each, and gives its length. */
  packed(words: Uint32Array, at: number, count: number): number {
    const length = this.whole();
    assert(length <= count * 4, 'a text is too long');
    const bytes = this.#bytes;
    const from = this.#at;
    for (let i = 0; i < count; i++) {
      let word = 0;
      for (let j = i * 4; j < length && j < i * 4 + 4; j++) {
        const byte = bytes[from + j] ?? ENDED;
        assert(byte > 0 && byte < 128, 'a text is not ASCII, or the bytes end too early');
        word |= byte << ((j & 3) * 8);
      }
      words[at + i] = word;
    }
    this.#at = from + length;
    return length;
  }

  /** The words that pieces() wrote; a view where that is possible. */
  pieces(): Uint32Array {
    const count = this.whole();
    while (this.#at % 4 !== 0) assert(this.byte() === 0, 'the words begin elsewhere');
    const from = this.#at;
    assert(count <= (this.#bytes.length - from) / 4, 'the bytes end too early');
    this.#at = from + count * 4;
    const { buffer, byteOffset } = this.#bytes;
    if ((byteOffset + from) % 4 === 0) return new Uint32Array(buffer, byteOffset + from, count);
    const words = new Uint32Array(count);
    new Uint8Array(words.buffer).set(this.#bytes.subarray(from, this.#at));
    return words;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
