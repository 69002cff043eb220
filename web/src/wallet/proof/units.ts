const DECIMALS = 18;

/** The ledger's units of 10⁻¹⁸ as plain decimal text. No digit is lost. */
export function fromUnits(units: string): string {
  const digits = units.padStart(DECIMALS + 1, '0');
  const whole = digits.slice(0, -DECIMALS);
  const fraction = digits.slice(-DECIMALS).replace(/0+$/u, '');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
