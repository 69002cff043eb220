import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  buildTree,
  leafOf,
  pathOf,
  rootOf,
  tokenOf,
  type Liability,
  type SumHash,
  type SumTree,
} from './reserves.ts';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const salted = (byte: number) => new Uint8Array(32).fill(byte);

const VECTOR: Liability[] = [
  { account: 1n, salt: salted(1), sum: 1_500_250_000_000_000_000_000n },
  { account: 2n, salt: salted(2), sum: 0n },
  { account: 3n, salt: salted(3), sum: 7n },
];

const Liabilities = fc
  .array(
    fc.record({
      account: fc.bigInt(0n, (1n << 64n) - 1n),
      salt: fc.uint8Array({ minLength: 32, maxLength: 32 }),
      sum: fc.oneof(fc.constant(0n), fc.bigInt(0n, 10n ** 37n)),
    }),
    { minLength: 1, maxLength: 33 },
  )
  // No two tokens are alike but by a broken hash.
  .filter((all) => new Set(all.map((one) => hex(tokenOf(one)))).size === all.length);

const pathIn = ({ levels, order }: SumTree, place: number) =>
  pathOf(place, order.length, (level, at) => levels[level]?.[at] as SumHash);

describe('the vector', () => {
  const [first] = VECTOR as [Liability];
  it('has its leaf and its root', () => {
    expect(hex(leafOf(tokenOf(first), first.sum).hash)).toBe(
      '323f83dc5eebb3137b2e88ef387c7be80cc185c0a402d80903d6c0cf55687e28',
    );
    const { root } = buildTree(VECTOR);
    expect(hex(root.hash)).toBe('b9223f92db73e500e9eef59b6e0d6dcaf211a9ca8fa67398c7aa00165924ce48');
    expect(root.sum).toBe(1_500_250_000_000_000_000_007n);
  });
});

/** The same by another road: texts of hexadecimal digits, one recursion, another implementation of the hash. */
function slowRoot(liabilities: readonly Liability[]): string {
  const digits = (value: bigint, bytes: number) => value.toString(16).padStart(2 * bytes, '0');
  const sha = (text: string) => createHash('sha256').update(Buffer.from(text, 'hex')).digest('hex');
  const tokens = liabilities
    .map(({ account, salt, sum }) => [sha(hex(salt) + digits(account, 8)), sum] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const climb = (level: readonly (readonly [string, bigint])[]): string => {
    const [only, second] = level;
    if (only === undefined) return '';
    if (second === undefined) return only[0];
    const padded = level.length % 2 === 0 ? level : [...level, ['0'.repeat(64), 0n] as const];
    const above: [string, bigint][] = [];
    for (let at = 0; at < padded.length; at += 2) {
      const [lh, ls] = padded[at] as [string, bigint];
      const [rh, rs] = padded[at + 1] as [string, bigint];
      above.push([sha(`01${digits(ls, 16)}${lh}${digits(rs, 16)}${rh}`), ls + rs]);
    }
    return climb(above);
  };
  return climb(tokens.map(([token, sum]) => [sha(`00${token}${digits(sum, 16)}`), sum] as const));
}

describe('a tree', () => {
  it('is the same as its slow twin', () => {
    fc.assert(
      fc.property(Liabilities, (liabilities) => {
        expect(hex(buildTree(liabilities).root.hash)).toBe(slowRoot(liabilities));
      }),
    );
  });

  it('does not depend on the order of its liabilities', () => {
    fc.assert(
      fc.property(Liabilities, (liabilities) => {
        const turned = buildTree(liabilities.toReversed());
        expect(hex(turned.root.hash)).toBe(hex(buildTree(liabilities).root.hash));
      }),
    );
  });

  it('sums up everything, and every path leads to its root', () => {
    fc.assert(
      fc.property(Liabilities, (liabilities) => {
        const tree = buildTree(liabilities);
        expect(tree.root.sum).toBe(liabilities.reduce((sum, one) => sum + one.sum, 0n));
        for (const [place, liability] of tree.order.entries()) {
          const found = rootOf(liability, pathIn(tree, place));
          expect([hex(found.hash), found.sum]).toEqual([hex(tree.root.hash), tree.root.sum]);
        }
      }),
    );
  });

  it('C15: with one leaf lowered, no path of its owner leads to the root', () => {
    fc.assert(
      fc.property(Liabilities, fc.nat(), (liabilities, which) => {
        const rich = liabilities.filter(({ sum }) => sum > 0n);
        fc.pre(rich.length > 0);
        const victim = rich[which % rich.length] as Liability;
        const lowered = liabilities.map((one) =>
          one === victim ? { ...one, sum: one.sum - 1n } : one,
        );
        const tree = buildTree(lowered);
        const place = tree.order.findIndex(({ salt }) => salt === victim.salt);
        expect(hex(rootOf(victim, pathIn(tree, place)).hash)).not.toBe(hex(tree.root.hash));
        expect(tree.root.sum).toBe(buildTree(liabilities).root.sum - 1n);
      }),
    );
  });

  it('is changed by every change of a step', () => {
    fc.assert(
      fc.property(Liabilities, fc.nat(), (liabilities, which) => {
        fc.pre(liabilities.length > 1);
        const tree = buildTree(liabilities);
        const path = pathIn(tree, 0);
        const at = which % path.length;
        const [mine] = tree.order as [Liability];
        const honest = hex(tree.root.hash);
        const changed = [
          path.map((step, n) => (n === at ? { ...step, sum: step.sum + 1n } : step)),
          path.map((step, n) => (n === at ? { ...step, hash: salted(9) } : step)),
          path.filter((_step, n) => n !== at),
        ];
        for (const one of changed) expect(hex(rootOf(mine, one).hash)).not.toBe(honest);
      }),
    );
  });

  it('refuses what does not fit', () => {
    const [first] = VECTOR as [Liability];
    expect(() => buildTree([])).toThrow('at least one leaf');
    expect(() => tokenOf({ account: -1n, salt: salted(1) })).toThrow(RangeError);
    expect(() => tokenOf({ account: 1n << 64n, salt: salted(1) })).toThrow(RangeError);
    expect(() => tokenOf({ account: 1n, salt: new Uint8Array(31) })).toThrow('32 bytes');
    expect(() => leafOf(tokenOf(first), 1n << 128n)).toThrow(RangeError);
    const half = { ...first, sum: 1n << 127n };
    expect(() => buildTree([half, { ...half, account: 9n }])).toThrow(RangeError);
    const step = { side: 'left' as const, sum: 0n, hash: salted(0) };
    expect(() =>
      rootOf(
        first,
        Array.from({ length: 41 }, () => step),
      ),
    ).toThrow('at most 40');
  });
});
