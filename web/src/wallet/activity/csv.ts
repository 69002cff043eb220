// The activity as a table that spreadsheets open. Pure.
import type { LedgerEntry } from '@rialto/sdk';

const COLUMNS = [
  'time',
  'coin',
  'kind',
  'direction',
  'amount',
  'balanceBefore',
  'balanceAfter',
  'entryId',
  'referenceType',
  'referenceId',
] as const satisfies readonly (keyof LedgerEntry)[];

/** What a spreadsheet would take for a formula, when a field begins with it. */
const FORMULA = /^[=+\-@\t\r\n|]/;

function fieldOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Lines end as RFC 4180 says. Times are written out, in UTC. */
export function csvOf(entries: readonly LedgerEntry[]): string {
  const lines = entries.map((entry) =>
    COLUMNS.map((column) =>
      fieldOf(column === 'time' ? new Date(Number(entry.time)).toISOString() : entry[column]),
    ).join(','),
  );
  return [COLUMNS.join(','), ...lines, ''].join('\r\n');
}
