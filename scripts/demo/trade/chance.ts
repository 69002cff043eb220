// A repeatable random source: the same seed gives the same draws on every machine.

export interface Chance {
  /** From 0 up to but not including 1. */
  fraction(): number;
  /** From 0 up to but not including `count`. */
  below(count: number): number;
  /** Around 0, with a spread of 1; never beyond 6. */
  bell(): number;
  pick<T>(list: readonly T[]): T;
}

/** sfc32: four words of state, good enough for prices and quick. */
export function createChance(seed: number): Chance {
  let a = 0x9e3779b9;
  let b = seed | 0;
  let c = 0x243f6a88;
  let counter = 1;
  function word(): number {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  }
  for (let i = 0; i < 12; i += 1) word();
  const fraction = () => word() / 2 ** 32;
  return {
    fraction,
    below: (count) => Math.floor(fraction() * count),
    bell() {
      // The sum of twelve uniform draws: close to normal, without a logarithm that differs by
      // machine.
      let sum = -6;
      for (let i = 0; i < 12; i += 1) sum += fraction();
      return sum;
    },
    pick: (list) => list[Math.floor(fraction() * list.length)]!,
  };
}
