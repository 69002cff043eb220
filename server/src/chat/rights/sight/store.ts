// Whom somebody knows.
import { sql, type RawBuilder } from 'kysely';
import { ROLE } from '../../../accounts/roles.ts';
import type { Db } from '../../../platform/db/pool.ts';

/** The ids of a person, all bots, and everybody who shares a channel or a direct conversation with them. */
const acquaintances = (userId: number) => sql<{ id: number }>`
  SELECT theirs.user_id AS id
    FROM subscriptions own
    JOIN subscriptions theirs ON theirs.channel_id = own.channel_id AND theirs.is_active
   WHERE own.user_id = ${userId} AND own.is_active
   UNION
  SELECT unnest(people) FROM conversations
   WHERE kind = 'direct' AND people @> ARRAY[${userId}::int]
   UNION
  SELECT id FROM users WHERE bot_type IS NOT NULL
   UNION
  SELECT ${userId}::int`;

export async function listAcquaintances(db: Db, userId: number): Promise<Set<number>> {
  const { rows } = await acquaintances(userId).execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Whether guests know only some people. The setting has two values, and only the narrower one is stored. */
const LIMITED = sql`
  SELECT FROM permission_settings
   WHERE kind = 'realm' AND setting = 'can_access_all_users_group'
     AND NOT subgroups @> ARRAY(SELECT id FROM user_groups WHERE name = 'role:everyone')`;

/** Whom the person `u` knows, as JSON; null for everybody. For statements that read more than this. */
export const knownIds = (userId: number): RawBuilder<readonly number[] | null> => sql`
  CASE WHEN u.role = ${sql.lit(ROLE.guest)} AND EXISTS (${LIMITED})
       THEN (SELECT jsonb_agg(k.id) FROM (${acquaintances(userId)}) k) END`;

export async function isLimited(db: Db): Promise<boolean> {
  const { rows } = await LIMITED.execute(db);
  return rows.length > 0;
}

/**
 * Lets only one transaction at a time change whom guests know. Otherwise two that end the last two links between two people
 * would each still see the other link. Take it last, after the counters of the conversations.
 */
export async function lockSight(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.sight'))`.execute(tx);
}

/** A guest, and somebody whom they know by one link alone, or did until it ended. */
export interface Pair {
  readonly guestId: number;
  readonly personId: number;
}

/**
 * Pairs of these people, one of each pair among `movers`, without a link besides this conversation. `OFFSET 0` has the
 * links of each pair looked up by its own indexes: joined as a whole, a channel of 100,000 people is ten billion pairs.
 * Without an order, the search ends at the limit.
 */
const pairs = (
  people: RawBuilder<unknown>,
  movers: readonly number[],
  conversationId: number,
  limit: number,
) => sql<Pair>`
  WITH here AS (SELECT u.id, u.role, u.is_active, u.bot_type FROM users u WHERE u.id IN (${people}))
  SELECT g.id AS guest_id, p.id AS person_id
    FROM here g JOIN here p ON p.id <> g.id AND p.bot_type IS NULL
   WHERE g.role = ${sql.lit(ROLE.guest)} AND g.is_active
     AND (g.id = ANY (${[...movers]}::int[]) OR p.id = ANY (${[...movers]}::int[]))
     AND NOT EXISTS (
       SELECT FROM subscriptions a
         JOIN subscriptions b ON b.channel_id = a.channel_id AND b.is_active
         JOIN channels c ON c.id = a.channel_id
        WHERE a.user_id = g.id AND a.is_active AND b.user_id = p.id
          AND c.conversation_id <> ${conversationId}
       OFFSET 0)
     AND NOT EXISTS (
       SELECT FROM conversations d
        WHERE d.kind = 'direct' AND d.people @> ARRAY[g.id, p.id] AND d.id <> ${conversationId}
       OFFSET 0)
   LIMIT ${limit}`;

const byIds = (a: Pair, b: Pair): number => a.guestId - b.guestId || a.personId - b.personId;

/** Pairs that know each other only through this channel, which `movers` just joined or left. */
export async function listPairsOfChannel(
  db: Db,
  { id, conversationId }: { readonly id: number; readonly conversationId: number },
  movers: readonly number[],
  limit: number,
): Promise<Pair[]> {
  const people = sql`
    SELECT user_id FROM subscriptions WHERE channel_id = ${id} AND is_active
     UNION SELECT unnest(${[...movers]}::int[])`;
  const { rows } = await pairs(people, movers, conversationId, limit).execute(db);
  return rows.toSorted(byIds);
}

/** Pairs that know each other only through this direct conversation. */
export async function listPairsOfConversation(
  db: Db,
  conversationId: number,
  people: readonly number[],
  limit: number,
): Promise<Pair[]> {
  const ids = sql`SELECT unnest(${[...people]}::int[])`;
  const { rows } = await pairs(ids, people, conversationId, limit).execute(db);
  return rows.toSorted(byIds);
}

/** Every active guest, bots that have the role included. */
export async function listGuestIds(db: Db): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    SELECT id FROM users WHERE role = ${sql.lit(ROLE.guest)} AND is_active ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** What finds a person by an address that the asker may or may not see. */
export interface AddressRow {
  readonly id: number;
  readonly email: string;
  readonly botOwnerId: number | null;
  readonly emailVisibility: number;
}

/** Those of these people who exist. */
export async function listAddresses(
  db: Db,
  ids: readonly number[],
  emails: readonly string[],
): Promise<AddressRow[]> {
  const { rows } = await sql<AddressRow>`
    SELECT id, lower(email) AS email, bot_owner_id, email_visibility FROM users
     WHERE id = ANY (${[...ids]}::int[])
     UNION
    SELECT id, lower(email), bot_owner_id, email_visibility FROM users
     WHERE lower(email) = ANY (${emails.map((email) => email.toLowerCase())}::text[])`.execute(db);
  return rows;
}
