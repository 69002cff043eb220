// Amounts are decimal texts outside and whole units inside. A text that does not come out even is refused, never
// rounded; and each amount has one spelling, so that two texts of one amount cannot differ.
const SPELLING = /^(0|[1-9][0-9]{0,30})(?:\.([0-9]{0,29}[1-9]))?$/;

/** The units of an amount, or undefined if it is misspelt or finer than the coin. */
export function toUnits(text: string, decimals: number): bigint | undefined {
  const match = SPELLING.exec(text);
  if (match === null) return undefined;
  const [, whole = '0', part = ''] = match;
  if (part.length > decimals) return undefined;
  return BigInt(whole + part.padEnd(decimals, '0'));
}

/** A whole number, of which transactions are made. */
export const WHOLE_NUMBER = '^(0|[1-9][0-9]{0,77})$';
