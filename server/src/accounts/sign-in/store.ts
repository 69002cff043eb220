// Token buckets. They fill by the database's clock, so that processes need not agree on the time.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Capacity, Take } from './lanes.ts';

/** PostgreSQL's largest integer: a streak that no bucket reaches. */
const STREAK_NEVER = 2_147_483_647;

const streakOf = ({ streakMax }: Take): number => Math.min(streakMax, STREAK_NEVER);

/**
 * The present contents of bucket `b`. The start of the transaction counts as now; time never goes
 * back for a row.
 */
const refilled = ({ tokens, refillSeconds }: Capacity) => sql<number>`
  least(${tokens}::float8,
        b.tokens + greatest(0, extract(epoch FROM now() - b.at)::float8) / ${refillSeconds}::float8)`;

/** Takes one token; false when there is none, or when too many failed in a row. */
export async function takeToken(tx: Db, take: Take): Promise<boolean> {
  const { rows } = await sql`
    INSERT INTO sign_in_buckets AS b (subject, tokens, at)
    VALUES (${take.subject}, ${take.tokens}::float8 - 1, now())
    ON CONFLICT (subject) DO UPDATE
      SET tokens = ${refilled(take)} - 1, at = greatest(b.at, now())
      WHERE ${refilled(take)} >= 1 AND b.streak < ${streakOf(take)}
    RETURNING 1`.execute(tx);
  return rows.length > 0;
}

export interface BucketState {
  readonly tokens: number;
  readonly streak: number;
}

/** The contents of the bucket, without taking anything; undefined for an unused one. */
export async function readBucket(
  db: Db,
  { subject, ...capacity }: Capacity & { readonly subject: Buffer },
): Promise<BucketState | undefined> {
  const { rows } = await sql<BucketState>`
    SELECT ${refilled(capacity)} AS tokens, b.streak FROM sign_in_buckets b
     WHERE b.subject = ${subject}`.execute(db);
  return rows[0];
}

/** Puts one token back, as if the attempt had not happened. */
export async function returnToken(tx: Db, { subject, tokens }: Take): Promise<void> {
  await sql`
    UPDATE sign_in_buckets SET tokens = least(${tokens}::float8, tokens + 1)
     WHERE subject = ${subject}`.execute(tx);
}

/** Returns the longest streak that there is now. */
export async function addFailure(tx: Db, subjects: readonly Buffer[]): Promise<number> {
  const { rows } = await sql<{ streak: number }>`
    UPDATE sign_in_buckets SET streak = least(streak, ${STREAK_NEVER - 1}::integer) + 1
     WHERE subject = ANY (${subjects}::bytea[]) RETURNING streak`.execute(tx);
  return Math.max(0, ...rows.map(({ streak }) => streak));
}

/** Opens what failures in a row have closed; the tokens stay as they are. */
export async function endStreaks(tx: Db, subjects: readonly Buffer[]): Promise<void> {
  await sql`
    UPDATE sign_in_buckets SET streak = 0
     WHERE subject = ANY (${subjects}::bytea[]) AND streak > 0`.execute(tx);
}

/** Fills buckets completely and forgets failures; returns how many were not as if new. */
export async function refill(tx: Db, subjects: readonly Buffer[]): Promise<number> {
  const { rows } = await sql`
    DELETE FROM sign_in_buckets WHERE subject = ANY (${subjects}::bytea[]) RETURNING 1`.execute(tx);
  return rows.length;
}

/** Deletes unused buckets: closed ones only after `closedDays`. */
export async function deleteIdleBuckets(
  db: Db,
  given: { readonly streakMax: number; readonly closedDays: number },
): Promise<number> {
  const { rows } = await sql`
    DELETE FROM sign_in_buckets
     WHERE (at < now() - interval '1 day' AND streak < ${given.streakMax})
        OR at < now() - ${given.closedDays} * interval '1 day' RETURNING 1`.execute(db);
  return rows.length;
}
