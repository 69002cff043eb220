// Command lines that asked to act for an operator, and wrong codes.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';

export type CliStatus = 'asked' | 'confirmed' | 'ended' | 'denied' | 'expired';

export interface CliAsk {
  readonly id: bigint;
  readonly host: string;
  readonly login: string;
  /** The address that the database saw it come from. */
  readonly address: string;
}

export interface NewAsk {
  readonly tokenLookup: Buffer;
  readonly codeLookup: Buffer;
  readonly host: string;
  readonly login: string;
}

export async function insertAsk(tx: Db, row: NewAsk, minutes: number): Promise<CliAsk> {
  return tx
    .insertInto('cliGrants')
    .values({
      ...row,
      address: sql<string>`coalesce(host(inet_client_addr()), 'local')`,
      expiresAt: sql<Date>`clock_timestamp() + ${minutes} * interval '1 minute'`,
    })
    .returning(['id', 'host', 'login', 'address'])
    .executeTakeFirstOrThrow();
}

/** The one that waits with this code. */
export async function findAsk(db: Db, codeLookup: Buffer): Promise<CliAsk | undefined> {
  return db
    .selectFrom('cliGrants')
    .select(['id', 'host', 'login', 'address'])
    .where('codeLookup', '=', codeLookup)
    .where('status', '=', 'asked')
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .executeTakeFirst();
}

/** Decides it, once; undefined if none waits with this code any more. */
export async function decideAsk(
  tx: Db,
  codeLookup: Buffer,
  status: 'confirmed' | 'denied',
  userId: number,
): Promise<(CliAsk & { readonly tokenLookup: Buffer }) | undefined> {
  return tx
    .updateTable('cliGrants')
    .set({ status, userId, decidedAt: sql`clock_timestamp()` })
    .where('codeLookup', '=', codeLookup)
    .where('status', '=', 'asked')
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .returning(['id', 'host', 'login', 'address', 'tokenLookup'])
    .executeTakeFirst();
}

export async function updateSession(tx: Db, id: bigint, sessionId: bigint): Promise<void> {
  await tx.updateTable('cliGrants').set({ sessionId }).where('id', '=', id).execute();
}

/** What has become of it. */
export async function findStatus(db: Db, id: bigint): Promise<CliStatus | undefined> {
  const row = await db
    .selectFrom('cliGrants')
    .select('status')
    .select(sql<boolean>`expires_at <= clock_timestamp()`.as('isLate'))
    .where('id', '=', id)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  // The table checks it.
  return row.status === 'asked' && row.isLate ? 'expired' : (row.status as CliStatus);
}

export async function endBySession(tx: Db, sessionId: bigint): Promise<void> {
  await tx
    .updateTable('cliGrants')
    .set({ status: 'ended' })
    .where('sessionId', '=', sessionId)
    .where('status', '=', 'confirmed')
    .execute();
}

/** One person's codes are looked at one after the other, so that many at once get no more guesses. */
export async function lockGuesses(tx: Db, userId: number): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.cli_codes'), ${userId}::integer)`.execute(
    tx,
  );
}

/** Wrong codes of the last hour, and in how many seconds the oldest of them is an hour old. */
export async function countGuesses(
  tx: Db,
  userId: number,
): Promise<{ readonly count: number; readonly seconds: number }> {
  const { rows } = await sql<{ count: number; seconds: number | null }>`
    SELECT count(*)::integer AS count,
           ceil(extract(epoch FROM min(at) + interval '1 hour' - clock_timestamp()))::integer AS seconds
      FROM cli_wrong_codes WHERE user_id = ${userId} AND at > clock_timestamp() - interval '1 hour'`.execute(
    tx,
  );
  return { count: rows[0]?.count ?? 0, seconds: Math.max(1, rows[0]?.seconds ?? 1) };
}

export async function insertGuess(tx: Db, userId: number): Promise<void> {
  await tx.insertInto('cliWrongCodes').values({ userId }).execute();
}

/** Marks what was not confirmed in time, and removes what is long over. Returns how many rows. */
export async function sweep(db: Db, days: number): Promise<number> {
  const expired = await db
    .updateTable('cliGrants')
    .set({ status: 'expired' })
    .where('status', '=', 'asked')
    .where(sql<boolean>`expires_at <= clock_timestamp()`)
    .executeTakeFirstOrThrow();
  const old = await db
    .deleteFrom('cliGrants')
    .where(sql<boolean>`asked_at < clock_timestamp() - ${days} * interval '1 day'`)
    .executeTakeFirstOrThrow();
  const guesses = await db
    .deleteFrom('cliWrongCodes')
    .where(sql<boolean>`at < clock_timestamp() - interval '1 hour'`)
    .executeTakeFirstOrThrow();
  return Number(expired.numUpdatedRows + old.numDeletedRows + guesses.numDeletedRows);
}
