import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decideTier } from './decide.ts';

interface Tier {
  readonly tier: number;
  readonly minVolume30d: bigint;
}

/** The slow way: put the tiers in order, climb while the volume reaches the next, and take where one stands. */
function climb(volume: bigint, tiers: readonly Tier[]): number {
  const ladder = [...tiers].sort((a, b) =>
    a.minVolume30d === b.minVolume30d ? a.tier - b.tier : a.minVolume30d < b.minVolume30d ? -1 : 1,
  );
  let reached = 0;
  for (const { tier, minVolume30d } of ladder) {
    if (volume < minVolume30d) break;
    reached = tier;
  }
  return reached;
}

const tiers = fc.uniqueArray(
  fc.record({
    tier: fc.integer({ min: 0, max: 12 }),
    minVolume30d: fc.bigInt({ min: 0n, max: 20n }),
  }),
  { selector: ({ tier }) => tier, maxLength: 8 },
);

it('is what the slow way finds', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 25n }), tiers, (volume, list) => {
      expect(decideTier(volume, list)).toBe(climb(volume, list));
    }),
  );
});

it('never gives a better tier for less', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 25n }), tiers, (volume, drawn) => {
      // Everybody reaches the first tier.
      const list = [...drawn.filter(({ tier }) => tier > 0), { tier: 0, minVolume30d: 0n }];
      const thresholdOf = (tier: number) =>
        list.find((one) => one.tier === tier)?.minVolume30d ?? -1n;
      const [less, more] = [decideTier(volume, list), decideTier(volume + 1n, list)];
      expect(thresholdOf(more)).toBeGreaterThanOrEqual(thresholdOf(less));
    }),
  );
});

it('begins exactly at the threshold', () => {
  const list = [
    { tier: 0, minVolume30d: 0n },
    { tier: 1, minVolume30d: 100n },
  ];
  expect([99n, 100n, 101n].map((volume) => decideTier(volume, list))).toEqual([0, 1, 1]);
});
