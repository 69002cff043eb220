// Which coins of the cold wallet a return spends, and what it costs. Pure.
import { CHANGE_MIN } from '../payments/access.ts';

export interface ColdCoin {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
  readonly address: string;
}

export interface ColdPlan {
  readonly coins: readonly ColdCoin[];
  readonly fee: bigint;
  /** What goes back to the cold wallet; zero where it is not worth an output. */
  readonly change: bigint;
  /** Virtual bytes, at most. */
  readonly size: number;
}

/** Inputs of one transaction: an operator has to look at each on the screen of a small device. */
const INPUTS_MAX = 50;
/** Of a wallet with two of three keys; one with a single key is smaller, and pays a little too much. */
const INPUT_VBYTES = 106;
const FRAME_VBYTES = 12;
/** The largest usual script has 34 bytes. */
const OUTPUT_VBYTES = 43;

/** The largest coins first, so that few have to be signed. Undefined where they are not enough. */
export function planReturn(
  coins: readonly ColdCoin[],
  units: bigint,
  rate: bigint,
): ColdPlan | undefined {
  const largest = coins.toSorted((a, b) => (a.units === b.units ? 0 : a.units > b.units ? -1 : 1));
  let sum = 0n;
  for (const [place, coin] of largest.slice(0, INPUTS_MAX).entries()) {
    sum += coin.units;
    const size = FRAME_VBYTES + (place + 1) * INPUT_VBYTES + 2 * OUTPUT_VBYTES;
    const fee = rate * BigInt(size);
    if (sum < units + fee) continue;
    const left = sum - units - fee;
    const taken = largest.slice(0, place + 1);
    return left >= CHANGE_MIN
      ? { coins: taken, fee, change: left, size }
      : { coins: taken, fee: fee + left, change: 0n, size };
  }
  return undefined;
}
