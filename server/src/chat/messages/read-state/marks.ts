// What a person has read of one home (the conversation that messages were sent to), as bits and not as rows: a
// watermark, and a bitmap for each block of 8,192 messages that differs from it.
//
//   read(seq) = the block has a bitmap ? its bit : seq ≤ readThrough
//
// A block that agrees with the watermark has no bitmap. The watermark moves up over read messages and down over unread
// ones by itself. So a person who reads everything costs one number, and a person who ignores one busy topic for a
// year costs one bit per message.
import { assert } from '../../../platform/std/assert.ts';

export const BLOCK_MESSAGES = 8192;
export const BLOCK_BYTES = BLOCK_MESSAGES / 8;

/** Both ends are included. */
export interface Range {
  readonly from: number;
  readonly through: number;
}

/** The bitmap of a block; null if the watermark gives its state. */
export type Block = Uint8Array | null;

export interface MarkChanges {
  readonly readThrough: number;
  readonly upserts: ReadonlyMap<number, Uint8Array>;
  readonly deletes: readonly number[];
}

export const blockOf = (seq: number): number => Math.floor(seq / BLOCK_MESSAGES);

/** The blocks that `ranges` cover partly: their bitmaps are needed for a change. */
export function blocksToLoad(ranges: readonly Range[]): number[] {
  const blocks = new Set<number>();
  for (const range of ranges) {
    for (const block of [blockOf(range.from), blockOf(range.through)]) {
      if (!covers(range, block)) blocks.add(block);
    }
  }
  return [...blocks].sort((a, b) => a - b);
}

/** Joins ascending numbers into ranges. */
export function toRanges(seqs: readonly number[]): Range[] {
  const ranges: { from: number; through: number }[] = [];
  for (const seq of [...seqs].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && seq <= last.through + 1) last.through = seq;
    else ranges.push({ from: seq, through: seq });
  }
  return ranges;
}

/** Everything up to `through`, except the numbers in `except`. */
export function allThrough(through: number, except: readonly number[]): Range[] {
  const ranges: Range[] = [];
  let from = 1;
  for (const seq of [...except].sort((a, b) => a - b)) {
    if (seq > from) ranges.push({ from, through: Math.min(seq - 1, through) });
    from = seq + 1;
  }
  if (from <= through) ranges.push({ from, through });
  return ranges;
}

/**
 * The marks of one person in one home during a change. Only the blocks in `known` may be looked at; `settle` says
 * which other one it needs.
 */
export class ReadMarks {
  #readThrough: number;
  readonly #known: Map<number, Block>;
  readonly #before: ReadonlyMap<number, Block>;
  /** Blocks whose bitmap may agree with the watermark now. */
  readonly #visited = new Set<number>();

  constructor(readThrough: number, known: ReadonlyMap<number, Block>) {
    this.#readThrough = readThrough;
    this.#before = new Map(known);
    this.#known = new Map(known);
  }

  get readThrough(): number {
    return this.#readThrough;
  }

  /** The blocks that were looked at, as they were. */
  get before(): ReadonlyMap<number, Block> {
    return this.#before;
  }

  isRead(seq: number): boolean {
    const bits = this.#get(blockOf(seq));
    return bits === null ? seq <= this.#readThrough : hasBit(bits, seq % BLOCK_MESSAGES);
  }

  knows(block: number): boolean {
    return this.#known.has(block);
  }

  /** Adds a block that was loaded later. */
  learn(block: number, bits: Block): void {
    assert(!this.#known.has(block), 'a block is learnt once', { block });
    this.#known.set(block, bits);
    (this.#before as Map<number, Block>).set(block, bits);
  }

  /** Marks everything in `ranges`; numbers start at 1. */
  mark(ranges: readonly Range[], isRead: boolean): void {
    for (const range of ranges) {
      assert(range.from >= 1 && range.from <= range.through, 'a range of messages', { ...range });
      for (let block = blockOf(range.from); block <= blockOf(range.through); block += 1) {
        this.#markBlock(block, range, isRead);
      }
    }
  }

  #markBlock(block: number, range: Range, isRead: boolean): void {
    this.#visited.add(block);
    if (covers(range, block)) {
      this.#known.set(block, filled(block, isRead));
      return;
    }
    const bits = this.#toChange(block);
    const start = block * BLOCK_MESSAGES;
    const from = Math.max(range.from - start, 0);
    const through = Math.min(range.through - start, BLOCK_MESSAGES - 1);
    for (let bit = from; bit <= through; bit += 1) setBit(bits, bit, isRead);
  }

  /** A bitmap of the block that may be written to. It is copied once, for any number of ranges. */
  #toChange(block: number): Uint8Array {
    const bits = this.#get(block);
    if (bits !== null && bits !== this.#before.get(block)) return bits;
    // Not `slice`: on a Buffer, as the database returns it, that would share the memory.
    const copy = bits === null ? this.#implied(block) : new Uint8Array(bits);
    this.#known.set(block, copy);
    return copy;
  }

  /**
   * Moves the watermark to where it describes most blocks, at most to `head`, and drops bitmaps that agree with it.
   * Returns the number of a block that must be loaded first, or undefined when finished.
   */
  settle(head: number): number | undefined {
    const missing = this.#descend() ?? this.#ascend(head);
    if (missing !== undefined) return missing;
    for (const block of this.#visited) {
      const bits = this.#known.get(block);
      if (bits && equal(bits, this.#implied(block))) this.#known.set(block, null);
    }
    return undefined;
  }

  #descend(): number | undefined {
    while (this.#readThrough > 0) {
      const block = blockOf(this.#readThrough);
      const bits = this.#known.get(block);
      if (bits === undefined) return block;
      if (bits === null) return undefined;
      this.#visited.add(block);
      const last = lastSet(bits, this.#readThrough % BLOCK_MESSAGES);
      this.#readThrough = block * BLOCK_MESSAGES + last;
      if (last >= 0) return undefined;
    }
    return undefined;
  }

  #ascend(head: number): number | undefined {
    while (this.#readThrough < head) {
      const block = blockOf(this.#readThrough + 1);
      const bits = this.#known.get(block);
      if (bits === undefined) return block;
      if (bits === null) return undefined;
      this.#visited.add(block);
      const unread = firstUnset(bits, (this.#readThrough + 1) % BLOCK_MESSAGES);
      this.#readThrough = Math.min(block * BLOCK_MESSAGES + unread - 1, head);
      if (unread < BLOCK_MESSAGES) return undefined;
    }
    return undefined;
  }

  /** The differences from the start. A block that was covered without being known may be deleted as well. */
  changes(): MarkChanges {
    const upserts = new Map<number, Uint8Array>();
    const deletes: number[] = [];
    for (const [block, bits] of this.#known) {
      const before = this.#before.get(block);
      if (bits === null) {
        if (before !== null) deletes.push(block);
      } else if (!before || !equal(bits, before)) {
        upserts.set(block, bits);
      }
    }
    return { readThrough: this.#readThrough, upserts, deletes };
  }

  #get(block: number): Block {
    const bits = this.#known.get(block);
    assert(bits !== undefined, 'a block is looked at only when it is known', { block });
    return bits;
  }

  /** The bitmap that agrees with the watermark. */
  #implied(block: number): Uint8Array {
    const read = this.#readThrough - block * BLOCK_MESSAGES + 1;
    const bits = filled(block, read >= BLOCK_MESSAGES);
    if (read <= 0 || read >= BLOCK_MESSAGES) return bits;
    bits.fill(0xff, 0, read >> 3);
    if (read % 8 !== 0) bits[read >> 3] = 0xff >> (8 - (read % 8));
    return bits;
  }
}

/** No message has number 0. Its bit counts as read, so that the first block is like any other. */
function filled(block: number, isRead: boolean): Uint8Array {
  const bits = new Uint8Array(BLOCK_BYTES);
  if (isRead) bits.fill(0xff);
  else if (block === 0) bits[0] = 1;
  return bits;
}

const covers = ({ from, through }: Range, block: number): boolean =>
  from <= Math.max(block * BLOCK_MESSAGES, 1) && through >= (block + 1) * BLOCK_MESSAGES - 1;

// Bits are numbered as PostgreSQL's get_bit numbers those of a bytea: from the least significant one.
const hasBit = (bits: Uint8Array, bit: number): boolean =>
  ((bits[bit >> 3] as number) & (1 << (bit & 7))) !== 0;

function setBit(bits: Uint8Array, bit: number, value: boolean): void {
  const byte = bits[bit >> 3] as number;
  bits[bit >> 3] = value ? byte | (1 << (bit & 7)) : byte & ~(1 << (bit & 7));
}

/** The last bit set at or before `bit`, or -1. */
function lastSet(bits: Uint8Array, bit: number): number {
  for (let at = bit; at >= 0; at -= 1) {
    if (at % 8 === 7 && bits[at >> 3] === 0) at -= 7;
    else if (hasBit(bits, at)) return at;
  }
  return -1;
}

/** The first bit not set at or after `bit`, or the number of bits. */
function firstUnset(bits: Uint8Array, bit: number): number {
  for (let at = bit; at < BLOCK_MESSAGES; at += 1) {
    if (at % 8 === 0 && bits[at >> 3] === 0xff) at += 7;
    else if (!hasBit(bits, at)) return at;
  }
  return BLOCK_MESSAGES;
}

const equal = (a: Uint8Array, b: Uint8Array): boolean =>
  a.every((byte, index) => byte === b[index]);
