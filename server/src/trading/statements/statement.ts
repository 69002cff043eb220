// An account statement: what there was at the beginning, every entry of the ledger, and what there
// was at the end. Pure: the same rows give the same bytes, so a statement of the past always has
// the same hash.
import { Type, type Static } from 'typebox';
import { LedgerEntry, toLedgerEntry } from '../account/ledger.ts';
import { formatAmount } from '../amount.ts';
import type { LedgerLine } from '../projections/access.ts';
import { Decimal, Millis } from '../values.ts';
import { localTimes } from './local-time.ts';

export interface CoinTotal {
  readonly coin: string;
  /** Units of 10^-18. */
  readonly total: bigint;
}

/** What the tables say, read as of one moment. */
export interface StatementRows {
  readonly accountId: bigint;
  /** The stretch: from the first on, until before the second. */
  readonly fromMs: number;
  readonly toMs: number;
  /** Read on its own, not summed up from the entries. */
  readonly opening: readonly CoinTotal[];
  readonly entries: readonly LedgerLine[];
  readonly closing: readonly CoinTotal[];
}

/** The tables contradict themselves. It is never shown: the caller gets no statement. */
export class StatementBroken extends Error {
  override name = 'StatementBroken';
}

/** Opening and entries give the closing, coin by coin, and each entry goes on where the one before ended. */
export function checkStatement({ opening, entries, closing, fromMs, toMs }: StatementRows): void {
  const running = new Map(opening.map(({ coin, total }) => [coin, total]));
  let lastId = -1n;
  for (const entry of entries) {
    const { entryId, coin, direction, amount, balanceBefore, balanceAfter, timeMs } = entry;
    const before = running.get(coin) ?? 0n;
    const after = direction === 'in' ? before + amount : before - amount;
    if (entryId <= lastId) throw new StatementBroken(`entry ${entryId} is not after ${lastId}`);
    if (timeMs < BigInt(fromMs) || timeMs >= BigInt(toMs)) {
      throw new StatementBroken(`entry ${entryId} lies outside the stretch`);
    }
    if (balanceBefore !== before || balanceAfter !== after) {
      throw new StatementBroken(
        `entry ${entryId} goes from ${balanceBefore} to ${balanceAfter} ${coin}, and should from ${before} to ${after}`,
      );
    }
    running.set(coin, after);
    lastId = entryId;
  }
  const ends = new Map(closing.map(({ coin, total }) => [coin, total]));
  for (const coin of new Set([...running.keys(), ...ends.keys()])) {
    const [summed, found] = [running.get(coin) ?? 0n, ends.get(coin) ?? 0n];
    if (summed !== found) {
      throw new StatementBroken(`${coin} adds up to ${summed}, and the ledger ends at ${found}`);
    }
  }
}

const Total = Type.Object({
  coin: Type.String({ description: 'Coin symbol.', examples: ['usdt'] }),
  total: Decimal('Total of the account in the coin.'),
});

export const Statement = Type.Object(
  {
    accountId: Type.String({ description: 'Account id.' }),
    from: Millis('Beginning of the stretch, inclusive.'),
    to: Millis('Its end, exclusive.'),
    timezone: Type.String({ description: 'The time zone of `localTime`.', examples: ['UTC'] }),
    opening: Type.Array(Total, { description: 'What there was at the beginning, per coin.' }),
    entries: Type.Array(
      Type.Object({
        ...LedgerEntry.properties,
        localTime: Type.String({
          description: 'The same time in the time zone.',
          examples: ['2025-10-09T08:53:20.000+00:00'],
        }),
      }),
      { description: 'Everything that changed a total, in order.' },
    ),
    closing: Type.Array(Total, {
      description: 'What there was at the end, per coin: the opening and all entries.',
    }),
  },
  { title: 'Statement' },
);
export type Statement = Static<typeof Statement>;

const toTotals = (rows: readonly CoinTotal[]) =>
  rows.map(({ coin, total }) => ({ coin, total: formatAmount(total) }));

export function toStatement(rows: StatementRows, timezone: string): Statement {
  const toLocal = localTimes(timezone);
  return {
    accountId: String(rows.accountId),
    from: String(rows.fromMs),
    to: String(rows.toMs),
    timezone,
    opening: toTotals(rows.opening),
    entries: rows.entries.map((row) => ({
      ...toLedgerEntry(row),
      localTime: toLocal(Number(row.timeMs)),
    })),
    closing: toTotals(rows.closing),
  };
}

export const renderJson = (rows: StatementRows, timezone: string): string =>
  `${JSON.stringify(toStatement(rows, timezone))}\n`;

const COLUMNS = [
  'record',
  'accountId',
  'time',
  'localTime',
  'coin',
  'kind',
  'direction',
  'amount',
  'balanceBefore',
  'balanceAfter',
  'entryId',
  'referenceType',
  'referenceId',
] as const;
type Line = Partial<Record<(typeof COLUMNS)[number], string>>;

/** One table: the opening of each coin, every entry, the closing of each coin. Lines end as RFC 4180 says. */
export function renderCsv(rows: StatementRows, timezone: string): string {
  const toLocal = localTimes(timezone);
  const { accountId, from, to, opening, entries, closing } = toStatement(rows, timezone);
  const totalsAt = (record: string, time: string, totals: Statement['opening']): Line[] =>
    totals.map(({ coin, total }) => ({
      record,
      time,
      localTime: toLocal(Number(time)),
      coin,
      balanceAfter: total,
    }));
  const lines: Line[] = [
    ...totalsAt('opening', from, opening),
    ...entries.map(({ fee: _always0, ...entry }) => ({ record: 'entry', ...entry })),
    ...totalsAt('closing', to, closing),
  ];
  return [
    COLUMNS.join(','),
    ...lines.map((line) =>
      COLUMNS.map((column) =>
        toField(column === 'accountId' ? accountId : (line[column] ?? '')),
      ).join(','),
    ),
    '',
  ].join('\r\n');
}

/** What a spreadsheet would take for a formula, when a field begins with it. */
const FORMULA = /^[=+\-@\t\r\n|]/;

/** A field that a spreadsheet takes for text, whatever somebody put into an id. */
export function toField(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
