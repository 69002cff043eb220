// Groups in the database: the recursive query against its pure version, and stored values.
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { ROLE_GROUPS, roleGroupId } from '../../../accounts/users/role-groups.ts';
import type { Context } from '../../../platform/context.ts';
import { createTestContext, type TestContext } from '../../../testing/context.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import {
  listGroupMembers,
  listInnerGroups,
  listUsersInSetting,
  permissionsIn,
  readChannelPermissions,
  readOrganizationPermissions,
  readPrincipals,
  readRights,
} from './access.ts';
import { changePermissions, createPermissions, ORGANIZATION } from './actions.ts';
import { groupsOfUser, type GroupNode } from './membership.ts';
import { onlyPeople, type GroupSettingValue } from './value.ts';

const ADMINISTRATORS = roleGroupId('role:administrators');
const MEMBERS = roleGroupId('role:members');

let test: TestContext;
let ctx: Context;
let owner: Person;
let member: Person;
let guest: Person;

beforeAll(async () => {
  test = await createTestContext();
  ctx = test.ctx;
  owner = await examplePerson(ctx, { role: ROLE.owner });
  member = await examplePerson(ctx);
  guest = await examplePerson(ctx, { role: ROLE.guest });
});
afterAll(() => test.close());

async function readGraph(): Promise<GroupNode[]> {
  const { rows } = await sql<{ id: number; members: number[]; subgroups: number[] }>`
    SELECT g.id, ARRAY(SELECT user_id FROM user_group_members m WHERE m.group_id = g.id) AS members,
           ARRAY(SELECT subgroup_id FROM user_group_subgroups s WHERE s.group_id = g.id) AS subgroups
      FROM user_groups g`.execute(ctx.db);
  return rows.map(({ id, members, subgroups }) => ({
    id,
    members,
    direct_subgroup_ids: subgroups,
  }));
}

it('the system groups are stored and nested as the code names them', async () => {
  const rows = await ctx.db
    .selectFrom('userGroups')
    .select(['id', 'name', 'description'])
    .where('isSystem', '=', true)
    .orderBy('id')
    .execute();
  expect(rows).toEqual(ROLE_GROUPS.map(({ id, name, description }) => ({ id, name, description })));
  const graph = await readGraph();
  for (const { id, subgroup } of ROLE_GROUPS) {
    const node = graph.find((one) => one.id === id);
    expect(node?.direct_subgroup_ids).toEqual(subgroup === null ? [] : [roleGroupId(subgroup)]);
  }
  expect(await listGroupMembers(ctx.db, roleGroupId('role:everyone'))).toEqual([
    owner.id,
    member.id,
    guest.id,
  ]);
  expect(await listGroupMembers(ctx.db, MEMBERS)).toEqual([owner.id, member.id]);
  expect(await listGroupMembers(ctx.db, roleGroupId('role:nobody'))).toEqual([]);
});

it('the recursive query agrees with its pure version on any graph', async () => {
  const people = [owner, member, guest];
  const groupIds = [20, 21, 22, 23, 24, 25];
  await sql`INSERT INTO user_groups (id, name)
            SELECT id, 'g' || id FROM unnest(${groupIds}::int[]) AS id`.execute(ctx.db);
  // Edges lead from a smaller to a larger number, so there is no cycle.
  const edges = fc.uniqueArray(
    fc
      .tuple(fc.constantFrom(...groupIds, MEMBERS), fc.constantFrom(...groupIds))
      .filter(([above, below]) => above < below),
    { selector: ([a, b]) => `${a}>${b}`, maxLength: 10 },
  );
  const memberships = fc.uniqueArray(
    fc.tuple(fc.constantFrom(...groupIds), fc.constantFrom(...people.map(({ id }) => id))),
    { selector: ([a, b]) => `${a}>${b}`, maxLength: 6 },
  );
  await fc.assert(
    fc.asyncProperty(edges, memberships, async (subgroups, members) => {
      await sql`DELETE FROM user_group_subgroups WHERE subgroup_id >= 20`.execute(ctx.db);
      await sql`DELETE FROM user_group_members WHERE group_id >= 20`.execute(ctx.db);
      for (const [above, below] of subgroups) {
        await sql`INSERT INTO user_group_subgroups VALUES (${above}, ${below})`.execute(ctx.db);
      }
      for (const [id, userId] of members) {
        await sql`INSERT INTO user_group_members VALUES (${id}, ${userId})`.execute(ctx.db);
      }
      const graph = await readGraph();
      const principals = await readPrincipals(ctx.db, people);
      for (const one of principals) {
        const expected = groupsOfUser(graph, one.id);
        expect(one.groupIds).toEqual(expected);
        // No system group is above an owner; for other roles, the groups above are left out.
        const asOwner = { id: one.id, role: ROLE.owner };
        expect((await readRights(ctx.db, asOwner)).groupIds).toEqual(expected);
      }
      for (const id of groupIds) {
        const expected = people
          .map((one) => one.id)
          .filter((one) => groupsOfUser(graph, one).has(id));
        expect(await listGroupMembers(ctx.db, id)).toEqual(expected);
      }
    }),
    { numRuns: 25 },
  );
  await sql`DELETE FROM user_group_subgroups WHERE subgroup_id >= 20`.execute(ctx.db);
  await sql`DELETE FROM user_group_members WHERE group_id >= 20`.execute(ctx.db);
});

it('groups are found through any number of levels', async () => {
  expect(await listInnerGroups(ctx.db, [MEMBERS])).toEqual([
    MEMBERS,
    roleGroupId('role:fullmembers'),
    roleGroupId('role:moderators'),
    ADMINISTRATORS,
    roleGroupId('role:owners'),
  ]);
  expect(await listInnerGroups(ctx.db, [])).toEqual([]);
});

describe('values', () => {
  const create = (given: Record<string, GroupSettingValue>, id = 500, creatorId = member.id) =>
    ctx.inTransaction((tx) => createPermissions(tx, 'channel', id, creatorId, given));
  const change = (setting: string, value: GroupSettingValue, old?: GroupSettingValue) =>
    ctx.inTransaction((tx) =>
      changePermissions(tx, 'channel', 500, {
        [setting]: { new: value, ...(old !== undefined && { old }) } as never,
      }),
    );
  const stored = async (id = 500) => permissionsIn(await readChannelPermissions(ctx.db, [id]), id);

  it('of a new channel are the given ones, else the initial ones', async () => {
    const made = await create({
      can_send_message_group: {
        direct_members: [guest.id, member.id],
        direct_subgroups: [ADMINISTRATORS],
      },
      can_add_subscribers_group: { direct_members: [], direct_subgroups: [MEMBERS] },
    });
    expect(made).toMatchObject({
      can_administer_channel_group: { direct_members: [member.id], direct_subgroups: [] },
      can_send_message_group: {
        direct_members: [member.id, guest.id],
        direct_subgroups: [ADMINISTRATORS],
      },
      can_add_subscribers_group: MEMBERS,
      can_subscribe_group: roleGroupId('role:nobody'),
      can_remove_subscribers_group: ADMINISTRATORS,
    });
    expect(await stored()).toEqual(made);
    // Only values that differ from the default have a row.
    const { rows } = await sql<{ setting: string }>`
      SELECT setting FROM permission_settings WHERE object_id = 500 ORDER BY 1`.execute(ctx.db);
    expect(rows.map(({ setting }) => setting)).toEqual([
      'can_add_subscribers_group',
      'can_administer_channel_group',
      'can_send_message_group',
    ]);
    expect(await stored(501)).toMatchObject({
      can_administer_channel_group: roleGroupId('role:nobody'),
    });
  });

  it('change, and leave no row when set back to the default', async () => {
    expect(await change('can_subscribe_group', onlyPeople(owner.id))).toEqual({
      can_subscribe_group: { direct_members: [owner.id], direct_subgroups: [] },
    });
    expect(await change('can_subscribe_group', onlyPeople(owner.id))).toEqual({});
    expect(
      await change('can_subscribe_group', { direct_members: [], direct_subgroups: [] }),
    ).toEqual({ can_subscribe_group: roleGroupId('role:nobody') });
    const { rows } = await sql`SELECT FROM permission_settings
      WHERE object_id = 500 AND setting = 'can_subscribe_group'`.execute(ctx.db);
    expect(rows).toEqual([]);
  });

  it('are changed only if the given old value is the present one', async () => {
    await expect(
      change('can_send_message_group', MEMBERS, roleGroupId('role:everyone')),
    ).rejects.toMatchObject({
      code: 'EXPECTATION_MISMATCH',
      fields: { field_name: 'old' },
    });
    const old = {
      direct_members: [guest.id, member.id],
      direct_subgroups: [ADMINISTRATORS, ADMINISTRATORS],
    };
    expect(await change('can_send_message_group', MEMBERS, old)).toEqual({
      can_send_message_group: MEMBERS,
    });
  });

  it('may name only active people and existing groups', async () => {
    const gone = await examplePerson(ctx);
    await sql`UPDATE users SET is_active = false WHERE id = ${gone.id}`.execute(ctx.db);
    await sql`UPDATE user_groups SET is_deactivated = true WHERE id = 25`.execute(ctx.db);
    const direct = (direct_members: number[], direct_subgroups: number[]) => ({
      direct_members,
      direct_subgroups,
    });
    for (const [value, message] of [
      [999, 'Invalid user group'],
      [2 ** 40, 'Invalid user group'],
      [25, 'User group is deactivated.'],
      [direct([member.id], [999]), 'Invalid user group ID: 999'],
      [direct([member.id], [25]), 'User group is deactivated.'],
      [direct([gone.id], []), `Invalid user ID: ${gone.id}`],
      [direct([-1], []), 'Invalid user ID: -1'],
      [1, "'can_subscribe_group' setting cannot be set to 'role:internet' group."],
      [2, "'can_subscribe_group' setting cannot be set to 'role:everyone' group."],
      [
        direct([member.id], [2]),
        "'can_subscribe_group' setting cannot be set to 'role:everyone' group.",
      ],
    ] as const) {
      await expect(change('can_subscribe_group', value)).rejects.toThrow(message);
    }
  });

  it('of the organization must be system groups where the setting says so', async () => {
    const set = (setting: string, value: GroupSettingValue) =>
      ctx.inTransaction((tx) =>
        changePermissions(tx, 'realm', ORGANIZATION, { [setting]: { new: value } as never }),
      );
    for (const value of [20, onlyPeople(owner.id)]) {
      await expect(set('can_access_all_users_group', value)).rejects.toMatchObject({
        code: 'SYSTEM_GROUP_REQUIRED',
        message: "'can_access_all_users_group' must be a system user group.",
        fields: { setting_name: 'can_access_all_users_group' },
      });
    }
    await expect(set('can_access_all_users_group', roleGroupId('role:moderators'))).rejects.toThrow(
      "'can_access_all_users_group' setting cannot be set to 'role:moderators' group.",
    );
    await expect(set('can_manage_all_groups', roleGroupId('role:nobody'))).rejects.toThrow(
      "'can_manage_all_groups' setting cannot be set to 'role:nobody' group.",
    );
    await set('can_create_groups', 20);
    expect(await readOrganizationPermissions(ctx.db)).toMatchObject({ can_create_groups: 20 });
    expect((await readRights(ctx.db, member)).organization.can_create_groups).toBe(20);
    await set('can_create_groups', MEMBERS);
  });

  it('leave out deactivated people, and include them again when they return', async () => {
    const one = await examplePerson(ctx);
    await change('can_subscribe_group', {
      direct_members: [one.id],
      direct_subgroups: [ADMINISTRATORS],
    });
    await sql`UPDATE users SET is_active = false WHERE id = ${one.id}`.execute(ctx.db);
    expect((await stored()).can_subscribe_group).toEqual({
      direct_members: [],
      direct_subgroups: [ADMINISTRATORS],
    });
    await sql`UPDATE users SET is_active = true WHERE id = ${one.id}`.execute(ctx.db);
    expect((await stored()).can_subscribe_group).toEqual({
      direct_members: [one.id],
      direct_subgroups: [ADMINISTRATORS],
    });
    expect(
      await listUsersInSetting(ctx.db, {
        direct_members: [guest.id],
        direct_subgroups: [roleGroupId('role:owners')],
      }),
    ).toEqual([owner.id, guest.id]);
  });
});
