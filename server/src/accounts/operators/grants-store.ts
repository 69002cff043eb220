// Operators' grants, and the requests for them.
import { sql, type Selectable } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { OperatorRequests } from '../../platform/db/schema.generated.ts';
import { assert } from '../../platform/std/assert.ts';
import { GRANTS, parseGrant, type Grant } from './grants.ts';
import type { GrantRequest, RequestStatus } from './request.ts';

/** The table checks the names. */
function toGrant(text: string): Grant {
  const found = parseGrant(text);
  assert(found !== undefined, 'the table checks the name of a grant', { text });
  return found;
}

export async function listGrantsOf(db: Db, userId: number): Promise<Grant[]> {
  const rows = await db
    .selectFrom('operatorGrants')
    .select('name')
    .where('userId', '=', userId)
    .execute();
  const names = rows.map(({ name }) => toGrant(name));
  return GRANTS.filter((grant) => names.includes(grant));
}

export interface GrantRow {
  readonly userId: number;
  readonly name: Grant;
  readonly givenAt: Date;
}

export async function listAllGrants(db: Db, limit: number): Promise<GrantRow[]> {
  const rows = await db
    .selectFrom('operatorGrants')
    .select(['userId', 'name', 'givenAt'])
    .orderBy('userId')
    .orderBy('name')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, name: toGrant(row.name) }));
}

/** Active people with `everything`, by id. */
export async function listHoldersOfEverything(db: Db): Promise<number[]> {
  const rows = await db
    .selectFrom('operatorGrants')
    .select('userId')
    .where('name', '=', 'everything')
    .where(sql<boolean>`has_grant(user_id, 'everything')`)
    .orderBy('userId')
    .execute();
  return rows.map(({ userId }) => userId);
}

/** Whether the person did not have it. */
export async function insertGrant(
  tx: Db,
  row: { readonly userId: number; readonly name: Grant; readonly requestId: bigint | null },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('operatorGrants')
    .values(row)
    .onConflict((conflict) => conflict.columns(['userId', 'name']).doNothing())
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

/** Whether the person had it. */
export async function deleteGrant(tx: Db, userId: number, name: Grant): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operatorGrants')
    .where('userId', '=', userId)
    .where('name', '=', name)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

const REQUEST_COLUMNS = [
  'id',
  'subjectId',
  'name',
  'reason',
  'requestedById',
  'status',
  'createdAt',
  'expiresAt',
] as const;

type StoredRequest = Pick<Selectable<OperatorRequests>, (typeof REQUEST_COLUMNS)[number]>;

const toRequest = (row: StoredRequest): GrantRequest => ({
  ...row,
  name: toGrant(row.name),
  // The table checks it.
  status: row.status as RequestStatus,
});

/** Expires what waited too long; a request whose time is over is never approved. */
export async function expireRequests(tx: Db): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('operatorRequests')
    .set({ status: 'expired', decidedAt: sql`clock_timestamp()` })
    .where('status', '=', 'awaiting')
    .where(sql<boolean>`expires_at <= clock_timestamp()`)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Undefined if the same is already asked for. */
export async function insertRequest(
  tx: Db,
  row: Pick<GrantRequest, 'subjectId' | 'name' | 'reason' | 'requestedById'>,
  hours: number,
): Promise<GrantRequest | undefined> {
  const stored = await tx
    .insertInto('operatorRequests')
    .values({ ...row, expiresAt: sql`clock_timestamp() + ${hours} * interval '1 hour'` })
    .onConflict((conflict) => conflict.doNothing())
    .returning(REQUEST_COLUMNS)
    .executeTakeFirst();
  return stored && toRequest(stored);
}

export async function lockRequest(tx: Db, id: bigint): Promise<GrantRequest | undefined> {
  const row = await tx
    .selectFrom('operatorRequests')
    .select(REQUEST_COLUMNS)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toRequest(row);
}

export async function updateDecided(
  tx: Db,
  id: bigint,
  status: 'approved' | 'rejected',
  decidedById: number,
): Promise<void> {
  await tx
    .updateTable('operatorRequests')
    .set({ status, decidedById, decidedAt: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute();
}

/** Those that wait, the oldest first. */
export async function listAwaiting(db: Db, limit: number): Promise<GrantRequest[]> {
  const rows = await db
    .selectFrom('operatorRequests')
    .select(REQUEST_COLUMNS)
    .where('status', '=', 'awaiting')
    .where(sql<boolean>`expires_at > clock_timestamp()`)
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRequest);
}
