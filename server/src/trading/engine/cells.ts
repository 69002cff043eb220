// Packs a tape's cells into few bytes. Most bytes of a cell are zero: counts are small, doubles
// that hold whole numbers end in zeros, and absent values are zero altogether. So a cell is written
// as a byte that says which of its eight bytes are not zero, followed by those; a run of zero cells
// is a zero and its length.
// Every record of a tape begins with a cell that is not zero. So no run goes from one record to the
// next, and stretches that were packed separately and joined are the same bytes as the whole packed
// at once.

const RUN_MAX = 256;

/** A cell takes at most its eight bytes and the one before them. */
const BYTES_PER_CELL = 9;

/** A growing buffer that is reused. */
export class PackedCells {
  #bytes: Buffer;
  length = 0;

  constructor(bytes: number = 1 << 16) {
    this.#bytes = Buffer.allocUnsafeSlow(bytes);
  }

  /** Writes the cells from one to another, given as pairs of words with the low one first. */
  pack(words: Uint32Array, fromCell: number, untilCell: number): void {
    this.#makeRoom((untilCell - fromCell) * BYTES_PER_CELL);
    const out = this.#bytes;
    let at = this.length;
    for (let cell = fromCell; cell < untilCell; cell += 1) {
      const low = words[cell * 2] as number;
      const high = words[cell * 2 + 1] as number;
      if (low === 0 && high === 0) {
        const first = cell;
        while (
          cell + 1 < untilCell &&
          cell - first + 1 < RUN_MAX &&
          words[cell * 2 + 2] === 0 &&
          words[cell * 2 + 3] === 0
        ) {
          cell += 1;
        }
        out[at++] = 0;
        out[at++] = cell - first;
        continue;
      }
      out[at++] = maskOf(low) | (maskOf(high) << 4);
      for (let rest = low; rest !== 0; rest >>>= 8) if ((rest & 0xff) !== 0) out[at++] = rest;
      for (let rest = high; rest !== 0; rest >>>= 8) if ((rest & 0xff) !== 0) out[at++] = rest;
    }
    this.length = at;
  }

  /** A view, valid until the next write. */
  bytes(from = 0, until: number = this.length): Buffer {
    return this.#bytes.subarray(from, until);
  }

  toText(from = 0, until: number = this.length): string {
    return this.#bytes.toString('base64', from, until);
  }

  #makeRoom(bytes: number): void {
    const wanted = this.length + bytes;
    if (wanted <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(wanted, this.#bytes.length * 2));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}

/** One bit for each byte that is not zero, the lowest first. */
function maskOf(word: number): number {
  return (
    ((word & 0xff) === 0 ? 0 : 1) |
    ((word & 0xff00) === 0 ? 0 : 2) |
    ((word & 0xff0000) === 0 ? 0 : 4) |
    (word >>> 24 === 0 ? 0 : 8)
  );
}

/** The words of the cells that were packed. */
export function unpackCells(bytes: Uint8Array): Uint32Array {
  const words = new Uint32Array(countCells(bytes) * 2);
  unpackInto(bytes, words);
  return words;
}

/** Writes the words of the cells that were packed into `words`, which hold zeros and have room for them. */
export function unpackInto(bytes: Uint8Array, words: Uint32Array): void {
  let word = 0;
  for (let at = 0; at < bytes.length;) {
    const mask = bytes[at++] as number;
    if (mask === 0) {
      word += ((bytes[at++] as number) + 1) * 2;
      continue;
    }
    let low = 0;
    if ((mask & 1) !== 0) low |= bytes[at++] as number;
    if ((mask & 2) !== 0) low |= (bytes[at++] as number) << 8;
    if ((mask & 4) !== 0) low |= (bytes[at++] as number) << 16;
    if ((mask & 8) !== 0) low |= (bytes[at++] as number) << 24;
    let high = 0;
    if ((mask & 16) !== 0) high |= bytes[at++] as number;
    if ((mask & 32) !== 0) high |= (bytes[at++] as number) << 8;
    if ((mask & 64) !== 0) high |= (bytes[at++] as number) << 16;
    if ((mask & 128) !== 0) high |= (bytes[at++] as number) << 24;
    words[word++] = low;
    words[word++] = high;
  }
}

export function countCells(bytes: Uint8Array): number {
  let cells = 0;
  for (let at = 0; at < bytes.length;) {
    const mask = bytes[at++] as number;
    if (mask === 0) cells += (bytes[at++] as number) + 1;
    else {
      cells += 1;
      at += BITS[mask] as number;
    }
  }
  return cells;
}

const BITS = Uint8Array.from({ length: 256 }, (_, mask) => {
  let bits = 0;
  for (let rest = mask; rest > 0; rest >>= 1) bits += rest & 1;
  return bits;
});
