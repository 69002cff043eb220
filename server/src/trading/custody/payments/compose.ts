// Which coins a payment of the Bitcoin family spends, and what it costs. Pure.

/** An output that our keys can spend. */
export interface OwnCoin {
  readonly txid: string;
  readonly vout: number;
  readonly branch: number;
  readonly index: number;
  readonly units: bigint;
}

export interface Payout {
  readonly units: bigint;
  /** Of the script that is paid to. */
  readonly scriptBytes: number;
}

export interface Plan {
  /** How many of the payouts it has: the first ones. */
  readonly count: number;
  readonly coins: readonly OwnCoin[];
  readonly fee: bigint;
  /** Zero: there is no such output. */
  readonly change: bigint;
  /** Virtual bytes. */
  readonly size: number;
}

/** The signer takes 250. */
export const INPUTS_MAX = 200;
/** Less is not worth the output that keeps it; nodes do not relay dust. */
export const CHANGE_MIN = 10_000n;
/** Of our own scripts: a version, a length and the hash of a key. */
export const OWN_SCRIPT_BYTES = 22;

/** Virtual bytes of a signed transaction: a quarter of its witness counts. */
export function vsizeOf(inputs: number, scriptBytes: readonly number[]): number {
  const countBytes = (count: number) => (count < 253 ? 1 : 3);
  const base =
    8 +
    countBytes(inputs) +
    inputs * 41 +
    countBytes(scriptBytes.length) +
    scriptBytes.reduce((sum, bytes) => sum + 9 + bytes, 0);
  // Marker and flag; of each input a count, a signature of at most 72 bytes with its type, a key.
  const witness = 2 + inputs * (1 + 1 + 72 + 1 + 33);
  return Math.ceil((base * 4 + witness) / 4);
}

/**
 * Pays as many of the payouts as the coins allow, the first ones first. Old coins are spent before new ones; where that takes
 * too many, large ones before small ones. Undefined when not even the first can be paid.
 */
export function choose(
  coins: readonly OwnCoin[],
  payouts: readonly Payout[],
  rate: bigint,
): Plan | undefined {
  const largest = coins.toSorted((a, b) => (a.units === b.units ? 0 : a.units > b.units ? -1 : 1));
  for (let count = payouts.length; count > 0; count -= 1) {
    const paid = payouts.slice(0, count);
    const plan = take(coins, paid, rate) ?? take(largest, paid, rate);
    if (plan !== undefined) return plan;
  }
  return undefined;
}

function take(
  coins: readonly OwnCoin[],
  payouts: readonly Payout[],
  rate: bigint,
): Plan | undefined {
  const scripts = payouts.map(({ scriptBytes }) => scriptBytes);
  const target = payouts.reduce((sum, { units }) => sum + units, 0n);
  let sum = 0n;
  for (const [place, coin] of coins.slice(0, INPUTS_MAX).entries()) {
    sum += coin.units;
    const count = payouts.length;
    const taken = () => coins.slice(0, place + 1);
    const size = vsizeOf(place + 1, [...scripts, OWN_SCRIPT_BYTES]);
    const withChange = rate * BigInt(size);
    const change = sum - target - withChange;
    if (change >= CHANGE_MIN) return { count, coins: taken(), fee: withChange, change, size };
    // What is left is too little to keep; the miner gets it.
    const bare = vsizeOf(place + 1, scripts);
    if (sum - target >= rate * BigInt(bare)) {
      return { count, coins: taken(), fee: sum - target, change: 0n, size: bare };
    }
  }
  return undefined;
}

/** A child has one input, the change of its parent, and one output, change again. */
const CHILD_SIZE = BigInt(vsizeOf(1, [OWN_SCRIPT_BYTES]));

/**
 * What a child pays so that both together pay the rate. Undefined when the change is too little for it.
 */
export function planChild(
  parent: { readonly fee: bigint; readonly size: bigint },
  change: bigint,
  rate: bigint,
): { readonly fee: bigint; readonly change: bigint; readonly size: bigint } | undefined {
  const fee = rate * (parent.size + CHILD_SIZE) - parent.fee;
  if (fee < rate * CHILD_SIZE || change - fee < CHANGE_MIN) return undefined;
  return { fee, change: change - fee, size: CHILD_SIZE };
}
