// What proves who somebody is, as the row of a person keeps it: the hash of the password, the chat key and the phrase. It is apart
// from `User`, so that no list of people carries it.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type pg from 'pg';
import type { Db } from '../../platform/db/pool.ts';
import { readIn, type Basis } from '../../platform/facts/memory.ts';
import type { StoredChatKey } from '../chat-keys/key.ts';
import type { KeyRight, KeyScope } from '../chat-keys/scope.ts';
import { ROLE } from '../roles.ts';
import { toUser, USER_COLUMNS, type User, type StoredUser } from '../user.ts';

const HANDLE_BYTES = 32;

export async function findCredentials(
  db: Db,
  email: string,
): Promise<{ user: User; passwordHash: string | null } | undefined> {
  const row = await db
    .selectFrom('users')
    .select([...USER_COLUMNS, 'passwordHash'])
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { passwordHash, ...user } = row;
  return { user: toUser(user), passwordHash };
}

export async function updatePasswordHash(
  tx: Db,
  userId: number,
  passwordHash: string,
): Promise<void> {
  await tx.updateTable('users').set({ passwordHash }).where('id', '=', userId).execute();
}

/** Who came with a key, and the terms of that key. */
export interface KeyHolder {
  readonly user: User;
  /** Undefined for the main key, and for one of an app: they stand for their owner. */
  readonly scope: KeyScope | undefined;
  /** Undefined for the main key. */
  readonly keyId: bigint | undefined;
  /** The networks from where the key works; null for all. */
  readonly addresses: readonly string[] | null;
  readonly lastUsedAt: Date | null;
  /** Null for a key that does not end by itself. */
  readonly expiresAt: Date | null;
  /** What this was read from: of whom, and when. */
  readonly basis: Basis;
}

interface FoundKey extends StoredUser {
  readonly lookup: Buffer;
  readonly keyId: bigint | null;
  readonly kind: 'main' | 'app' | 'own';
  readonly can: KeyRight[];
  readonly channelIds: number[] | null;
  readonly direct: boolean;
  readonly addresses: string[] | null;
  readonly lastUsedAt: Date | null;
  readonly expiresAt: Date | null;
  readonly snapshot: string;
}

function toHolder(found: FoundKey): KeyHolder {
  const { lookup: _lookup, keyId, kind, can, channelIds, direct, ...rest } = found;
  const { addresses, lastUsedAt, expiresAt, snapshot, ...user } = rest;
  const scope = kind === 'own' ? { can, channelIds, direct } : undefined;
  // A bot acts with the rights that its owner has.
  const about = user.botOwnerId === null ? [user.id] : [user.id, user.botOwnerId];
  const terms = { scope, keyId: keyId ?? undefined, addresses, lastUsedAt, expiresAt };
  return { user: toUser(user), ...terms, basis: readIn(snapshot, about) };
}

/** From now on signing in stops until the person has added a second factor. */
export async function oweFactor(tx: Db, userId: number): Promise<void> {
  await tx
    .updateTable('users')
    .set({ factorOwed: true, factorDueAt: sql`now()` })
    .where('id', '=', userId)
    .execute();
}

export async function findStoredPhrase(db: Db, userId: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('users')
    .select('phraseSealed')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.phraseSealed ?? null;
}

export async function updatePhrase(
  tx: Db,
  userId: number,
  phraseSealed: Buffer | null,
): Promise<void> {
  await tx.updateTable('users').set({ phraseSealed }).where('id', '=', userId).execute();
}

/**
 * The owner of each key, in order. Every request asks, so it is a statement that PostgreSQL plans
 * once per connection. A bot never has more rights than its owner has now, whatever its row says;
 * `roleOfBot` is the same rule.
 */
export async function findUsersByKeyLookups(
  pool: pg.Pool,
  lookups: readonly Buffer[],
): Promise<(KeyHolder | undefined)[]> {
  const { rows } = await pool.query<FoundKey>({
    name: 'users-by-chat-key',
    text: `SELECT k.lookup, k.key_id AS "keyId", k.kind, k.can, k.channel_ids AS "channelIds", k.direct,
                  k.addresses, k.last_used_at AS "lastUsedAt", k.expires_at AS "expiresAt",
                  pg_current_snapshot()::text AS snapshot, u.id, u.email, u.full_name AS "fullName",
                  CASE WHEN u.bot_type IS NULL THEN u.role
                       ELSE greatest(u.role, coalesce(o.role, $2)) END AS role,
                  u.is_active AND coalesce(o.is_active, true) AS "isActive",
                  u.bot_type AS "botType", u.bot_owner_id AS "botOwnerId", u.is_system AS "isSystem",
                  u.timezone, u.avatar_version AS "avatarVersion", u.avatar_source AS "avatarSource",
                  u.date_joined AS "dateJoined",
                  u.email_visibility AS "emailVisibility", u.settings
             FROM (SELECT chat_key_lookup AS lookup, id AS user_id, NULL::bigint AS key_id, 'main' AS kind,
                          '{}'::text[] AS can, NULL::integer[] AS channel_ids, true AS direct,
                          NULL::text[] AS addresses, NULL::timestamptz AS last_used_at, NULL::timestamptz AS expires_at
                     FROM users WHERE chat_key_lookup = ANY ($1::bytea[])
                   UNION ALL
                   SELECT lookup, user_id, id, kind, can, channel_ids, direct, addresses, last_used_at, expires_at
                     FROM chat_keys
                    WHERE lookup = ANY ($1::bytea[]) AND (expires_at IS NULL OR expires_at > now())) k
            -- One person after the other, whatever the planner believes of the table's size: a plan that was made while it was
            -- small would join everybody with everybody.
            CROSS JOIN LATERAL (SELECT * FROM users WHERE id = k.user_id OFFSET 0) u
             LEFT JOIN LATERAL (SELECT role, is_active FROM users WHERE id = u.bot_owner_id OFFSET 0) o ON true`,
    values: [lookups, ROLE.member],
  });
  const found = new Map(rows.map((row) => [row.lookup.toString('hex'), toHolder(row)]));
  return lookups.map((lookup) => found.get(lookup.toString('hex')));
}

export async function getStoredKey(db: Db, userId: number): Promise<StoredChatKey> {
  return db
    .selectFrom('users')
    .select(['chatKeyLookup', 'chatKeySealed'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();
}

export async function updateKey(tx: Db, userId: number, stored: StoredChatKey): Promise<void> {
  await tx.updateTable('users').set(stored).where('id', '=', userId).execute();
}

/** The oldest key and the newest: where the master key was changed in between, one of them shows it. */
export async function listSampleKeys(client: pg.ClientBase): Promise<StoredChatKey[]> {
  const { rows } = await client.query<StoredChatKey>(
    `WITH kept AS (SELECT id, chat_key_lookup AS "chatKeyLookup", chat_key_sealed AS "chatKeySealed" FROM users
                    WHERE NOT is_system AND length(chat_key_sealed) > 0)
     (SELECT "chatKeyLookup", "chatKeySealed" FROM kept ORDER BY id LIMIT 1)
     UNION ALL
     (SELECT "chatKeyLookup", "chatKeySealed" FROM kept ORDER BY id DESC LIMIT 1)`,
  );
  return rows;
}

/** What the person's passkeys know them by; made at first need, and never changed. */
export async function ensureHandle(tx: Db, userId: number): Promise<Buffer> {
  const { rows } = await sql<{ handle: Buffer }>`
    UPDATE users SET webauthn_handle = coalesce(webauthn_handle, ${randomBytes(HANDLE_BYTES)})
     WHERE id = ${userId}
    RETURNING webauthn_handle AS handle`.execute(tx);
  const [row] = rows;
  if (row === undefined) throw new Error(`There is no user ${userId}.`);
  return row.handle;
}

/** Null if the person never had a passkey. */
export async function findHandle(db: Db, userId: number): Promise<Buffer | null> {
  const row = await db
    .selectFrom('users')
    .select('webauthnHandle')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.webauthnHandle ?? null;
}

/** Whom a passkey was made for. */
export async function findUserByHandle(db: Db, handle: Buffer): Promise<User | undefined> {
  const row = await db
    .selectFrom('users')
    .select(USER_COLUMNS)
    .where('webauthnHandle', '=', handle)
    .executeTakeFirst();
  return row && toUser(row);
}
