// Smallest units of a chain into the ledger's units of 10^-18, and nothing is ever rounded. Pure.
import { AMOUNT_DECIMALS } from '../../amount.ts';

/** The other way; undefined when the amount is finer than the chain can pay. */
export function toChainUnits(amount: bigint, decimals: number): bigint | undefined {
  if (decimals >= AMOUNT_DECIMALS) return amount * 10n ** BigInt(decimals - AMOUNT_DECIMALS);
  const step = 10n ** BigInt(AMOUNT_DECIMALS - decimals);
  return amount % step === 0n ? amount / step : undefined;
}

/** Undefined when the amount is finer than the ledger can hold. */
export function toLedgerUnits(units: bigint, decimals: number): bigint | undefined {
  if (decimals <= AMOUNT_DECIMALS) return units * 10n ** BigInt(AMOUNT_DECIMALS - decimals);
  const step = 10n ** BigInt(decimals - AMOUNT_DECIMALS);
  return units % step === 0n ? units / step : undefined;
}
