// The rows of invitations, their keys and reusable links.
import { sql, type Insertable, type Selectable } from 'kysely';
import type { RoleCode } from '../../../accounts/roles.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { InvitationLinks, Invitations } from '../../../platform/db/schema.generated.ts';
import { isRowId } from '../../../platform/std/ids.ts';

/** What an invitation gives to a person who accepts it. */
export interface Terms {
  readonly inviterId: number;
  readonly role: RoleCode;
  readonly channelIds: readonly number[];
  readonly groupIds: readonly number[];
  readonly includesDefaults: boolean;
  /** Null: the organization's text. Empty: no welcome. */
  readonly welcomeText: string | null;
  readonly invitedAt: Date;
  /** Null: never. */
  readonly expiresAt: Date | null;
}

export interface Invitation extends Terms {
  readonly id: number;
  readonly email: string;
  readonly fullName: string;
  readonly linkId: number | null;
  readonly notifiesInviter: boolean;
  readonly remindedAt: Date | null;
  readonly state: 'open' | 'used' | 'revoked';
}

export interface InvitationLink extends Terms {
  readonly id: number;
  readonly revokedAt: Date | null;
  readonly keyLookup: Buffer;
  readonly keySealed: Buffer;
}

type Row = Selectable<Invitations>;
type LinkRow = Selectable<InvitationLinks>;

/** The casts are safe: checks of the table permit only known roles and states, and ids have 32 bits. */
const toInvitation = (row: Row): Invitation => ({
  ...row,
  role: row.role as RoleCode,
  state: row.state as Invitation['state'],
});
const toLink = (row: LinkRow): InvitationLink => ({ ...row, role: row.role as RoleCode });

/** Lets one transaction at a time count the invitations of the day. */
export async function lockInvitations(tx: Db): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtext('rialto.invitations'))`.execute(tx);
}

/** Lets one transaction at a time change the invitations of an address. */
export async function lockAddress(tx: Db, email: string): Promise<void> {
  const name = `invited ${email.toLowerCase()}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

export async function insertInvitation(tx: Db, row: Insertable<Invitations>): Promise<Invitation> {
  return toInvitation(
    await tx.insertInto('invitations').values(row).returningAll().executeTakeFirstOrThrow(),
  );
}

export async function insertInvitationLink(
  tx: Db,
  row: Insertable<InvitationLinks>,
): Promise<number> {
  const { id } = await tx
    .insertInto('invitationLinks')
    .values(row)
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Links of this person that can still be used. */
export async function countLinks(db: Db, inviterId: number): Promise<number> {
  const { count } = await db
    .selectFrom('invitationLinks')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('inviterId', '=', inviterId)
    .where('revokedAt', 'is', null)
    .where((e) => e.or([e('expiresAt', 'is', null), e('expiresAt', '>', sql<Date>`now()`)]))
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function insertKey(tx: Db, lookup: Buffer, invitationId: number): Promise<void> {
  await tx.insertInto('invitationKeys').values({ lookup, invitationId }).execute();
}

export async function deleteKeys(tx: Db, invitationId: number): Promise<void> {
  await tx.deleteFrom('invitationKeys').where('invitationId', '=', invitationId).execute();
}

/** Finds an invitation by the key of an email. */
export async function findByKey(db: Db, lookup: Buffer): Promise<Invitation | undefined> {
  const row = await db
    .selectFrom('invitations')
    .innerJoin('invitationKeys', 'invitationKeys.invitationId', 'invitations.id')
    .selectAll('invitations')
    .where('invitationKeys.lookup', '=', lookup)
    .executeTakeFirst();
  return row && toInvitation(row);
}

/** Locks the row until the commit. */
export async function lockInvitation(tx: Db, id: number): Promise<Invitation | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await tx
    .selectFrom('invitations')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toInvitation(row);
}

export async function findLinkByKey(db: Db, lookup: Buffer): Promise<InvitationLink | undefined> {
  const row = await db
    .selectFrom('invitationLinks')
    .selectAll()
    .where('keyLookup', '=', lookup)
    .executeTakeFirst();
  return row && toLink(row);
}

export async function lockLink(tx: Db, id: number): Promise<InvitationLink | undefined> {
  if (!isRowId(id)) return undefined;
  const row = await tx
    .selectFrom('invitationLinks')
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  return row && toLink(row);
}

/** A shared lock: many people may use a link at once, but nobody may revoke it meanwhile. */
export async function shareLink(tx: Db, id: number): Promise<InvitationLink | undefined> {
  const row = await tx
    .selectFrom('invitationLinks')
    .selectAll()
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
  return row && toLink(row);
}

/** The open invitations by id, of one inviter or of all. */
export async function listOpen(
  db: Db,
  now: Date,
  inviterId: number | undefined,
): Promise<Invitation[]> {
  const rows = await db
    .selectFrom('invitations')
    .selectAll()
    .where('state', '=', 'open')
    .where('linkId', 'is', null)
    .where((e) => e.or([e('expiresAt', 'is', null), e('expiresAt', '>', now)]))
    .$if(inviterId !== undefined, (q) => q.where('inviterId', '=', inviterId ?? 0))
    .orderBy('id')
    .execute();
  return rows.map(toInvitation);
}

export async function listOpenLinks(
  db: Db,
  now: Date,
  inviterId: number | undefined,
): Promise<InvitationLink[]> {
  const rows = await db
    .selectFrom('invitationLinks')
    .selectAll()
    .where('revokedAt', 'is', null)
    .where((e) => e.or([e('expiresAt', 'is', null), e('expiresAt', '>', now)]))
    .$if(inviterId !== undefined, (q) => q.where('inviterId', '=', inviterId ?? 0))
    .orderBy('id')
    .execute();
  return rows.map(toLink);
}

/** Emails that people sent to others since then. Emails for reusable links are counted elsewhere. */
export async function countSentSince(db: Db, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where('invitedAt', '>', since)
    .where('linkId', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** How many emails reusable links sent to this address since then. */
export async function countAskedSince(db: Db, email: string, since: Date): Promise<number> {
  const { count } = await db
    .selectFrom('invitations')
    .select((e) => e.fn.countAll<bigint>().as('count'))
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('invitedAt', '>', since)
    .where('linkId', 'is not', null)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export async function updateInvitation(
  tx: Db,
  id: number,
  changes: { invitedAt?: Date; expiresAt?: Date | null; remindedAt?: Date | null },
): Promise<void> {
  await tx.updateTable('invitations').set(changes).where('id', '=', id).execute();
}

/** Keeps the keys of its emails, so that people who use one later learn why it does not work. */
export async function endInvitation(
  tx: Db,
  id: number,
  state: 'used' | 'revoked',
  now: Date,
  userId: number | null,
): Promise<void> {
  await tx
    .updateTable('invitations')
    .set({ state, endedAt: now, userId })
    .where('id', '=', id)
    .execute();
}

export async function revokeLink(tx: Db, id: number, now: Date): Promise<void> {
  await tx.updateTable('invitationLinks').set({ revokedAt: now }).where('id', '=', id).execute();
}

/** Ends every other invitation for the address; returns the inviters. */
export async function revokeOthers(
  tx: Db,
  email: string,
  exceptId: number,
  now: Date,
): Promise<number[]> {
  const rows = await tx
    .updateTable('invitations')
    .set({ state: 'revoked', endedAt: now })
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .where('id', '<>', exceptId)
    .where('state', '=', 'open')
    .returning(['inviterId', 'linkId'])
    .execute();
  return rows.filter(({ linkId }) => linkId === null).map(({ inviterId }) => inviterId);
}

/** Expires all invitations and links of an inviter now; returns how many. */
export async function expireAllOf(tx: Db, inviterId: number, now: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    WITH emailed AS (
      UPDATE invitations SET expires_at = ${now}
       WHERE inviter_id = ${inviterId} AND state = 'open'
         AND (expires_at IS NULL OR expires_at > ${now})
      RETURNING id
    ), links AS (
      UPDATE invitation_links SET expires_at = ${now}
       WHERE inviter_id = ${inviterId} AND revoked_at IS NULL
         AND (expires_at IS NULL OR expires_at > ${now})
      RETURNING id
    )
    SELECT id FROM emailed UNION ALL SELECT id FROM links`.execute(tx);
  return rows.length;
}

/** Deletes old invitations, so that addresses of people who never joined are not kept forever. */
export async function deleteOver(db: Db, before: Date): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    DELETE FROM invitations
     WHERE (state <> 'open' AND ended_at < ${before}) OR (state = 'open' AND expires_at < ${before})
    RETURNING id`.execute(db);
  return rows.length;
}
