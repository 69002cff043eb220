// Whole ticks and lots to decimal text with a fixed number of decimals, and back.

/** A safe integer with its sign, a point and up to 18 decimals is never longer. */
const LENGTH_MAX = 24;

export function toDecimal(units: number, decimals: number): string {
  const sign = units < 0 ? '-' : '';
  const digits = String(Math.abs(units)).padStart(decimals + 1, '0');
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The units of a canonical decimal; undefined if the text is not exactly what `toDecimal` writes. */
export function findUnits(text: string, decimals: number): number | undefined {
  if (text.length > LENGTH_MAX) return undefined;
  const point = text.length - decimals - 1;
  let digits = text;
  if (decimals > 0) {
    if (point < 1 || text[point] !== '.') return undefined;
    digits = text.slice(0, point) + text.slice(point + 1);
  }
  if (!/^-?\d+$/.test(digits)) return undefined;
  const units = Number(digits);
  if (!Number.isSafeInteger(units)) return undefined;
  return toDecimal(units, decimals) === text ? units : undefined;
}
