// How full the hot wallets are, by what the file of networks says about them. Who holds the database cannot raise a bound.
import type { Context } from '../../../platform/context.ts';
import { AMOUNT_DECIMALS, parseAmount } from '../../amount.ts';
import { ownNetworks } from '../networks.ts';
import { listHotBalances } from '../payments/access.ts';
import { toFine } from '../reconciliation/difference.ts';

/** `unbounded`: the file has no tier for the coin. `unknown`: nobody has measured it. */
export const TIER_STATES = [
  'within',
  'below_floor',
  'above_ceiling',
  'unbounded',
  'unknown',
] as const;
export type TierState = (typeof TIER_STATES)[number];

/** In whole coins. */
export interface Bounds {
  readonly floor: string;
  readonly target: string;
  readonly ceiling: string;
  /** The address of the cold wallet. */
  readonly cold: string;
}

export interface Tier {
  readonly network: string;
  readonly coin: string;
  /** What was measured last, in units of 10^-24. */
  readonly hot: { readonly amount: bigint; readonly at: Date } | undefined;
  readonly bounds: Bounds | undefined;
  readonly state: TierState;
}

/** Pure. At a bound it is still within. */
export function tierState(hot: bigint | undefined, bounds: Bounds | undefined): TierState {
  if (hot === undefined) return 'unknown';
  if (bounds === undefined) return 'unbounded';
  if (hot < fineOf(bounds.floor)) return 'below_floor';
  return hot > fineOf(bounds.ceiling) ? 'above_ceiling' : 'within';
}

const fineOf = (text: string): bigint => toFine(parseAmount(text) ?? 0n, AMOUNT_DECIMALS);

/** Every coin that has a tier or was measured, by network and coin. */
export async function listTiers(ctx: Context): Promise<Tier[]> {
  const measured = new Map(
    (await listHotBalances(ctx.db)).map((one) => [`${one.network} ${one.coin}`, one]),
  );
  const own = ownNetworks(ctx.config);
  const named = [...own.values()].flatMap(({ network, tiers }) =>
    Object.keys(tiers).map((coin) => `${network} ${coin}`),
  );
  return [...new Set([...measured.keys(), ...named])].sort().map((place): Tier => {
    const [network = '', coin = ''] = place.split(' ');
    const hot = measured.get(place);
    const bounds = own.get(network)?.tiers[coin];
    return {
      network,
      coin,
      hot: hot && { amount: hot.amount, at: hot.measuredAt },
      bounds,
      state: tierState(hot?.amount, bounds),
    };
  });
}
