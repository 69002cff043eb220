import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { Method } from '../method.ts';
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
  /** Its owner may act as an operator. */
  readonly isOperators: boolean;
}

/** An operator may write more; the audit log has it all. */
const REASON_CHARACTERS_MAX = 100;

const IS_OPERATORS = sql<boolean>`
  EXISTS (SELECT FROM operator_secrets o WHERE o.user_id = sessions.user_id)
  OR EXISTS (SELECT FROM operator_grants g WHERE g.user_id = sessions.user_id)`.as('isOperators');

export interface NewSession {
  readonly userId: number;
  readonly tokenLookup: Buffer;
  readonly at: Date;
  readonly address: string;
  readonly agent: string;
  readonly methods: readonly Method[];
  readonly factorAt: Date | null;
  /** Null for a command line. */
  readonly deviceLookup: Buffer | null;
  /** A browser's unless it says otherwise. */
  readonly kind?: SessionKind;
  /** The provider that vouched for its owner, its name for the session, and its sealed token. */
  readonly oidcProvider?: string | null;
  readonly oidcSid?: string | null;
  readonly idTokenSealed?: Buffer | null;
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

/** When somebody last signed in; undefined if nobody remembers. */
export async function findLastSessionAt(db: Db, userId: number): Promise<Date | undefined> {
  const { rows } = await sql<{ at: Date | null }>`
    SELECT max(created_at) AS at FROM sessions WHERE user_id = ${userId}`.execute(db);
  return rows[0]?.at ?? undefined;
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
    .select(IS_OPERATORS)
    .where('sessions.tokenLookup', '=', lookup)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { sessionId, createdAt, lastSeenAt, endedAt, kind, methods, factorAt, ...rest } = row;
  const { isOperators, ...user } = rest;
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
      isOperators,
    },
    user: toUser(user),
  };
}

/** These sessions, and whether their owners are active. */
export async function listSessionsById(
  db: Db,
  ids: readonly bigint[],
): Promise<
  (Pick<SessionRow, 'id' | 'createdAt' | 'lastSeenAt' | 'endedAt' | 'isOperators'> & {
    readonly isActive: boolean;
  })[]
> {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.userId')
    .select(['sessions.id', 'sessions.createdAt', 'sessions.lastSeenAt', 'sessions.endedAt'])
    .select('users.isActive')
    .select(IS_OPERATORS)
    .where('sessions.id', 'in', [...ids])
    .where('sessions.kind', '=', 'browser')
    .execute();
}

export interface ListedSession extends Omit<SessionRow, 'endedAt' | 'factorAt'> {
  readonly address: string;
  readonly agent: string;
}

/** Those that were not ended, newest first. */
export async function listSessionsOfUser(db: Db, userId: number): Promise<ListedSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .select(['id', 'kind', 'methods', 'createdAt', 'lastSeenAt', 'address', 'agent', IS_OPERATORS])
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .orderBy('id', 'desc')
    .execute();
  // The table's check constraints guarantee both.
  return rows.map((row) => ({
    ...row,
    kind: row.kind as SessionKind,
    methods: row.methods as Method[],
  }));
}

/** Whether this person has ever had a session, as far as we remember. */
export async function hasSessions(db: Db, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('sessions')
    .select('id')
    .where('userId', '=', userId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function touchSession(db: Db, id: bigint, at: Date): Promise<void> {
  await db.updateTable('sessions').set({ lastSeenAt: at }).where('id', '=', id).execute();
}

/** Takes one of the tries to show a factor, before it is looked at; returns which one. Undefined: there are none. */
export async function takeFactorTry(
  db: Db,
  id: bigint,
  triesMax: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ tries: number }>`
    UPDATE sessions SET factor_failures = factor_failures + 1
     WHERE id = ${id} AND ended_at IS NULL AND factor_failures < ${triesMax}
    RETURNING factor_failures AS tries`.execute(db);
  return rows[0]?.tries;
}

export async function returnFactorTry(db: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE sessions SET factor_failures = greatest(factor_failures - 1, 0)
     WHERE id = ${id}`.execute(db);
}

/** The session was proved again: its tries are whole, and it is fresh. */
export async function noteFactor(tx: Db, id: bigint, method: Method, at: Date): Promise<void> {
  await sql`
    UPDATE sessions
       SET factor_at = ${at}, factor_failures = 0,
           methods = CASE WHEN ${method} = ANY (methods) THEN methods ELSE methods || ${method}::text END
     WHERE id = ${id}`.execute(tx);
}

/** Whether this person had it. */
export async function endSessionById(
  tx: Db,
  { id, userId }: { readonly id: bigint; readonly userId: number },
  at: Date,
  endReason: string,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('sessions')
    .set({ endedAt: at, endReason })
    .where('id', '=', id)
    .where('userId', '=', userId)
    .where('endedAt', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Ends every session of a person but `exceptId`; returns how many. */
export async function endSessionsOfUser(
  tx: Db,
  userId: number,
  { at, reason, exceptId }: { at: Date; reason: string; exceptId?: bigint | undefined },
): Promise<number> {
  const { rows } = await sql`
    UPDATE sessions SET ended_at = ${at}, end_reason = left(${reason}, ${REASON_CHARACTERS_MAX})
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
    UPDATE sessions SET ended_at = ${at}, end_reason = 'too many sessions'
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

export interface ProviderRow {
  readonly tokenLookup: Buffer;
  readonly provider: string | null;
  readonly idTokenSealed: Buffer | null;
}

/** Which provider vouched for the owner of a session. */
export const findProviderRow = (db: Db, id: bigint): Promise<ProviderRow | undefined> =>
  db
    .selectFrom('sessions')
    .select(['tokenLookup', 'oidcProvider as provider', 'idTokenSealed'])
    .where('id', '=', id)
    .executeTakeFirst();

/** Ends the sessions that a provider vouched for: one of its own sessions, or all of a person. */
export async function endSessionsByProvider(
  tx: Db,
  which: {
    readonly provider: string;
    readonly sid: string | undefined;
    readonly userId: number | undefined;
    readonly reason: string;
  },
): Promise<number[]> {
  const { rows } = await sql<{ userId: number }>`
    UPDATE sessions SET ended_at = now(), end_reason = ${which.reason}
     WHERE oidc_provider = ${which.provider} AND ended_at IS NULL
       AND (${which.sid ?? null}::text IS NULL OR oidc_sid = ${which.sid ?? null})
       AND (${which.userId ?? null}::integer IS NULL OR user_id = ${which.userId ?? null})
    RETURNING user_id AS "userId"`.execute(tx);
  return rows.map(({ userId }) => userId);
}

/** Ends command lines that are too old or were not used for too long; returns how many. */
export async function endCommandLinesBefore(
  db: Db,
  { createdBefore, seenBefore, at }: { createdBefore: Date; seenBefore: Date; at: Date },
): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({ endedAt: at, endReason: 'too old' })
    .where('kind', '=', 'cli')
    .where('endedAt', 'is', null)
    .where((e) => e.or([e('createdAt', '<=', createdBefore), e('lastSeenAt', '<=', seenBefore)]))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}
