// Smallest units of a chain into the ledger's units of 10^-18, and nothing is ever rounded. Pure.
import { AMOUNT_DECIMALS } from '../../amount.ts';

/** Undefined when the amount is finer than the ledger can hold. */
export function toLedgerUnits(units: bigint, decimals: number): bigint | undefined {
  if (decimals <= AMOUNT_DECIMALS) return units * 10n ** BigInt(AMOUNT_DECIMALS - decimals);
  const step = 10n ** BigInt(decimals - AMOUNT_DECIMALS);
  return units % step === 0n ? units / step : undefined;
}
