// SQL of the rows around the engine: operators' commands, commands that made the core throw, and movements of money
// as the projections have them.
import { bounded, type Queryable } from './statements.ts';
import type { OperatorResult } from './store.ts';

export interface WaitingCommand {
  readonly id: number;
  readonly command: string;
  /** The name of the act; empty where no operator requested it. */
  readonly act: string;
}

/** Waiting commands of operators and other processes, in order. */
export async function readWaiting(
  db: Queryable,
  shard: number,
  afterId: number,
  limit: number,
): Promise<WaitingCommand[]> {
  const { rows } = await db.query<{ id: string; command: string; act: string }>(
    bounded({
      name: 'operator-waiting',
      text: `SELECT o.id::text, command, act FROM operator_commands o
            WHERE shard = $1 AND o.id > $2 AND status = 'waiting' ORDER BY o.id LIMIT $3`,
      values: [shard, afterId, limit],
    }),
  );
  return rows.map(({ id, command, act }) => ({ id: Number(id), command, act }));
}

/**
 * Ends a row whose command this engine does not know. Nothing goes into the journal. Only the leading engine may do
 * that, because another release may know the command. False when this engine no longer leads, or the row has ended.
 */
export async function refuseWaiting(
  db: Queryable,
  { shard, epoch, id, result }: { shard: number; epoch: number; id: number; result: string },
): Promise<boolean> {
  const { rowCount } = await db.query(
    bounded({
      text: `UPDATE operator_commands SET status = 'refused', result = $4, done_at = clock_timestamp()
            WHERE id = $3 AND shard = $1 AND status = 'waiting'
              AND EXISTS (SELECT FROM trading_leases WHERE shard = $1 AND epoch = $2)`,
      values: [shard, epoch, id, result],
    }),
  );
  return rowCount === 1;
}

/**
 * Commands that made the core throw, the newest first. A command is released when an operator has resumed its
 * account since.
 */
export async function listPoisoned(
  db: Queryable,
  shard: number,
  limit: number,
): Promise<{ hash: Buffer; command: string; isReleased: boolean }[]> {
  const { rows } = await db.query<{ hash: Buffer; command: string; isReleased: boolean }>(
    bounded({
      text: `SELECT hash, command,
                    EXISTS (SELECT FROM operator_commands o
                             WHERE o.subject = 'account ' || (p.command::json ->> 'account')
                               AND o.act = 'account resume' AND o.status = 'done'
                               AND o.done_at > p.at) AS "isReleased"
               FROM poisoned_commands p WHERE shard = $1 ORDER BY at DESC LIMIT $2`,
      values: [shard, limit],
    }),
  );
  return rows;
}

export async function insertPoisoned(
  db: Queryable,
  poisoned: { shard: number; hash: Buffer; command: string; error: string },
): Promise<void> {
  await db.query(
    bounded({
      text: `INSERT INTO poisoned_commands (shard, hash, command, error) VALUES ($1, $2, $3, $4)
             ON CONFLICT DO NOTHING`,
      values: [poisoned.shard, poisoned.hash, poisoned.command, poisoned.error],
    }),
  );
}

/** Ends a row whose cause is already in the journal. Only the leading engine may. */
export async function answerWaiting(
  db: Queryable,
  shard: number,
  epoch: number,
  { id, status, result }: OperatorResult,
): Promise<void> {
  await db.query(
    bounded({
      name: 'operator-answered',
      text: `UPDATE operator_commands SET status = $4, result = $5, done_at = clock_timestamp()
            WHERE id = $3 AND shard = $1 AND status = 'waiting'
              AND EXISTS (SELECT FROM trading_leases WHERE shard = $1 AND epoch = $2)`,
      values: [shard, epoch, id, status, result],
    }),
  );
}

/** Marks rows as waiting for the projections, not for an engine. */
export async function markHeld(db: Queryable, ids: readonly number[]): Promise<void> {
  await db.query(
    bounded({
      name: 'operator-held',
      text: `UPDATE operator_commands SET waits_for = 'projection'
            WHERE id = ANY ($1::bigint[]) AND status = 'waiting' AND waits_for = ''`,
      values: [ids],
    }),
  );
}

/** Identifies a movement of money for ever. */
export interface MovementCause {
  readonly kind: string;
  readonly reference: string;
}

/** A movement as the projection has it. */
export interface KnownMovement extends MovementCause {
  readonly coin: string;
  readonly amount: bigint;
  readonly from: string;
  readonly to: string;
  readonly fee: bigint;
  /** Of a reversal: what nobody had of the amount, and whether adjustments were to cover it. */
  readonly missing: bigint;
  readonly cover: boolean;
  readonly status: string;
}

interface MovementRow {
  engine_seq: string;
  kind: string | null;
  reference: string;
  coin: string;
  amount: string;
  from_owner: string;
  to_owner: string;
  fee: string;
  missing: string;
  cover: boolean;
  status: string;
}

/**
 * What is known of these causes, and the engine event through which that is complete. Both come from one
 * statement, hence from one state of the database.
 */
export async function findMovements(
  db: Queryable,
  shard: number,
  causes: readonly MovementCause[],
): Promise<{ checkpoint: number; known: KnownMovement[] }> {
  const { rows } = await db.query<MovementRow>(
    bounded({
      name: 'find-movements',
      text: `SELECT p.engine_seq::text, m.kind, m.reference, m.coin, m.amount::text, m.from_owner, m.to_owner,
                    m.fee::text, m.missing::text, m.cover, m.status
               FROM projection_checkpoints p
               LEFT JOIN (unnest($2::text[], $3::text[]) AS wanted (kind, reference)
                          JOIN trading_movements m USING (kind, reference)) ON true
              WHERE p.shard = $1`,
      values: [shard, causes.map(({ kind }) => kind), causes.map(({ reference }) => reference)],
    }),
  );
  return {
    checkpoint: Number(rows[0]?.engine_seq ?? 0),
    known: rows.flatMap(({ kind, reference, coin, status, ...row }) =>
      // The join is by the whole key, so either all of it is there or none.
      kind === null
        ? []
        : [
            {
              kind,
              reference,
              coin,
              status,
              amount: BigInt(row.amount),
              from: row.from_owner,
              to: row.to_owner,
              fee: BigInt(row.fee),
              missing: BigInt(row.missing),
              cover: row.cover,
            },
          ],
    ),
  };
}
