// Compares how long two things take, as far as a busy machine can tell: they run in turn, and their medians are
// compared.

const PAIRS = 60;
const ROUNDS = 3;
/** A round with a ratio below this needs no further round. */
const EVEN = 1.2;

/**
 * How many times longer the slower one takes, 1 or more. Other load may spoil some rounds, but a real difference is
 * in all of them: the most even round counts.
 */
export async function ratioOfTimes(
  one: () => Promise<unknown>,
  other: () => Promise<unknown>,
): Promise<number> {
  let ratio = Number.POSITIVE_INFINITY;
  await one();
  await other();
  for (let round = 0; round < ROUNDS; round += 1) {
    const times: [number[], number[]] = [[], []];
    for (let pair = 0; pair < PAIRS; pair += 1) {
      times[0].push(await msOf(one));
      times[1].push(await msOf(other));
    }
    const [a, b] = [median(times[0]), median(times[1])];
    ratio = Math.min(ratio, Math.max(a, b) / Math.min(a, b));
    if (ratio <= EVEN) break;
  }
  return ratio;
}

async function msOf(act: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
}

const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
