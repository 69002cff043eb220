// Compares what the fast core and the slow twin say. Lists whose order means nothing are sorted
// first.

import type { Outcome, Step } from '../src/outcome.ts';

/** The first place where two values differ, or undefined if they are equal. */
export function findDifference(a: unknown, b: unknown, path: string): string | undefined {
  if (a === b) return undefined;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) {
    return `${path}: core ${show(a)}, twin ${show(b)}`;
  }
  if (Array.isArray(a) !== Array.isArray(b)) return `${path}: one is a list`;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) {
      return `${path}: core has ${a.length} (${show(a)}), twin ${b.length} (${show(b)})`;
    }
    for (let i = 0; i < a.length; i++) {
      const found = findDifference(a[i], b[i], `${path}[${i}]`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const left = a as Record<string, unknown>;
  const right = b as Record<string, unknown>;
  for (const key in left) {
    const found = findDifference(left[key], right[key], `${path}.${key}`);
    if (found !== undefined) return found;
  }
  for (const key in right) if (!(key in left)) return `${path}.${key}: only the twin has it`;
  return undefined;
}

export function show(value: unknown): string {
  const text = JSON.stringify(value, (_, v: unknown) => (typeof v === 'bigint' ? `${v}n` : v));
  return text === undefined ? String(value) : text.slice(0, 600);
}

function sortStep(step: Step): void {
  step.orders.sort((a, b) => a.orderId - b.orderId);
  step.books.sort((a, b) => (a.symbol < b.symbol ? -1 : 1));
  for (const book of step.books) {
    book.levels.sort((a, b) => a.priceTicks - b.priceTicks || (a.side < b.side ? -1 : 1));
  }
  for (const journal of step.journals) {
    if (journal.kind === 'trade') continue;
    journal.postings.sort((a, b) => (a.bucket < b.bucket ? -1 : a.bucket > b.bucket ? 1 : 0));
  }
}

export function compareOutcomes(core: Outcome, twin: Outcome): string | undefined {
  for (const step of core.steps) sortStep(step);
  for (const step of twin.steps) sortStep(step);
  return findDifference(core, twin, 'outcome');
}
