import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Method } from '../second-factors/factor.ts';
import { toUser, USER_COLUMNS, type User } from '../user.ts';

/** A browser, or the command line of an operator. */
export type SessionKind = 'browser' | 'cli';

export interface SessionRow {
  readonly id: bigint;
  readonly kind: SessionKind;
  readonly methods: readonly Method[];
  readonly factorAt: Date | null;
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly endedAt: Date | null;
}

export interface NewSession {
  readonly userId: number;
  readonly tokenLookup: Buffer;
  readonly at: Date;
  readonly address: string;
  readonly agent: string;
  readonly methods: readonly Method[];
  readonly factorAt: Date | null;
}

export async function insertSession(
  tx: Db,
  { at, methods, ...session }: NewSession,
): Promise<bigint> {
  const { id } = await tx
    .insertInto('sessions')
    .values({ ...session, methods: [...methods], createdAt: at, lastSeenAt: at })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Locks the row until the transaction ends. */
export async function isActiveNow(tx: Db, userId: number): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('isActive')
    .where('id', '=', userId)
    .forShare()
    .executeTakeFirst();
  return row?.isActive === true;
}

export async function findSessionByLookup(
  db: Db,
  lookup: Buffer,
): Promise<{ session: SessionRow; user: User } | undefined> {
  const row = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(USER_COLUMNS.map((column) => `users.${column}` as const))
    .select([
      'sessions.id as sessionId',
      'sessions.createdAt as createdAt',
      'sessions.lastSeenAt as lastSeenAt',
      'sessions.endedAt as endedAt',
      'sessions.kind as kind',
      'sessions.methods as methods',
      'sessions.factorAt as factorAt',
    ])
    .where('sessions.tokenLookup', '=', lookup)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { sessionId, createdAt, lastSeenAt, endedAt, kind, methods, factorAt, ...user } = row;
  return {
    session: {
      id: sessionId,
      createdAt,
      lastSeenAt,
      endedAt,
      // The table's check constraints guarantee both.
      kind: kind as SessionKind,
      methods: methods as Method[],
      factorAt,
    },
    user: toUser(user),
  };
}

export async function touchSession(db: Db, id: bigint, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ lastSeenAt: at }).where('id', '=', id).execute();
}

/** Whether it existed. */
export async function endSessionById(tx: Db, id: bigint, at: Date): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ endedAt: at })
    .where('id', '=', id)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends every session of a person but `exceptId`; returns how many. */
export async function endSessionsOfUser(
  tx: Db,
  userId: number,
  at: Date,
  exceptId?: bigint,
): Promise<number> {
  const { rows } = await sql`
    UPDATE sessions SET ended_at = ${at}
     WHERE user_id = ${userId} AND ended_at IS NULL AND id IS DISTINCT FROM ${exceptId ?? null}
    RETURNING id`.execute(tx);
  return rows.length;
}

/** Ends the oldest of a person's sessions beyond `keep`. */
export async function endOldestSessions(
  tx: Db,
  userId: number,
  keep: number,
  at: Date,
): Promise<void> {
  await sql`
    UPDATE sessions SET ended_at = ${at}
     WHERE id IN (SELECT id FROM sessions WHERE user_id = ${userId} AND ended_at IS NULL
                   ORDER BY id DESC OFFSET ${keep})`.execute(tx);
}

/** Removes sessions that have been unusable for a while. */
export async function deleteSessionsBefore(
  db: Db,
  { seenBefore, createdBefore }: { seenBefore: Date; createdBefore: Date },
): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('sessions')
    .where((e) => e.or([e('lastSeenAt', '<', seenBefore), e('createdAt', '<', createdBefore)]))
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}
