import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import type { Compared, Terms } from './difference.ts';

export type NewReport = { readonly network: string; readonly coin: string; readonly at: Date } & (
  | {
      readonly outcome: Compared;
      readonly height: number;
      readonly blockHash: string;
      readonly journalSeq: bigint;
      readonly terms: Terms;
      readonly difference: bigint;
    }
  | { readonly outcome: 'postponed'; readonly reason: string }
);

export async function insertReport(tx: Db, report: NewReport): Promise<bigint> {
  const { network, coin, at, outcome } = report;
  const values =
    report.outcome === 'postponed'
      ? { reason: report.reason }
      : {
          height: report.height,
          blockHash: report.blockHash,
          journalSeq: report.journalSeq,
          onChain: report.terms.onChain.toString(),
          custody: report.terms.custody.toString(),
          uncredited: report.terms.uncredited.toString(),
          unsettled: report.terms.unsettled.toString(),
          costs: report.terms.costs.toString(),
          difference: report.difference.toString(),
        };
  const { reportId } = await tx
    .insertInto('custodyReports')
    .values({ network, coin, at, outcome, ...values })
    .returning('reportId')
    .executeTakeFirstOrThrow();
  return reportId;
}

export interface Report {
  readonly reportId: bigint;
  readonly network: string;
  readonly coin: string;
  readonly outcome: Compared | 'postponed';
  readonly reason: string;
  readonly height: number | null;
  readonly onChain: string | null;
  readonly custody: string | null;
  readonly uncredited: string | null;
  readonly unsettled: string | null;
  readonly costs: string | null;
  readonly difference: string | null;
  readonly at: Date;
}

/**
 * The newest report of each coin on each network, by name; the configuration bounds their number. `isCompared`: without
 * those that could not be made.
 */
export async function listNewestReports(
  db: Db,
  { isCompared = false }: { readonly isCompared?: boolean } = {},
): Promise<Report[]> {
  const rows = await db
    .selectFrom('custodyReports')
    .select(['reportId', 'network', 'coin', 'outcome', 'reason', 'height', 'at'])
    .select(['onChain', 'custody', 'uncredited', 'unsettled', 'costs', 'difference'])
    .$if(isCompared, (query) => query.where('outcome', '<>', 'postponed'))
    .distinctOn(['network', 'coin'])
    .orderBy('network')
    .orderBy('coin')
    .orderBy('reportId', 'desc')
    .execute();
  // The table's check constraint guarantees the names.
  return rows.map((row) => ({ ...row, outcome: row.outcome as Report['outcome'] }));
}

/**
 * Takes the turn to compare a network, if it is due: of several processes one does. It is due again soon, in case this one
 * dies over it.
 */
export async function takeTurn(db: Db, network: string, againSeconds: number): Promise<boolean> {
  await sql`INSERT INTO custody_turns (network, due_at) VALUES (${network}, clock_timestamp())
            ON CONFLICT (network) DO NOTHING`.execute(db);
  const { rows } = await sql`
    UPDATE custody_turns SET due_at = clock_timestamp() + ${againSeconds} * interval '1 second'
     WHERE network = ${network} AND due_at <= clock_timestamp() RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** When the network is due again; a request of operators that came meanwhile stays. */
export async function endTurn(tx: Db, network: string, againSeconds: number): Promise<void> {
  await sql`UPDATE custody_turns SET due_at = clock_timestamp() + ${againSeconds} * interval '1 second'
             WHERE network = ${network} AND due_at > clock_timestamp()`.execute(tx);
}

/** Makes every network due now. Returns their names. */
export async function askTurns(tx: Db): Promise<string[]> {
  const { rows } = await sql<{ network: string }>`
    UPDATE custody_turns SET due_at = clock_timestamp() RETURNING network`.execute(tx);
  return rows.map(({ network }) => network).sort();
}
