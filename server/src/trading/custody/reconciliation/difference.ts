// What a chain must hold by the ledger, and what it differs by. Pure. Amounts are in units of 10^-24: as fine as a token may
// count, so that nothing is rounded.
import { formatFixed, withoutTrailingZeros } from '../../amount.ts';

/** Decimals of these units; no coin that is listed has more. */
export const FINE_DECIMALS = 24;

/** A number of 10^-decimals in fine units. */
export const toFine = (count: bigint, decimals: number): bigint =>
  count * 10n ** BigInt(FINE_DECIMALS - decimals);

/** All as of one block of the chain and one state of the ledger. */
export interface Terms {
  readonly onChain: bigint;
  /** The ledger's account of the network: below zero by what the chain must hold. */
  readonly custody: bigint;
  /** In the block, and not credited; less what is credited, and not in the block. */
  readonly uncredited: bigint;
  /** Paid in the block, and not settled; less what is settled, and not paid in the block. */
  readonly unsettled: bigint;
  /** Taken by the network in the block, and not booked; less what is booked, and not taken in the block. */
  readonly costs: bigint;
}

/** What the chain has more than it must; below zero, something is missing. */
export const differenceOf = ({ onChain, custody, uncredited, unsettled, costs }: Terms): bigint =>
  onChain - (-custody + uncredited - unsettled - costs);

export type Compared = 'equal' | 'surplus' | 'shortfall';

export function outcomeOf(difference: bigint): Compared {
  if (difference === 0n) return 'equal';
  return difference > 0n ? 'surplus' : 'shortfall';
}

/** In coins, without trailing zeros. */
export const formatFine = (units: bigint): string =>
  withoutTrailingZeros(formatFixed(units, FINE_DECIMALS));
