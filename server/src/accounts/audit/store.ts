import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { AuditEntry, ChainedEntry } from './entry.ts';
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

/**
 * The first words of the acts that administrators of the organization may read about. How accounts are secured, and what
 * the venue and its operators do, is for operators. A partial index has the same list.
 */
export const ORGANIZATION_NOUNS = [
  'user',
  'bot',
  'invitation',
  'group',
  'channel',
  'subscription',
  'default_channel',
  'folder',
  'org',
  'domain',
  'emoji',
  'linkifier',
  'playground',
  'profile_field',
] as const;

const ABOUT_ORGANIZATION = sql<boolean>`split_part(act, ' ', 1) IN (${sql.raw(
  ORGANIZATION_NOUNS.map((noun) => `'${noun}'`).join(', '),
)})`;

export interface OrganizationFilter {
  /** Who acted. */
  readonly userId?: number | undefined;
  readonly act?: string | undefined;
  readonly since?: Date | undefined;
  /** Not included. */
  readonly until?: Date | undefined;
  /** Only entries with smaller numbers: the last one of the page before. */
  readonly before?: bigint | undefined;
  readonly limit: number;
}

/** Entries about the organization, the newest first. */
export async function listOrganizationEntries(
  db: Db,
  { userId, act, since, until, before, limit }: OrganizationFilter,
): Promise<AuditEntry[]> {
  let query = db
    .selectFrom('auditLog')
    .select(['seq', 'at', 'operator', 'act', 'subject', 'details', 'outcome', 'commandId'])
    .where(ABOUT_ORGANIZATION)
    .orderBy('seq', 'desc')
    .limit(limit);
  if (userId !== undefined) {
    query = query.where(
      sql<boolean>`substring(details FROM '"by":([0-9]+)[,}]') = ${String(userId)}`,
    );
  }
  if (act !== undefined) query = query.where('act', '=', act);
  if (before !== undefined) query = query.where('seq', '<', before);
  // Numbers grow with time. As bounds of the number, times need no reading of what is newer or older.
  if (since !== undefined) {
    query = query
      .where('at', '>=', since)
      .where(
        'seq',
        '>=',
        sql<bigint>`(SELECT seq FROM audit_log WHERE at >= ${since} ORDER BY at, seq LIMIT 1)`,
      );
  }
  if (until !== undefined) {
    query = query
      .where('at', '<', until)
      .where(
        'seq',
        '<=',
        sql<bigint>`(SELECT seq FROM audit_log WHERE at < ${until} ORDER BY at DESC, seq DESC LIMIT 1)`,
      );
  }
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
