// Serialises answers within a number of bytes. A list is written piece by piece, so an oversized
// answer is noticed early, and other requests get their turn in between.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** The route lacks a limit. Thrown before the whole answer is written. */
export class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
  readonly bytesMax: number;
  constructor(bytesMax: number) {
    super(`An answer would have more than ${bytesMax} bytes.`);
    this.bytesMax = bytesMax;
  }
}

/** The bytes left for an answer; each written part reduces it. */
export interface AnswerBudget {
  readonly bytesMax: number;
  left: number;
}

export const budgetOf = (bytesMax: number): AnswerBudget => ({ bytesMax, left: bytesMax });

export function spend(budget: AnswerBudget, text: string): string {
  // Most of it is ASCII, so the length in characters is enough while the limit is far.
  const bytes = text.length * 3 > budget.left ? Buffer.byteLength(text) : text.length;
  budget.left -= bytes;
  if (budget.left < 0) throw new AnswerTooLarge(budget.bytesMax);
  return text;
}

/** Entries that are written at once, and bytes after which other requests get their turn. */
const ENTRIES = 20;
const TURN_BYTES = 256 * 1024;

/** JSON of `value` in pieces; long lists and objects a few entries at a time, and only these with a promise. */
export function writeJson(value: unknown, budget: AnswerBudget): string[] | Promise<string[]> {
  if (Array.isArray(value) && value.length > ENTRIES) {
    return writeParts(value, budget, '[', ']', (part) => JSON.stringify(part).slice(1, -1));
  }
  if (isPlainObject(value)) {
    const entries = Object.entries(value);
    if (entries.length > ENTRIES) {
      return writeParts(entries, budget, '{', '}', (part) =>
        JSON.stringify(Object.fromEntries(part)).slice(1, -1),
      );
    }
  }
  return [spend(budget, JSON.stringify(value))];
}

async function writeParts<T>(
  entries: readonly T[],
  budget: AnswerBudget,
  open: string,
  close: string,
  write: (part: T[]) => string,
): Promise<string[]> {
  const parts = [open];
  let turnLeft = budget.left - TURN_BYTES;
  for (let from = 0; from < entries.length; from += ENTRIES) {
    const text = spend(budget, write(entries.slice(from, from + ENTRIES)));
    // Entries that JSON omits leave nothing.
    if (text !== '') parts.push(parts.length === 1 ? text : `,${text}`);
    if (budget.left < turnLeft) {
      turnLeft = budget.left - TURN_BYTES;
      await nextTurn();
    }
  }
  parts.push(close);
  return parts;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
