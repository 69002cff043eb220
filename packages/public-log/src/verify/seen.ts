// Which order ids have left the books, in bounded memory.

const BITS = 1024;
const WORDS = BITS / 32;
/** 128 bytes each and as much again around them: about 50 MB in all. */
const BLOCKS_MAX = 200_000;

/** A set of whole numbers. Where they are spread too far, it forgets those it met first. */
export class SeenIds {
  readonly #blocks = new Map<number, Uint32Array>();
  readonly #max: number;

  constructor(max: number = BLOCKS_MAX) {
    this.#max = max;
  }

  add(id: number): void {
    const key = Math.floor(id / BITS);
    let block = this.#blocks.get(key);
    if (block === undefined) {
      if (this.#blocks.size >= this.#max) {
        const [oldest] = this.#blocks.keys();
        this.#blocks.delete(oldest!);
      }
      block = new Uint32Array(WORDS);
      this.#blocks.set(key, block);
    }
    const bit = id % BITS;
    block[bit >>> 5]! |= 1 << (bit & 31);
  }

  has(id: number): boolean {
    const block = this.#blocks.get(Math.floor(id / BITS));
    const bit = id % BITS;
    return block !== undefined && (block[bit >>> 5]! & (1 << (bit & 31))) !== 0;
  }
}
