// The rows of groups, their members and their subgroups.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { isRowId } from '../../../platform/std/ids.ts';

export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string;
  readonly isSystem: boolean;
  readonly isDeactivated: boolean;
  readonly creatorId: number | null;
  readonly createdAt: Date | null;
}

export interface GroupWithMembers extends Group {
  /** Direct and active members, ascending. */
  readonly memberIds: readonly number[];
  /** Direct subgroups, ascending. */
  readonly subgroupIds: readonly number[];
}

const COLUMNS = [
  'id',
  'name',
  'description',
  'isSystem',
  'isDeactivated',
  'creatorId',
  'createdAt',
] as const;

export async function findGroup(db: Db, id: number): Promise<Group | undefined> {
  if (!isRowId(id)) return undefined;
  return db.selectFrom('userGroups').select(COLUMNS).where('id', '=', id).executeTakeFirst();
}

export async function isNameTaken(db: Db, name: string): Promise<boolean> {
  const row = await db
    .selectFrom('userGroups')
    .select('id')
    .where('name', '=', name)
    .executeTakeFirst();
  return row !== undefined;
}

/** These groups or all of them, by id. The size of the organization bounds the list. */
export async function listGroups(db: Db, ids?: readonly number[]): Promise<GroupWithMembers[]> {
  const which = ids === undefined ? sql`` : sql`WHERE g.id = ANY (${ids.filter(isRowId)}::int[])`;
  // The members come as one text: the driver's own parser of arrays would block the process for a group of 100,000.
  const { rows } = await sql<Omit<GroupWithMembers, 'memberIds'> & { memberIds: string | null }>`
    SELECT g.id, g.name, g.description, g.is_system, g.is_deactivated, g.creator_id, g.created_at,
           (SELECT string_agg(m.user_id::text, ',' ORDER BY m.user_id)
              FROM user_group_members m JOIN users u ON u.id = m.user_id
             WHERE m.group_id = g.id AND u.is_active) AS member_ids,
           ARRAY(SELECT s.subgroup_id FROM user_group_subgroups s
                  WHERE s.group_id = g.id ORDER BY s.subgroup_id) AS subgroup_ids
      FROM user_groups g ${which} ORDER BY g.id`.execute(db);
  return rows.map((row) => ({
    ...row,
    memberIds: JSON.parse(`[${row.memberIds ?? ''}]`) as number[],
  }));
}

export async function insertGroup(
  tx: Db,
  group: { name: string; description: string; creatorId: number },
): Promise<Group> {
  return tx.insertInto('userGroups').values(group).returning(COLUMNS).executeTakeFirstOrThrow();
}

export async function updateGroup(
  tx: Db,
  id: number,
  changes: { name?: string; description?: string; isDeactivated?: boolean },
): Promise<void> {
  await tx.updateTable('userGroups').set(changes).where('id', '=', id).execute();
}

/** Which of these people are direct members of the group, deactivated people included. */
export async function listMemberIds(
  db: Db,
  groupId: number,
  among: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('userGroupMembers')
    .select('userId')
    .where('groupId', '=', groupId)
    .where('userId', '=', sql<number>`ANY (${among.filter(isRowId)}::int[])`)
    .execute();
  return new Set(rows.map(({ userId }) => userId));
}

export async function insertMembers(
  tx: Db,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  await sql`INSERT INTO user_group_members (group_id, user_id)
            SELECT ${groupId}, unnest(${userIds}::int[])`.execute(tx);
}

export async function deleteMembers(
  tx: Db,
  groupId: number,
  userIds: readonly number[],
): Promise<void> {
  await sql`DELETE FROM user_group_members
             WHERE group_id = ${groupId} AND user_id = ANY (${userIds}::int[])`.execute(tx);
}

export async function listSubgroupIds(db: Db, groupId: number): Promise<Set<number>> {
  const rows = await db
    .selectFrom('userGroupSubgroups')
    .select('subgroupId')
    .where('groupId', '=', groupId)
    .execute();
  return new Set(rows.map(({ subgroupId }) => subgroupId));
}

/** The groups that have this one as a direct subgroup and are not deactivated, by id. */
export async function listSupergroupIds(db: Db, groupId: number): Promise<number[]> {
  const rows = await db
    .selectFrom('userGroupSubgroups')
    .innerJoin('userGroups', 'userGroups.id', 'userGroupSubgroups.groupId')
    .select('userGroups.id')
    .where('subgroupId', '=', groupId)
    .where('userGroups.isDeactivated', '=', false)
    .orderBy('userGroups.id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function insertSubgroups(
  tx: Db,
  groupId: number,
  subgroupIds: readonly number[],
): Promise<void> {
  await sql`INSERT INTO user_group_subgroups (group_id, subgroup_id)
            SELECT ${groupId}, unnest(${subgroupIds}::int[])`.execute(tx);
}

export async function deleteSubgroups(
  tx: Db,
  groupId: number,
  subgroupIds: readonly number[],
): Promise<void> {
  await sql`DELETE FROM user_group_subgroups
             WHERE group_id = ${groupId} AND subgroup_id = ANY (${subgroupIds}::int[])`.execute(tx);
}
