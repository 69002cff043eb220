// Chat keys besides the main one.
import { sql } from 'kysely';
import type { Db } from '../../platform/db/pool.ts';
import type { KeyRight, KeyScope } from './scope.ts';

export type ChatKeyKind = 'app' | 'own';

export interface ChatKeyTerms extends KeyScope {
  readonly label: string;
  /** The networks from where it works; null for all. */
  readonly addresses: readonly string[] | null;
  readonly expiresAt: Date | null;
}

export interface ChatKeyRow extends ChatKeyTerms {
  readonly id: bigint;
  readonly kind: ChatKeyKind;
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
  readonly replacedBy: bigint | null;
}

const COLUMNS = [
  'id',
  'kind',
  'label',
  'can',
  'channelIds',
  'direct',
  'addresses',
  'createdAt',
  'expiresAt',
  'lastUsedAt',
  'replacedBy',
] as const;

interface Stored extends Omit<ChatKeyRow, 'kind' | 'can'> {
  readonly kind: string;
  readonly can: readonly string[];
}

/** The table's check constraints guarantee both. */
const toRow = (row: Stored): ChatKeyRow => ({
  ...row,
  kind: row.kind as ChatKeyKind,
  can: row.can as KeyRight[],
});

/** Those that work, oldest first. */
export async function listChatKeys(db: Db, userId: number): Promise<ChatKeyRow[]> {
  const rows = await db
    .selectFrom('chatKeys')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where((e) => e.or([e('expiresAt', 'is', null), e('expiresAt', '>', sql<Date>`now()`)]))
    .orderBy('id')
    .execute();
  return rows.map(toRow);
}

/** Locks it until the transaction ends. */
export async function lockChatKey(
  tx: Db,
  userId: number,
  id: bigint,
): Promise<ChatKeyRow | undefined> {
  const row = await tx
    .selectFrom('chatKeys')
    .select(COLUMNS)
    .where('userId', '=', userId)
    .where('id', '=', id)
    .where((e) => e.or([e('expiresAt', 'is', null), e('expiresAt', '>', sql<Date>`now()`)]))
    .forUpdate()
    .executeTakeFirst();
  return row && toRow(row);
}

export async function insertChatKey(
  tx: Db,
  {
    userId,
    kind,
    lookup,
    ...terms
  }: ChatKeyTerms & {
    readonly userId: number;
    readonly kind: ChatKeyKind;
    readonly lookup: Buffer;
  },
): Promise<bigint> {
  const { id } = await tx
    .insertInto('chatKeys')
    .values({ userId, kind, lookup, ...valuesOf(terms) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function updateChatKey(tx: Db, id: bigint, terms: ChatKeyTerms): Promise<void> {
  await tx.updateTable('chatKeys').set(valuesOf(terms)).where('id', '=', id).execute();
}

const valuesOf = ({ label, can, channelIds, direct, addresses, expiresAt }: ChatKeyTerms) => ({
  label,
  can: [...can],
  channelIds: channelIds && [...channelIds],
  direct,
  addresses: addresses && [...addresses],
  expiresAt,
});

/** After a rotation: it ends with the overlap, and not later than it would have. */
export async function replaceChatKeyRow(
  tx: Db,
  id: bigint,
  successor: bigint,
  overlapSeconds: number,
): Promise<void> {
  await sql`
    UPDATE chat_keys
       SET replaced_by = ${successor},
           expires_at = least(expires_at, now() + ${overlapSeconds} * interval '1 second')
     WHERE id = ${id}`.execute(tx);
}

/** Whether this person had it. */
export async function deleteChatKey(tx: Db, userId: number, id: bigint): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('chatKeys')
    .where('userId', '=', userId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Deletes those of one kind, or all; returns how many. */
export async function deleteChatKeysOf(
  tx: Db,
  userId: number,
  kind: ChatKeyKind | undefined,
): Promise<number> {
  const { rows } = await sql`
    DELETE FROM chat_keys WHERE user_id = ${userId} AND kind = coalesce(${kind ?? null}, kind)
    RETURNING id`.execute(tx);
  return rows.length;
}

/** Makes room for one more key of an app: the oldest beyond `keep` go. */
export async function deleteOldestAppKeys(tx: Db, userId: number, keep: number): Promise<void> {
  await sql`
    DELETE FROM chat_keys WHERE id IN (
      SELECT id FROM chat_keys WHERE user_id = ${userId} AND kind = 'app' ORDER BY id DESC OFFSET ${keep})`.execute(
    tx,
  );
}

/** Notes that a key was used, at most once a minute. */
export async function touchChatKey(db: Db, id: bigint): Promise<void> {
  await sql`
    UPDATE chat_keys SET last_used_at = now()
     WHERE id = ${id} AND (last_used_at IS NULL OR last_used_at < now() - interval '1 minute')`.execute(
    db,
  );
}

/** Removes keys that ended; returns how many. */
export async function deleteExpiredChatKeys(db: Db): Promise<number> {
  const { rows } = await sql`
    DELETE FROM chat_keys WHERE expires_at < now() - interval '1 day' RETURNING id`.execute(db);
  return rows.length;
}
