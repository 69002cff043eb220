// Checks leaves of a proof of reserves as the API answers them, without asking anybody. It runs in browsers too.
import { hexToBytes, bytesToHex } from '@noble/hashes/utils.js';
import { LEVELS_MAX, rootOf, type PathStep } from './reserves.ts';

/** Coins of one answer. */
const LEAVES_MAX = 1000;

const HASH = /^[0-9a-f]{64}$/;
const UNITS = /^(0|[1-9][0-9]{0,38})$/;
const NAME = /^[a-z0-9]{1,32}$/;
const NUMBER = /^[0-9]{1,19}$/;

/** A leaf with everything that its file says about it. */
export interface LeafFile {
  readonly publicationId: string;
  readonly coin: string;
  readonly accountId: string;
  readonly salt: string;
  readonly units: string;
  readonly path: readonly {
    readonly side: string;
    readonly units: string;
    readonly hash: string;
  }[];
  readonly root: string;
  readonly rootUnits: string;
}

export interface LeafVerdict {
  readonly leaf: LeafFile;
  /** What is wrong; absent when the leaf is in the published sum. */
  readonly fault?: string;
}

/** What a publication says about a coin, as `/public/reserves` answers it. */
export interface PublishedRoot {
  readonly publicationId: string;
  readonly coin: string;
  readonly root: string;
}

type Fields = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function textOf(record: Fields, name: string, pattern: RegExp, what: string): string {
  const value = record[name];
  if (typeof value === 'string' && pattern.test(value)) return value;
  const came = value === undefined ? 'nothing' : JSON.stringify(value)?.slice(0, 80);
  throw new Error(`"${name}" of a leaf must be ${what}, not ${came}.`);
}

/** Leaves of a file: the answer of the API, its list, or one leaf alone. */
export function readLeaves(text: string): LeafFile[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error('it is no JSON. Save the answer of /v1/private/account/reserves as it came.');
  }
  const answer = isRecord(parsed) && 'result' in parsed ? parsed['result'] : parsed;
  const list: unknown[] = Array.isArray(answer) ? answer : [answer];
  if (list.length === 0) {
    throw new Error('it has no leaf: the account is in no publication, or there is none yet.');
  }
  if (list.length > LEAVES_MAX) throw new Error(`it has more than ${LEAVES_MAX} leaves.`);
  return list.map(readLeaf);
}

function readLeaf(value: unknown): LeafFile {
  if (!isRecord(value)) throw new Error('a leaf must be a JSON object.');
  const { path } = value;
  if (!Array.isArray(path) || path.length > LEVELS_MAX) {
    throw new Error(`"path" of a leaf must be a list of at most ${LEVELS_MAX} steps.`);
  }
  return {
    publicationId: textOf(value, 'publicationId', NUMBER, 'a number as text'),
    coin: textOf(value, 'coin', NAME, 'the symbol of a coin'),
    accountId: textOf(value, 'accountId', NUMBER, 'a number as text'),
    salt: textOf(value, 'salt', HASH, '64 hexadecimal digits'),
    units: textOf(value, 'units', UNITS, 'a whole number as text'),
    path: path.map((step: unknown) => {
      if (!isRecord(step)) throw new Error('a step of a path must be a JSON object.');
      return {
        side: textOf(step, 'side', /^(left|right)$/, '"left" or "right"'),
        units: textOf(step, 'units', UNITS, 'a whole number as text'),
        hash: textOf(step, 'hash', HASH, '64 hexadecimal digits'),
      };
    }),
    root: textOf(value, 'root', HASH, '64 hexadecimal digits'),
    rootUnits: textOf(value, 'rootUnits', UNITS, 'a whole number as text'),
  };
}

/** Whether a leaf is in the sum that its file says was published, and, if that is given, that really was. */
export function checkLeaf(leaf: LeafFile, published?: readonly PublishedRoot[]): LeafVerdict {
  const fault = findFault(leaf, published);
  return fault === undefined ? { leaf } : { leaf, fault };
}

function findFault(leaf: LeafFile, published?: readonly PublishedRoot[]): string | undefined {
  const path = leaf.path.map(({ side, units, hash }): PathStep => ({
    side: side === 'left' ? 'left' : 'right',
    sum: BigInt(units),
    hash: hexToBytes(hash),
  }));
  let found;
  try {
    const account = BigInt(leaf.accountId);
    found = rootOf({ account, salt: hexToBytes(leaf.salt), sum: BigInt(leaf.units) }, path);
  } catch (error) {
    return (error as Error).message;
  }
  if (bytesToHex(found.hash) !== leaf.root) {
    return `the path leads to the root ${bytesToHex(found.hash)}, and not to ${leaf.root}: the leaf is not in the published tree with this sum`;
  }
  if (found.sum !== BigInt(leaf.rootUnits)) {
    return `the sums of the path come to ${found.sum} units, and not to ${leaf.rootUnits}`;
  }
  if (published === undefined) return undefined;
  const same = published.find(
    ({ coin, publicationId }) => coin === leaf.coin && publicationId === leaf.publicationId,
  );
  if (same === undefined) return 'the given publication is another one, or lacks this coin';
  return same.root === leaf.root
    ? undefined
    : `the publication has the root ${same.root}, and this leaf was shown ${leaf.root}`;
}
