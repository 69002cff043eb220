// Reads and writes the values of permissions, and walks the graph of groups.
import { sql } from 'kysely';
import type { Db } from '../../../platform/db/pool.ts';
import { isRowId } from '../../../platform/std/ids.ts';
import type { PermissionScope } from './definitions.ts';
import { normalize, partsOf, type GroupSettingValue } from './value.ts';

/** A setting that differs from its default. */
export interface StoredSetting {
  readonly objectId: number;
  readonly setting: string;
  readonly value: GroupSettingValue;
}

/** A transaction that changes the graph of groups holds the lock alone; transactions that rely on it share the lock. */
export async function lockGroups(tx: Db, mode: 'to change' | 'to rely on'): Promise<void> {
  await (
    mode === 'to change'
      ? sql`SELECT pg_advisory_xact_lock(hashtext('rialto.groups'))`
      : sql`SELECT pg_advisory_xact_lock_shared(hashtext('rialto.groups'))`
  ).execute(tx);
}

/** The groups that each of these people is in, through subgroups too, by one recursive query. */
const groupsOf = (userIds: readonly number[]) => sql`
  WITH RECURSIVE own AS (
    SELECT m.user_id, m.group_id FROM user_group_members m WHERE m.user_id = ANY (${userIds}::int[])
    UNION
    SELECT own.user_id, s.group_id FROM own JOIN user_group_subgroups s ON s.subgroup_id = own.group_id
  )
  SELECT user_id, array_agg(group_id ORDER BY group_id) AS group_ids FROM own GROUP BY user_id`;

export async function listGroupsOf(
  db: Db,
  userIds: readonly number[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { rows } = await sql<{ userId: number; groupIds: number[] }>`
    ${groupsOf(userIds.filter(isRowId))}`.execute(db);
  return new Map(rows.map(({ userId, groupIds }) => [userId, groupIds]));
}

interface PersonRow {
  readonly groupIds: readonly number[];
  readonly settings: readonly { setting: string; members: number[]; subgroups: number[] }[];
}

/** A person's groups and the organization's settings, in one query, because every acting request needs both. */
export async function readPerson(
  db: Db,
  userId: number,
): Promise<{ groupIds: readonly number[]; settings: readonly StoredSetting[] }> {
  const { rows } = await sql<PersonRow>`
    SELECT coalesce((SELECT o.group_ids FROM (${groupsOf([userId])}) o), '{}') AS group_ids,
           coalesce((SELECT jsonb_agg(jsonb_build_object(
                             'setting', setting, 'members', ${activeMembers}, 'subgroups', subgroups))
                       FROM permission_settings WHERE kind = 'realm'), '[]') AS settings`.execute(
    db,
  );
  const row = rows[0] ?? { groupIds: [], settings: [] };
  return {
    groupIds: row.groupIds,
    settings: row.settings.map((stored) => toSetting({ objectId: 0, ...stored })),
  };
}

/** Everybody who is active and in one of these groups, through subgroups too, by id. */
export async function listMembers(db: Db, groupIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE inner_groups (id) AS (
      SELECT unnest(${groupIds.filter(isRowId)}::int[])
      UNION
      SELECT s.subgroup_id FROM inner_groups g JOIN user_group_subgroups s ON s.group_id = g.id
    )
    SELECT DISTINCT u.id FROM inner_groups g
      JOIN user_group_members m ON m.group_id = g.id
      JOIN users u ON u.id = m.user_id AND u.is_active
     ORDER BY u.id`.execute(db);
  return rows.map(({ id }) => id);
}

/** These groups and all groups in them, by id. */
export async function listInnerGroups(db: Db, groupIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE inner_groups (id) AS (
      SELECT unnest(${groupIds.filter(isRowId)}::int[])
      UNION
      SELECT s.subgroup_id FROM inner_groups g JOIN user_group_subgroups s ON s.group_id = g.id
    )
    SELECT id FROM inner_groups ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** These groups and all groups that they are in, by id. */
export async function listOuterGroups(db: Db, groupIds: readonly number[]): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`
    WITH RECURSIVE outer_groups (id) AS (
      SELECT unnest(${groupIds.filter(isRowId)}::int[])
      UNION
      SELECT s.group_id FROM outer_groups g JOIN user_group_subgroups s ON s.subgroup_id = g.id
    )
    SELECT id FROM outer_groups ORDER BY id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Deactivated people stay stored, so that they have their permissions again when they return. */
const activeMembers = sql`
  ARRAY(SELECT u.id FROM users u WHERE u.id = ANY (members) AND u.is_active ORDER BY u.id)`;

interface SettingRow {
  readonly objectId: number;
  readonly setting: string;
  readonly members: readonly number[];
  readonly subgroups: readonly number[];
  /** The number of people that the value names, active or not. */
  readonly named?: number;
}

function toSetting({ objectId, setting, members, subgroups, named }: SettingRow): StoredSetting {
  const [only] = subgroups;
  const isGroup = (named ?? members.length) === 0 && subgroups.length === 1 && only !== undefined;
  return {
    objectId,
    setting,
    value: isGroup ? only : { direct_members: members, direct_subgroups: subgroups },
  };
}

/** The stored settings of these objects, or of every object of the kind. */
export async function listSettings(
  db: Db,
  kind: PermissionScope,
  objectIds?: readonly number[],
): Promise<StoredSetting[]> {
  const which =
    objectIds === undefined
      ? sql``
      : sql`AND object_id = ANY (${objectIds.filter(isIdOrZero)}::int[])`;
  const { rows } = await sql<SettingRow>`
    SELECT object_id, setting, ${activeMembers} AS members, subgroups, cardinality(members) AS named
      FROM permission_settings WHERE kind = ${kind} ${which}`.execute(db);
  return rows.map(toSetting);
}

const isIdOrZero = (id: number): boolean => id === 0 || isRowId(id);

export async function upsertSetting(
  tx: Db,
  kind: PermissionScope,
  { objectId, setting, value }: StoredSetting,
): Promise<void> {
  const { members, subgroups } = partsOf(normalize(value));
  await sql`
    INSERT INTO permission_settings (kind, object_id, setting, members, subgroups)
    VALUES (${kind}, ${objectId}, ${setting}, ${members}::int[], ${subgroups}::int[])
    ON CONFLICT (kind, object_id, setting)
    DO UPDATE SET members = excluded.members, subgroups = excluded.subgroups`.execute(tx);
}

export async function deleteSetting(
  tx: Db,
  kind: PermissionScope,
  objectId: number,
  setting: string,
): Promise<void> {
  await tx
    .deleteFrom('permissionSettings')
    .where('kind', '=', kind)
    .where('objectId', '=', objectId)
    .where('setting', '=', setting)
    .execute();
}

export interface GroupRow {
  readonly id: number;
  readonly name: string;
  readonly isSystem: boolean;
  readonly isDeactivated: boolean;
}

export async function listGroupsById(db: Db, ids: readonly number[]): Promise<GroupRow[]> {
  return db
    .selectFrom('userGroups')
    .select(['id', 'name', 'isSystem', 'isDeactivated'])
    .where('id', '=', sql<number>`ANY (${ids.filter(isRowId)}::int[])`)
    .execute();
}

/** Whatever the case of the letters, deactivated ones too; by id, at most `limit`. */
export async function listGroupsByName(
  db: Db,
  names: readonly string[],
  limit: number,
): Promise<Pick<GroupRow, 'id' | 'name' | 'isDeactivated'>[]> {
  const { rows } = await sql<Pick<GroupRow, 'id' | 'name' | 'isDeactivated'>>`
    SELECT id, name, is_deactivated FROM user_groups
     WHERE lower(name) IN (SELECT lower(n) FROM unnest(${[...names]}::text[]) n)
     ORDER BY id LIMIT ${limit}`.execute(db);
  return rows;
}

export async function getGroup(db: Db, id: number): Promise<Pick<GroupRow, 'name' | 'isSystem'>> {
  return db
    .selectFrom('userGroups')
    .select(['name', 'isSystem'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

export async function listActiveUserIds(db: Db, ids: readonly number[]): Promise<Set<number>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('id', '=', sql<number>`ANY (${ids.filter(isRowId)}::int[])`)
    .where('isActive', '=', true)
    .where('isSystem', '=', false)
    .execute();
  return new Set(rows.map(({ id }) => id));
}

export interface Use {
  readonly kind: PermissionScope;
  readonly objectId: number;
  readonly setting: string;
}

/** The settings whose value names one of the groups. */
export async function listUsesOfGroups(db: Db, groupIds: readonly number[]): Promise<Use[]> {
  const { rows } = await sql<Use>`
    SELECT kind, object_id, setting FROM permission_settings
     WHERE subgroups && ${groupIds}::int[] ORDER BY kind, object_id, setting`.execute(db);
  return rows;
}

/** The settings whose value names the person directly. */
export async function listUsesOfUser(db: Db, userId: number): Promise<Use[]> {
  const { rows } = await sql<Use>`
    SELECT kind, object_id, setting FROM permission_settings
     WHERE members @> ARRAY[${userId}::int] ORDER BY kind, object_id, setting`.execute(db);
  return rows;
}
