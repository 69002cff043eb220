import { describe, expect, it } from 'vitest';
import { buildTree, pathOf, type SumHash } from './reserves.ts';
import { checkLeaf, readLeaves, type LeafFile } from './reserves-file.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');

/** The file of the first account in a tree of so many, each with ten times its number. */
function fileOf(count: number, change: (sum: bigint) => bigint = (sum) => sum): LeafFile {
  const liabilities = Array.from({ length: count }, (_, n) => ({
    account: BigInt(n + 1),
    salt: new Uint8Array(32).fill(n + 1),
    sum: n === 0 ? change(10n) : BigInt(n + 1) * 10n,
  }));
  const { root, levels, order } = buildTree(liabilities);
  const place = order.findIndex(({ account }) => account === 1n);
  const path = pathOf(place, count, (level, at) => levels[level]?.[at] as SumHash);
  return {
    publicationId: '4',
    coin: 'ltc',
    accountId: '1',
    salt: '01'.repeat(32),
    units: '10',
    path: path.map(({ side, sum, hash }) => ({ side, units: String(sum), hash: hex(hash) })),
    root: hex(root.hash),
    rootUnits: String(root.sum),
  };
}

describe('a file of a leaf', () => {
  const good = fileOf(5);

  it('is right alone, in a list, and in the answer that brought it', () => {
    for (const text of [good, [good], { result: [good], hasError: false }]) {
      expect(readLeaves(JSON.stringify(text)).map((leaf) => checkLeaf(leaf))).toEqual([
        { leaf: good },
      ]);
    }
    for (const count of [1, 2, 3, 8, 9]) expect(checkLeaf(fileOf(count)).fault).toBeUndefined();
  });

  it('C15: is wrong if the venue lowered the leaf, whatever path it shows', () => {
    const lowered = fileOf(5, (sum) => sum - 1n);
    expect(checkLeaf(lowered).fault).toContain('not in the published tree with this sum');
    // The venue may lie about the sum instead: the customer knows better.
    expect(checkLeaf({ ...lowered, units: '9' }).fault).toBeUndefined();
  });

  it.each([
    ['another account', { accountId: '2' }],
    ['another salt', { salt: '02'.repeat(32) }],
    ['a higher sum', { units: '11' }],
    ['another root', { root: 'a'.repeat(64) }],
    ['a step less', { path: good.path.slice(1) }],
    ['a side exchanged', { path: good.path.map((step) => ({ ...step, side: 'left' })) }],
    ['a sum of the root that is not the sum', { rootUnits: '1' }],
    ['an overflow', { units: '9'.repeat(39) }],
  ])('is wrong with %s', (_what, change) => {
    // One of the sides is left already; turning all of them cannot be right in a tree of five.
    expect(checkLeaf({ ...good, ...change }).fault).toBeDefined();
  });

  it('is compared with what everybody else was shown', () => {
    const published = { publicationId: '4', coin: 'ltc', root: good.root };
    expect(checkLeaf(good, [published]).fault).toBeUndefined();
    expect(checkLeaf(good, [{ ...published, root: 'b'.repeat(64) }]).fault).toContain(
      'this leaf was shown',
    );
    expect(checkLeaf(good, [{ ...published, publicationId: '5' }]).fault).toContain('another one');
    expect(checkLeaf(good, []).fault).toContain('lacks this coin');
  });

  it.each([
    ['', 'no JSON'],
    ['{"result":[]}', 'no leaf'],
    ['[1]', 'must be a JSON object'],
    ['{"path":1}', 'at most 40 steps'],
    [JSON.stringify({ ...good, path: Array.from({ length: 41 }, () => good.path[0]) }), '40 steps'],
    [JSON.stringify({ ...good, salt: '1' }), '"salt" of a leaf must be 64 hexadecimal digits'],
    [JSON.stringify({ ...good, units: '-1' }), '"units" of a leaf must be a whole number'],
    [JSON.stringify({ ...good, path: [{ side: 'up' }] }), '"side" of a leaf must be'],
    [JSON.stringify(Array.from({ length: 1001 }, () => good)), 'more than 1000 leaves'],
  ])('%s is refused with a reason', (text, reason) => {
    expect(() => readLeaves(text)).toThrow(reason);
  });
});
