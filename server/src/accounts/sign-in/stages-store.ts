// Sign-ins that are under way. They end by the database's clock.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Method } from '../method.ts';

/** What is still asked. */
export type AskedStage = 'factor' | 'enrol';

export interface NewSignIn {
  readonly lookup: Buffer;
  readonly userId: number;
  readonly stage: AskedStage;
  readonly methods: readonly Method[];
  readonly nameSealed: Buffer | null;
  /** The provider that vouched for the person. */
  readonly sealed: Buffer | null;
  readonly next: string | null;
}

export interface SignInRow {
  readonly userId: number;
  readonly stage: AskedStage;
  readonly methods: readonly Method[];
  readonly nameSealed: Buffer | null;
  /** The provider that vouched for the person. */
  readonly sealed: Buffer | null;
  readonly next: string | null;
}

export async function insertSignIn(tx: Db, row: NewSignIn, minutes: number): Promise<void> {
  await sql`
    INSERT INTO sign_ins (lookup, user_id, stage, methods, name_sealed, sealed, next, expires_at)
    VALUES (${row.lookup}, ${row.userId}, ${row.stage}, ${[...row.methods]}, ${row.nameSealed},
            ${row.sealed}, ${row.next}, now() + ${minutes} * interval '1 minute')`.execute(tx);
}

/** Deletes the oldest of a person's sign-ins beyond `keep`. */
export async function deleteOldestSignIns(tx: Db, userId: number, keep: number): Promise<void> {
  await sql`
    DELETE FROM sign_ins WHERE lookup IN (
      SELECT lookup FROM sign_ins WHERE user_id = ${userId} AND used_at IS NULL
       ORDER BY created_at DESC, lookup OFFSET ${keep})`.execute(tx);
}

/** One that has a first proof and is not over. */
export async function findSignIn(db: Db, lookup: Buffer): Promise<SignInRow | undefined> {
  const { rows } = await sql<SignInRow>`
    SELECT user_id, stage, methods, name_sealed, sealed, next FROM sign_ins
     WHERE lookup = ${lookup} AND used_at IS NULL AND expires_at > now()
       AND stage IN ('factor', 'enrol') AND user_id IS NOT NULL`.execute(db);
  return rows[0];
}

/** Counts a wrong answer. The last one allowed ends the sign-in. */
export async function countTry(db: Db, lookup: Buffer, triesMax: number): Promise<void> {
  await sql`
    UPDATE sign_ins SET tries = tries + 1,
           used_at = CASE WHEN tries + 1 >= ${triesMax} THEN now() ELSE used_at END
     WHERE lookup = ${lookup} AND used_at IS NULL`.execute(db);
}

/** Uses it up; false if that was done before, or it is over. */
export async function consumeSignIn(tx: Db, lookup: Buffer, stage: AskedStage): Promise<boolean> {
  const { rows } = await sql`
    UPDATE sign_ins SET used_at = now(), stage = 'done'
     WHERE lookup = ${lookup} AND stage = ${stage} AND used_at IS NULL AND expires_at > now()
    RETURNING 1`.execute(tx);
  return rows.length > 0;
}

/** Ends all that are under way for a person. */
export async function endSignInsOf(tx: Db, userId: number): Promise<void> {
  await sql`
    UPDATE sign_ins SET used_at = now() WHERE user_id = ${userId} AND used_at IS NULL`.execute(tx);
}

export async function deleteOldSignIns(db: Db): Promise<number> {
  const { rows } = await sql`
    DELETE FROM sign_ins WHERE expires_at < now() RETURNING 1`.execute(db);
  return rows.length;
}
