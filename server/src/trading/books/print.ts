// Levels of a book as texts, and the checksum over them: for answers and for streams alike.
import { crc32 } from 'node:zlib';

/**
 * One price: the sum of the visible volume there, in steps of the market's precision. Both are whole numbers
 * below 2^53, which the core guarantees.
 */
export interface Level {
  readonly priceTicks: number;
  readonly lots: number;
}

export interface PrintedLevel {
  readonly price: string;
  readonly volume: string;
}

/** The precision of a market. */
export interface Precision {
  readonly quotePrecision: number;
  readonly basePrecision: number;
}

/** The levels of both sides, best first. */
export interface Sides {
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
}

const CHECKED_LEVELS = 25;

/** The first `limit` levels as JSON text. */
export function printLevels(
  { quotePrecision, basePrecision }: Precision,
  levels: readonly Level[],
  limit: number,
): string {
  const count = Math.min(limit, levels.length);
  let text = '[';
  for (let i = 0; i < count; i += 1) {
    const { priceTicks, lots } = levels[i] as Level;
    const price = formatSteps(priceTicks, quotePrecision);
    const volume = formatSteps(lots, basePrecision);
    text += `${i === 0 ? '' : ','}{"price":"${price}","volume":"${volume}"}`;
  }
  return `${text}]`;
}

export const printLevel = (
  { quotePrecision, basePrecision }: Precision,
  { priceTicks, lots }: Level,
): PrintedLevel => ({
  price: formatSteps(priceTicks, quotePrecision),
  volume: formatSteps(lots, basePrecision),
});

/** A whole number of steps of 10^-decimals with exactly that many decimals: (150, 2) is `1.50`. */
function formatSteps(count: number, decimals: number): string {
  const digits = String(count);
  if (decimals === 0) return digits;
  const padded = digits.length > decimals ? digits : digits.padStart(decimals + 1, '0');
  return `${padded.slice(0, -decimals)}.${padded.slice(-decimals)}`;
}

/**
 * CRC-32 over the best levels, bid and ask in turn, as texts: clients that follow the book compare
 * it.
 */
export function checksumOf(precision: Precision, { bids, asks }: Sides): number {
  const parts: string[] = [];
  for (let i = 0; i < CHECKED_LEVELS; i += 1) {
    for (const level of [bids[i], asks[i]]) {
      if (level === undefined) continue;
      const { price, volume } = printLevel(precision, level);
      parts.push(price, volume);
    }
  }
  return crc32(parts.join(':'));
}
