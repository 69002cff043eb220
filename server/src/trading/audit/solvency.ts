// Checks whether there is evidence for what the ledger owes. The debts come from the projections,
// and the evidence from a table that the engine does not write.
import type pg from 'pg';
import { CREDITS, evidenceOf } from '../custody/evidence.ts';
import { decodeCommand } from '../engine/command.ts';
import type { Violation } from './violation.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

export const INSOLVENT = 'what a coin’s owners have is covered by evidence';
export const UNBACKED = 'what custody brought or paid has its evidence';

export interface Solvency {
  readonly coin: string;
  /** Units of 10^-18. The assets with evidence, including what is paid out but not yet booked. */
  readonly assets: bigint;
  /** What accounts and the venue itself own. */
  readonly liabilities: bigint;
}

/**
 * Evidence is written before the engine is asked, so a ledger that lags behind owes too little,
 * never too much. Only a payment out has to wait: it counts as present until the projections have
 * booked it.
 */
export async function readSolvency(db: Queryable): Promise<Solvency[]> {
  const { rows } = await db.query<{ coin: string; assets: string; liabilities: string }>(
    `WITH unbooked AS (
       SELECT id FROM operator_commands WHERE status = 'waiting'
       UNION ALL
       SELECT o.id FROM operator_commands o, projection_checkpoints p
        WHERE p.shard = 0 AND o.journal_seq > p.seq),
     unpaid AS (
       SELECT id FROM operator_commands WHERE status = 'refused' AND command LIKE '%"book_chain_cost"%'
       EXCEPT SELECT id FROM unbooked),
     sides AS (
       SELECT coin, amount AS assets, 0 AS liabilities FROM custody_assets
       UNION ALL
       SELECT e.coin, -e.amount, 0 FROM custody_evidence e JOIN unbooked u ON u.id = e.command_id
        WHERE e.amount < 0 AND e.source <> 'operator'
       UNION ALL
       -- A network's charge that adjustments could not pay is gone from custody, and not booked. Until it is, it
       -- counts as if it were there: operators fund adjustments, and no market has to stop for it.
       SELECT e.coin, -e.amount, 0 FROM custody_evidence e JOIN unpaid u ON u.id = e.command_id
        WHERE e.source <> 'operator' AND NOT EXISTS (
          SELECT FROM trading_movements m
           WHERE m.kind = 'chain_cost' AND 'chain_cost:' || m.reference = e.cause AND m.status = 'settled')
       UNION ALL
       -- Operators may say what the engine then refuses: their word counts as soon as it is booked.
       SELECT e.coin, -e.amount, 0 FROM custody_evidence e
        WHERE e.source = 'operator' AND NOT EXISTS (
          SELECT FROM trading_movements m
           WHERE m.kind = split_part(e.cause, ':', 1) AND m.reference = substr(e.cause, strpos(e.cause, ':') + 1)
             AND m.status = 'settled')
       UNION ALL
       -- The books balance (another rule checks that), so the negative of custody's balance is what all others have.
       SELECT coin, 0, -amount FROM venue_balances WHERE owner LIKE 'custody:%')
     SELECT coin, sum(assets)::text AS assets, sum(liabilities)::text AS liabilities
       FROM sides GROUP BY coin ORDER BY coin`,
  );
  return rows.map(({ coin, assets, liabilities }) => ({
    coin,
    assets: BigInt(assets),
    liabilities: BigInt(liabilities),
  }));
}

export const findInsolvent = (coins: readonly Solvency[]): Violation[] =>
  coins
    .filter(({ assets, liabilities }) => assets < liabilities)
    .map(({ coin }) => ({ rule: INSOLVENT, subject: coin, coin }));

/** Movements that one check reads. */
const MOVEMENTS = 10_000;

/** The reference of a reversal's first part, which has the evidence for all of them. */
const firstPart = (reference: string): string => `regexp_replace(${reference}, ':[0-9]+$', ':0')`;

/**
 * True if a movement in or out of custody has no evidence, or differs from it. `m` is the movement. All parts of a
 * reversal together take no more than what their evidence says is gone.
 */
const UNBACKED_MOVEMENT = `m.status = 'settled' AND NOT EXISTS (
  SELECT FROM custody_evidence e
   WHERE e.cause = m.kind || ':' || CASE m.kind WHEN 'reversal' THEN ${firstPart('m.reference')} ELSE m.reference END
     AND e.coin = m.coin
     AND CASE m.kind WHEN 'reversal' THEN m.to_owner = 'custody:' || e.network AND -e.amount >= (
           SELECT sum(p.amount - p.missing) FROM trading_movements p
            WHERE p.kind = 'reversal' AND ${firstPart('p.reference')} = ${firstPart('m.reference')})
         ELSE (e.amount, 'custody:' || e.network) IN ((m.amount, m.from_owner), (m.fee - m.amount, m.to_owner)) END)
  AND (m.from_owner LIKE 'custody:%' OR m.to_owner LIKE 'custody:%')`;

export interface Looked {
  readonly violations: Violation[];
  /** Where the next check begins. */
  readonly through: number;
  readonly isEnd: boolean;
}

/**
 * Movements after `after` without evidence. The first check after a start goes through all of them.
 */
export async function findUnbacked(db: Queryable, after: number): Promise<Looked> {
  const { rows } = await db.query<{ through: string | null; seen: number; unbacked: Cause[] }>(
    `WITH stretch AS MATERIALIZED (
       SELECT * FROM trading_movements WHERE engine_seq > $1
        ORDER BY engine_seq FETCH FIRST ${MOVEMENTS} ROWS WITH TIES)
     SELECT (SELECT max(engine_seq) FROM stretch)::text AS through,
            (SELECT count(*) FROM stretch)::int AS seen,
            coalesce(json_agg(json_build_object('cause', m.kind || ':' || m.reference, 'coin', m.coin)), '[]')
              AS unbacked
       FROM stretch AS m WHERE ${UNBACKED_MOVEMENT}`,
    [after],
  );
  const { through, seen, unbacked } = rows[0] ?? { through: null, seen: 0, unbacked: [] };
  return {
    violations: unbacked.map(toViolation),
    through: Number(through ?? after),
    isEnd: seen < MOVEMENTS,
  };
}

interface Cause {
  readonly cause: string;
  readonly coin: string;
}

const toViolation = ({ cause, coin }: Cause): Violation => ({
  rule: UNBACKED,
  subject: cause,
  coin,
  isEvent: true,
});

/** For a single check: the first few violations, among all movements. */
export async function listUnbacked(db: Queryable, limit: number): Promise<Cause[]> {
  const { rows } = await db.query<Cause>(
    `SELECT m.kind || ':' || m.reference AS cause, m.coin FROM trading_movements m
      WHERE ${UNBACKED_MOVEMENT} ORDER BY m.engine_seq LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Rows of the journal that one check reads. */
const ROWS = 5000;

/**
 * The same from the journal itself, which has a credit as soon as it happens, however far behind
 * the projections are. A refused command has credited nothing; it is recognised by the row that
 * requested it.
 */
export async function findUnbackedInJournal(
  db: Queryable,
  after: number,
  shard = 0,
): Promise<Looked> {
  const { rows } = await db.query<{ seq: string; commands: string | null; head: string }>(
    `WITH head AS (SELECT coalesce(max(seq), 0) AS seq FROM trading_journal WHERE shard = $1)
     SELECT j.seq::text, j.commands, head.seq::text AS head
       FROM head LEFT JOIN trading_journal AS j
         ON j.shard = $1 AND j.seq > $2 AND j.seq <= $2::bigint + ${ROWS}
            AND (${CREDITS.map((type) => `j.commands LIKE '%"${type}"%'`).join(' OR ')})
      ORDER BY j.seq`,
    [shard, after],
  );
  const head = Number(rows[0]?.head ?? after);
  const through = Math.max(after, Math.min(head, after + ROWS));
  const credits = rows.flatMap(({ seq, commands }) =>
    (commands ?? '').split('\n').flatMap((line) => parseCredit(seq, line)),
  );
  const violations = credits.length === 0 ? [] : await compareCredits(db, credits);
  return { violations, through, isEnd: through === head };
}

interface ParsedCredit extends Cause {
  readonly seq: string;
  readonly amount: string;
  readonly text: string;
}

function parseCredit(seq: string, line: string): ParsedCredit[] {
  if (!CREDITS.some((type) => line.includes(`"${type}"`))) return [];
  const text = line.slice(line.indexOf(' ') + 1);
  // Parsed exactly as the engine does, or a credit could be missed here and count there.
  const needed = evidenceOf(decodeCommand(text, 0));
  if (needed === undefined) return [];
  const { cause, coin, amount } = needed;
  return [{ seq, text, cause, coin, amount: amount.toString() }];
}

async function compareCredits(
  db: Queryable,
  credits: readonly ParsedCredit[],
): Promise<Violation[]> {
  const { rows } = await db.query<Cause>(
    `SELECT DISTINCT c.cause, c.coin
       FROM unnest($1::bigint[], $2::text[], $3::text[], $4::numeric[], $5::text[])
              AS c(seq, cause, coin, amount, text)
      WHERE NOT EXISTS (SELECT FROM custody_evidence e
                         WHERE e.cause = c.cause AND e.coin = c.coin AND e.amount = c.amount)
        AND NOT EXISTS (SELECT FROM operator_commands o
                         WHERE o.journal_seq = c.seq AND o.status = 'refused'
                           -- How far the projections were searched is the engine's to add.
                           AND o.command::jsonb - 'checkpoint' = c.text::jsonb - 'checkpoint')`,
    [
      credits.map(({ seq }) => seq),
      credits.map(({ cause }) => cause),
      credits.map(({ coin }) => coin),
      credits.map(({ amount }) => amount),
      credits.map(({ text }) => text),
    ],
  );
  return rows.map(toViolation);
}
