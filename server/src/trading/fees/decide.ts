// Which tier a volume is worth.
import type { FeeTier } from './tier.ts';

/** The tier in which everybody starts. */
const FIRST = 0;

/**
 * The tier with the highest threshold that the volume reaches; of two with the same threshold, the
 * one with the higher number. The first tier where it reaches none.
 */
export function decideTier(
  volume: bigint,
  tiers: readonly Pick<FeeTier, 'tier' | 'minVolume30d'>[],
): number {
  let best: Pick<FeeTier, 'tier' | 'minVolume30d'> | undefined;
  for (const one of tiers) {
    if (one.minVolume30d > volume) continue;
    if (
      best === undefined ||
      one.minVolume30d > best.minVolume30d ||
      (one.minVolume30d === best.minVolume30d && one.tier > best.tier)
    ) {
      best = one;
    }
  }
  return best?.tier ?? FIRST;
}
