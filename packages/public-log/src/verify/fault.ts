// What a check throws when the log is wrong, and small checks of values.
import { findUnits } from '../decimal.ts';

/** The log is wrong at the event that is being looked at. The message is the end of a sentence. */
export class LogFault extends Error {
  /** The line to blame, where it is not the one that is being read. */
  readonly line: number | undefined;

  constructor(message: string, line?: number) {
    super(message);
    this.line = line;
  }
}

export function fault(message: string, line?: number): never {
  throw new LogFault(message, line);
}

const WHOLE = /^(?:0|[1-9]\d{0,15})$/;

/** A whole number as the log writes it: digits only, no zero in front. */
export function wholeNumber(name: string, text: string): number {
  const value = WHOLE.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(value)) {
    fault(`${name} must be a whole number without zeros in front, but is "${shorten(text)}"`);
  }
  return value;
}

/** A price or volume in whole units, written with exactly this many decimals. */
export function exactDecimal(name: string, text: string, decimals: number): number {
  const units = findUnits(text, decimals);
  if (units === undefined) {
    fault(`${name} must be a decimal with exactly ${decimals} decimals, but is "${shorten(text)}"`);
  }
  return units;
}

/** The same, above zero. */
export function positiveDecimal(name: string, text: string, decimals: number): number {
  const units = exactDecimal(name, text, decimals);
  if (units <= 0) fault(`${name} must be above zero, but is "${text}"`);
  return units;
}

/** Text from a stranger's file, short enough for a message. */
export const shorten = (text: string): string =>
  text.length <= 80 ? text : `${text.slice(0, 77)}...`;
