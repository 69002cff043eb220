// A small seeded generator (sfc32), so that a run can be repeated from its 64-bit seed.

export class Random {
  #a: number;
  #b: number;
  #c: number;
  #n = 1;

  constructor(seed: bigint) {
    const mixed = mix64(seed);
    this.#a = Number(mixed & 0xffff_ffffn) | 0;
    this.#b = Number((mixed >> 32n) & 0xffff_ffffn) | 0;
    this.#c = Number(mix64(mixed) & 0xffff_ffffn) | 0;
    for (let i = 0; i < 12; i++) this.next32();
  }

  /** An integer from 0 to 2^32 - 1. */
  next32(): number {
    const t = (this.#a + this.#b + this.#n) | 0;
    this.#n = (this.#n + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + t;
    return t >>> 0;
  }

  /** An integer from 0 to below n. */
  below(n: number): number {
    return n <= 1 ? 0 : Math.floor((this.next32() / 4_294_967_296) * n);
  }

  between(low: number, high: number): number {
    return low + this.below(high - low + 1);
  }

  chance(share: number): boolean {
    return this.next32() < share * 4_294_967_296;
  }

  pick<T>(list: readonly T[]): T {
    const item = list[this.below(list.length)];
    if (item === undefined) throw new Error('nothing to pick from');
    return item;
  }

  /** An integer from low to high; small and large magnitudes are equally likely. */
  logBetween(low: number, high: number): number {
    if (high <= low) return low;
    const unit = this.next32() / 4_294_967_296;
    const value = Math.floor(Math.exp(Math.log(low) + unit * (Math.log(high + 1) - Math.log(low))));
    return Math.min(high, Math.max(low, value));
  }
}

/** One round of splitmix64. */
export function mix64(seed: bigint): bigint {
  const mask = 0xffff_ffff_ffff_ffffn;
  let z = (seed + 0x9e37_79b9_7f4a_7c15n) & mask;
  z = ((z ^ (z >> 30n)) * 0xbf58_476d_1ce4_e5b9n) & mask;
  z = ((z ^ (z >> 27n)) * 0x94d0_49bb_1331_11ebn) & mask;
  return z ^ (z >> 31n);
}
