// The Merkle-sum tree of what a venue owes in one coin. Everybody with a leaf can check that it is in the published sum, and
// learns one neighbour's sum, nameless. A node commits to both sums apart: one total for both can be split falsely
// (ePrint 2018/1139). It runs in browsers too.
import { sha256 } from '@noble/hashes/sha2.js';
import { concatBytes } from '@noble/hashes/utils.js';

export const HASH_BYTES = 32;
export const SALT_BYTES = 32;
/** A tree of more levels would have more leaves than there are people. */
export const LEVELS_MAX = 40;

const SUM_BYTES = 16;
const ACCOUNT_BYTES = 8;
const SUM_LIMIT = 1n << 128n;
const ACCOUNT_LIMIT = 1n << 64n;

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

/** What a leaf or a node says: a hash, and the sum of all that is below it. */
export interface SumHash {
  readonly sum: bigint;
  readonly hash: Uint8Array;
}

/** What is beside the last one of a level with an odd number. */
const NOTHING: SumHash = { sum: 0n, hash: new Uint8Array(HASH_BYTES) };

export interface Liability {
  /** The account of what belongs to nobody yet is 0. */
  readonly account: bigint;
  /** Known to the account alone: without it a leaf cannot be guessed. */
  readonly salt: Uint8Array;
  readonly sum: bigint;
}

/** A step from a leaf to the root. */
export interface PathStep extends SumHash {
  /** On which side of the path this neighbour is. */
  readonly side: 'left' | 'right';
}

function toBytes(value: bigint, limit: bigint, length: number): Uint8Array {
  if (value < 0n || value >= limit) {
    throw new RangeError(`Expected a whole number from 0 to below ${limit}, not ${value}.`);
  }
  const bytes = new Uint8Array(length);
  for (let at = length - 1, rest = value; at >= 0; at -= 1, rest >>= 8n) {
    bytes[at] = Number(rest & 0xffn);
  }
  return bytes;
}

const sumBytes = (sum: bigint): Uint8Array => toBytes(sum, SUM_LIMIT, SUM_BYTES);

function requireLength(bytes: Uint8Array, length: number, what: string): Uint8Array {
  if (bytes.length === length) return bytes;
  throw new RangeError(`Expected a ${what} of ${length} bytes, not ${bytes.length}.`);
}

export const tokenOf = ({ account, salt }: Pick<Liability, 'account' | 'salt'>): Uint8Array =>
  sha256(
    concatBytes(
      requireLength(salt, SALT_BYTES, 'salt'),
      toBytes(account, ACCOUNT_LIMIT, ACCOUNT_BYTES),
    ),
  );

export const leafOf = (token: Uint8Array, sum: bigint): SumHash => ({
  sum,
  hash: sha256(concatBytes(LEAF, token, sumBytes(sum))),
});

export const nodeOf = (left: SumHash, right: SumHash): SumHash => ({
  // Refused where it overflows: the sum of the two is written as well.
  sum: checkedSum(left.sum + right.sum),
  hash: sha256(
    concatBytes(
      NODE,
      sumBytes(left.sum),
      requireLength(left.hash, HASH_BYTES, 'hash'),
      sumBytes(right.sum),
      requireLength(right.hash, HASH_BYTES, 'hash'),
    ),
  ),
});

function checkedSum(sum: bigint): bigint {
  sumBytes(sum);
  return sum;
}

export interface SumTree {
  /** The levels from the leaves to the root. */
  readonly levels: readonly (readonly SumHash[])[];
  /** The liabilities in the order of the leaves, which is that of their tokens. */
  readonly order: readonly Liability[];
  readonly root: SumHash;
}

/** At least one liability. */
export function buildTree(liabilities: readonly Liability[]): SumTree {
  const sorted = liabilities
    .map((liability) => ({ liability, token: tokenOf(liability) }))
    .sort((a, b) => compareBytes(a.token, b.token));
  let level = sorted.map(({ liability, token }) => leafOf(token, liability.sum));
  const levels = [level];
  while (level.length > 1) {
    const above: SumHash[] = [];
    for (let at = 0; at < level.length; at += 2) {
      above.push(nodeOf(level[at] ?? NOTHING, level[at + 1] ?? NOTHING));
    }
    levels.push(above);
    level = above;
  }
  const [root] = level;
  if (root === undefined) throw new RangeError('A tree has at least one leaf.');
  return { levels, order: sorted.map(({ liability }) => liability), root };
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  for (const [at, byte] of a.entries()) {
    const other = b[at] ?? 0;
    if (byte !== other) return byte - other;
  }
  return 0;
}

/** Where the neighbours of a leaf are, level by level: `place` from the left, undefined where there is none. */
export function neighboursOf(
  place: number,
  count: number,
): { readonly side: 'left' | 'right'; readonly place: number | undefined }[] {
  const steps = [];
  for (let at = place, width = count; width > 1; at = at >> 1, width = (width + 1) >> 1) {
    const beside = at ^ 1;
    steps.push({
      side: at % 2 === 0 ? ('right' as const) : ('left' as const),
      place: beside < width ? beside : undefined,
    });
  }
  return steps;
}

/** The way from a leaf to the root, with what is beside it; `read` gives a node of a level. */
export const pathOf = (
  place: number,
  count: number,
  read: (level: number, place: number) => SumHash,
): PathStep[] =>
  neighboursOf(place, count).map((neighbour, level) => ({
    side: neighbour.side,
    ...(neighbour.place === undefined ? NOTHING : read(level, neighbour.place)),
  }));

/** The root that a leaf and its path lead to. Throws for what is no leaf and no path. */
export function rootOf(liability: Liability, path: readonly PathStep[]): SumHash {
  if (path.length > LEVELS_MAX) throw new RangeError(`A path has at most ${LEVELS_MAX} steps.`);
  return path.reduce<SumHash>(
    (below, { side, ...beside }) =>
      side === 'left' ? nodeOf(beside, below) : nodeOf(below, beside),
    leafOf(tokenOf(liability), liability.sum),
  );
}
