import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { ChainedEntry } from './entry.ts';
import type { AuditHead } from './head.ts';

/**
 * A process that is paused while it holds the log would block every operator; PostgreSQL ends its
 * session.
 */
const IDLE_MAX = '5s';

/** One writer at a time: the next entry needs the hash of the last. */
export async function lockAuditLog(tx: Db): Promise<void> {
  await sql`SELECT set_config('idle_in_transaction_session_timeout', ${IDLE_MAX}, true)`.execute(
    tx,
  );
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.audit'))`.execute(tx);
}

export async function findLastEntry(
  db: Db,
): Promise<Pick<ChainedEntry, 'seq' | 'hash'> | undefined> {
  return db
    .selectFrom('auditLog')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

export async function insertEntry(tx: Db, entry: ChainedEntry): Promise<void> {
  await tx.insertInto('auditLog').values(entry).execute();
}

/** By seq, from the one after `after`. */
export async function listEntriesAfter(
  db: Db,
  after: bigint,
  limit: number,
): Promise<ChainedEntry[]> {
  return db
    .selectFrom('auditLog')
    .selectAll()
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export interface EntryFilter {
  readonly operator?: string;
  readonly act?: string;
  readonly subject?: string;
  readonly limit: number;
}

/** The newest first. */
export async function listNewestEntries(db: Db, filter: EntryFilter): Promise<ChainedEntry[]> {
  let query = db.selectFrom('auditLog').selectAll().orderBy('seq', 'desc').limit(filter.limit);
  if (filter.operator !== undefined) query = query.where('operator', '=', filter.operator);
  if (filter.act !== undefined) query = query.where('act', '=', filter.act);
  if (filter.subject !== undefined) query = query.where('subject', '=', filter.subject);
  return query.execute();
}

export async function findAuditEntry(db: Db, seq: bigint): Promise<ChainedEntry | undefined> {
  return db.selectFrom('auditLog').selectAll().where('seq', '=', seq).executeTakeFirst();
}

/** One head at a time, among all workers. */
export async function lockHeads(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.audit_heads'))`.execute(tx);
}

const HEAD_COLUMNS = ['seq', 'hash', 'at', 'keyId', 'signature'] as const;

export async function findNewestHead(db: Db): Promise<AuditHead | undefined> {
  return db
    .selectFrom('auditHeads')
    .select(HEAD_COLUMNS)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** In the order in which they were signed. */
export async function listAuditHeads(db: Db): Promise<AuditHead[]> {
  return db.selectFrom('auditHeads').select(HEAD_COLUMNS).orderBy('id').execute();
}

export async function insertHead(tx: Db, head: AuditHead): Promise<void> {
  await tx.insertInto('auditHeads').values(head).execute();
}
