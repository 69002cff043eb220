// User groups: who creates them, who is in them, who may change them, and which events everybody gets.
import { beforeAll, describe, expect, it } from 'vitest';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import type { TestServer } from '../../../testing/server.ts';
import { useCast } from '../../../testing/chat/cast-world.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { Answer, FormInput } from '../../../testing/chat/client.ts';
import type { GroupObject } from './events.ts';

const world = useCast();
const { as } = world;
let server: TestServer;
let owner: Person;
let admin: Person;
let member: Person;
let other: Person;
let guest: Person;

beforeAll(() => {
  ({ server } = world);
  ({ owner, admin, member, other, guest } = world.cast);
});

const NOBODY = roleGroupId('role:nobody');
const EVERYONE = roleGroupId('role:everyone');

let count = 0;
const freshName = () => `group ${(count += 1)}`;

const create = (by: Person, given: FormInput = {}): Promise<Answer> =>
  as(by).post('/user_groups/create', {
    name: freshName(),
    description: '',
    members: [],
    ...given,
  });

async function make(by: Person, given: FormInput = {}): Promise<number> {
  const { status, body } = await create(by, given);
  expect(status, JSON.stringify(body)).toBe(200);
  return Number(body['group_id']);
}

async function read(id: number, params: FormInput = { include_deactivated_groups: true }) {
  const { body } = await as(member).get('/user_groups', params);
  return (body['user_groups'] as GroupObject[]).find((group) => group.id === id);
}

const message = async (answer: Promise<Answer>) => (await answer).body['msg'];

describe('POST /user_groups/create', () => {
  it('[M165] [M166] [M167] [M168] creates a group and tells everybody, subgroups in a second event', async () => {
    const inner = await make(member);
    let id = 0;
    const [seen] = await verifyEvents(server, [guest, member], async () => {
      id = await make(member, {
        name: 'designers',
        description: 'Draw things',
        members: [other.id, admin.id, other.id],
        subgroups: [inner, roleGroupId('role:moderators')],
      });
    });
    expect(seen).toMatchObject([
      {
        type: 'user_group',
        op: 'add',
        group: { id, members: [admin.id, other.id], direct_subgroup_ids: [] },
      },
      {
        op: 'add_subgroups',
        group_id: id,
        direct_subgroup_ids: [roleGroupId('role:moderators'), inner],
      },
    ]);
    const creator = { direct_members: [member.id], direct_subgroups: [] };
    const group = await read(id);
    expect(group).toEqual({
      id,
      name: 'designers',
      description: 'Draw things',
      date_created: expect.any(Number),
      creator_id: member.id,
      members: [admin.id, other.id],
      direct_subgroup_ids: [roleGroupId('role:moderators'), inner],
      is_system_group: false,
      deactivated: false,
      can_add_members_group: creator,
      can_join_group: NOBODY,
      can_leave_group: EVERYONE,
      can_manage_group: creator,
      can_mention_group: EVERYONE,
      can_remove_members_group: NOBODY,
    });
    expect(Math.abs(Number(group?.date_created) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('[M007] [M026] [M027] [M028] [M029] [M030] [M031] [M169] [M170] [M171] [M174] accepts a value for every permission', async () => {
    const value = {
      direct_members: [other.id, member.id],
      direct_subgroups: [roleGroupId('role:moderators')],
    };
    const id = await make(member, {
      can_add_members_group: value,
      can_join_group: roleGroupId('role:members'),
      can_leave_group: NOBODY,
      can_manage_group: { direct_members: [], direct_subgroups: [roleGroupId('role:owners')] },
      can_remove_members_group: { direct_members: [], direct_subgroups: [] },
      can_mention_group: roleGroupId('role:fullmembers'),
    });
    expect(await read(id)).toMatchObject({
      can_add_members_group: {
        direct_members: [member.id, other.id],
        direct_subgroups: [roleGroupId('role:moderators')],
      },
      can_join_group: roleGroupId('role:members'),
      can_leave_group: NOBODY,
      can_manage_group: roleGroupId('role:owners'),
      can_remove_members_group: NOBODY,
      can_mention_group: roleGroupId('role:fullmembers'),
    });
  });

  it.each([
    [{ name: '' }, "User group name can't be empty!"],
    [{ name: '  ' }, "User group name can't be empty!"],
    [{ name: 'x'.repeat(101) }, 'User group name cannot exceed 100 characters.'],
    [{ name: '@all' }, "User group name cannot start with '@'."],
    [{ name: 'role:boss' }, "User group name cannot start with 'role:'."],
    [{ name: 'user:1' }, "User group name cannot start with 'user:'."],
    [{ name: 'stream:1' }, "User group name cannot start with 'stream:'."],
    [{ name: 'channel:1' }, "User group name cannot start with 'channel:'."],
    [{ members: [999_999] }, 'Invalid user ID: 999999'],
    [{ subgroups: [999_999] }, 'Invalid user group ID: 999999'],
    [{ members: 'x' }, 'members is not valid JSON'],
    [{ description: 'x'.repeat(1025) }, 'description is too long (limit: 1024 characters)'],
    [
      { can_manage_group: EVERYONE },
      "'can_manage_group' setting cannot be set to 'role:everyone' group.",
    ],
    [
      { can_manage_group: roleGroupId('role:internet') },
      "'can_manage_group' setting cannot be set to 'role:internet' group.",
    ],
    [
      { can_mention_group: roleGroupId('role:internet') },
      "'can_mention_group' setting cannot be set to 'role:internet' group.",
    ],
    [
      { can_mention_group: roleGroupId('role:owners') },
      "'can_mention_group' setting cannot be set to 'role:owners' group.",
    ],
    [{ can_join_group: 999_999 }, 'Invalid user group'],
  ])('[M172] [M173] [M175] refuses %j and makes nothing', async (given, msg) => {
    const before = await as(member).get('/user_groups');
    const { status, body } = await create(member, given);
    expect(status).toBe(400);
    expect(body).toMatchObject({ msg, code: 'BAD_REQUEST' });
    expect((await as(member).get('/user_groups')).body).toEqual(before.body);
  });

  it('gives each name only once, also to deactivated groups, and distinguishes capital letters', async () => {
    const id = await make(member, { name: 'Unique' });
    await as(member).post(`/user_groups/${id}/deactivate`);
    expect(await message(create(member, { name: 'Unique' }))).toBe(
      "User group 'Unique' already exists.",
    );
    expect((await create(member, { name: 'unique' })).status).toBe(200);
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create(member, { name: 'raced' })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('is only for people whom the organization permits, and never for guests or bots', async () => {
    expect(await message(create(guest))).toBe('Not allowed for guest users');
    const bot = await examplePerson(server.ctx, { botType: 1 });
    expect(await message(create(bot))).toBe('This endpoint does not accept bot requests.');
    const set = (value: unknown) =>
      as(owner).patch('/realm', { can_create_groups: { new: value } });
    expect((await set({ direct_members: [other.id], direct_subgroups: [] })).status).toBe(200);
    expect(await message(create(member))).toBe('Insufficient permission');
    expect((await create(other)).status).toBe(200);
    expect((await set(roleGroupId('role:members'))).status).toBe(200);
  });
});

describe('[M176] [M177] GET /user_groups', () => {
  it('[M017] [M018] [M019] [M020] [M021] [M022] [M023] [M024] lists all groups by id, the groups of roles first', async () => {
    const { body } = await as(member).get('/user_groups');
    const groups = body['user_groups'] as GroupObject[];
    expect(groups.slice(0, 8).map(({ name }) => name)).toEqual([
      'role:internet',
      'role:everyone',
      'role:members',
      'role:fullmembers',
      'role:moderators',
      'role:administrators',
      'role:owners',
      'role:nobody',
    ]);
    expect(groups.map(({ id }) => id)).toEqual(
      groups.map(({ id }) => id).toSorted((a, b) => a - b),
    );
    const members = groups.find(({ name }) => name === 'role:members');
    expect(members).toMatchObject({
      is_system_group: true,
      creator_id: null,
      date_created: null,
      direct_subgroup_ids: [roleGroupId('role:fullmembers')],
      can_mention_group: NOBODY,
      can_leave_group: NOBODY,
    });
    expect(members?.members).toContain(member.id);
    expect(members?.members).not.toContain(admin.id);
  });

  it('[M025] leaves deactivated groups out unless the caller asks for them', async () => {
    const id = await make(member);
    await as(member).post(`/user_groups/${id}/deactivate`);
    expect(await read(id, {})).toBeUndefined();
    expect(await read(id)).toMatchObject({ deactivated: true });
  });

  it('[M239] reports the older parameter as unknown', async () => {
    const { body } = await as(member).get('/user_groups', { allow_deactivated: true });
    expect(body['ignored_parameters_unsupported']).toEqual(['allow_deactivated']);
  });

  it('is not for guests or bots', async () => {
    expect(await message(as(guest).get('/user_groups'))).toBe('Not allowed for guest users');
    const bot = await examplePerson(server.ctx, { botType: 1 });
    expect(await message(as(bot).get('/user_groups'))).toBe(
      'This endpoint does not accept bot requests.',
    );
  });
});

describe('PATCH /user_groups/{id}', () => {
  it('changes name, description and permissions, one event each', async () => {
    const id = await make(member);
    const [seen] = await verifyEvents(server, [other], () =>
      as(member).patch(`/user_groups/${id}`, {
        name: 'renamed',
        description: 'new',
        can_join_group: { new: roleGroupId('role:members'), old: NOBODY },
        can_leave_group: { new: EVERYONE },
      }),
    );
    expect(seen).toMatchObject([
      { op: 'update', group_id: id, data: { name: 'renamed' } },
      { op: 'update', group_id: id, data: { description: 'new' } },
      { op: 'update', group_id: id, data: { can_join_group: roleGroupId('role:members') } },
    ]);
    const [again] = await verifyEvents(server, [other], () =>
      as(member).patch(`/user_groups/${id}`, { name: 'renamed', description: 'new' }),
    );
    expect(again).toEqual([]);
  });

  it('refuses invalid changes, and then changes nothing', async () => {
    const id = await make(member, { name: 'patched' });
    const taken = await make(member);
    const takenName = (await read(taken))?.name;
    const patch = (by: Person, params: FormInput, groupId = id) =>
      message(as(by).patch(`/user_groups/${groupId}`, params));
    expect(await patch(member, {})).toBe('No new data supplied');
    expect(await patch(member, { name: takenName })).toBe(
      `User group '${takenName}' already exists.`,
    );
    expect(await patch(member, { name: 'role:x' })).toBe(
      "User group name cannot start with 'role:'.",
    );
    expect(await patch(other, { name: 'mine' })).toBe('Insufficient permission');
    expect(await patch(admin, { name: 'mine' })).toBe('Insufficient permission');
    expect(await patch(member, { name: 'x' }, 999_999)).toBe('Invalid user group');
    for (const system of [1, 3, 8]) {
      expect(await patch(owner, { description: 'x' }, system)).toBe('Insufficient permission');
    }
    const { body } = await as(member).patch(`/user_groups/${id}`, {
      description: 'lost',
      can_join_group: { new: EVERYONE, old: roleGroupId('role:members') },
    });
    expect(body).toEqual({
      result: 'error',
      msg: "'old' value does not match the expected value.",
      code: 'EXPECTATION_MISMATCH',
      field_name: 'old',
    });
    expect(await read(id)).toMatchObject({ name: 'patched', description: '' });
    expect((await as(owner).patch(`/user_groups/${id}`, { name: 'by owner' })).status).toBe(200);
  });

  it('works on deactivated groups, and reactivates them', async () => {
    const id = await make(member, { members: [other.id] });
    await as(member).post(`/user_groups/${id}/deactivate`);
    const [seen] = await verifyEvents(server, [other], () =>
      as(member).patch(`/user_groups/${id}`, { deactivated: false, description: 'back' }),
    );
    expect(seen).toEqual([
      expect.objectContaining({ op: 'update', group_id: id, data: { deactivated: false } }),
      expect.objectContaining({ data: { description: 'back' } }),
    ]);
    expect(seen?.[0]).not.toHaveProperty('group');
    expect(await read(id, {})).toMatchObject({ members: [other.id], deactivated: false });
  });
});

describe('[M178] POST /user_groups/{id}/deactivate', () => {
  it('[M059] deactivates a group; its members stay stored', async () => {
    const id = await make(member, { members: [other.id] });
    const [seen] = await verifyEvents(server, [other], () =>
      as(member).post(`/user_groups/${id}/deactivate`),
    );
    expect(seen).toMatchObject([{ op: 'update', group_id: id, data: { deactivated: true } }]);
    expect(await read(id)).toMatchObject({ members: [other.id], deactivated: true });
  });

  it('tells clients that do not know deactivated groups that it is gone, and then that it is new', async () => {
    const id = await make(member, { members: [other.id] });
    const { body: queue } = await as(other).post('/register', {
      fetch_event_types: ['realm_user_groups'],
      event_types: ['user_group'],
    });
    expect((queue['realm_user_groups'] as GroupObject[]).some((one) => one.id === id)).toBe(true);
    await as(member).post(`/user_groups/${id}/deactivate`);
    await as(member).patch(`/user_groups/${id}`, { deactivated: false });
    const seen: Record<string, unknown>[] = [];
    while (seen.length < 2) {
      const { body } = await as(other).get('/events', {
        queue_id: queue['queue_id'],
        last_event_id: seen.at(-1)?.['id'] ?? queue['last_event_id'],
      });
      seen.push(...(body['events'] as Record<string, unknown>[]));
    }
    expect(seen).toMatchObject([
      { type: 'user_group', op: 'remove', group_id: id },
      { type: 'user_group', op: 'add', group: { id, members: [other.id], deactivated: false } },
    ]);
  });

  it('refuses groups of roles, unknown and deactivated groups, and callers without permission', async () => {
    const id = await make(member);
    const deactivate = (by: Person, groupId: number) =>
      message(as(by).post(`/user_groups/${groupId}/deactivate`));
    expect(await deactivate(owner, 3)).toBe('Insufficient permission');
    expect(await deactivate(other, id)).toBe('Insufficient permission');
    expect(await deactivate(member, 999_999)).toBe('Invalid user group');
    await deactivate(member, id);
    expect(await deactivate(member, id)).toBe('User group is deactivated.');
  });

  it('[M060] [M179] [M213] refuses to deactivate a group that is in use, and says where', async () => {
    const id = await make(member);
    const above = await make(member, { subgroups: [id] });
    const beside = await make(member, {
      can_join_group: id,
      can_leave_group: { direct_members: [other.id], direct_subgroups: [id] },
    });
    await as(owner).patch('/realm', { can_invite_users_group: { new: id } });
    await as(member).patch(`/user_groups/${id}`, { can_mention_group: { new: id } });
    const { rows } = await server.ctx.database.pool.query<{ id: number }>(
      "INSERT INTO channels (name, is_archived) VALUES ('uses', false), ('archived', true) RETURNING id",
    );
    const [used, archived] = rows.map((row) => row.id);
    await server.ctx.database.pool.query(
      `INSERT INTO permission_settings (kind, object_id, setting, members, subgroups)
       VALUES ('channel', $1, 'can_send_message_group', '{}', ARRAY[$3::int]),
              ('channel', $2, 'can_send_message_group', '{}', ARRAY[$3::int])`,
      [used, archived, id],
    );
    const { status, body } = await as(member).post(`/user_groups/${id}/deactivate`);
    expect(status).toBe(400);
    expect(body).toEqual({
      result: 'error',
      msg: 'Cannot deactivate user group in use.',
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [
        { type: 'subgroup', settings: [], supergroup_ids: [above] },
        { type: 'channel', channel_id: used, settings: ['can_send_message_group'] },
        { type: 'user_group', group_id: id, settings: ['can_mention_group'] },
        {
          type: 'user_group',
          group_id: beside,
          settings: ['can_join_group', 'can_leave_group'],
        },
        { type: 'realm', settings: ['can_invite_users_group'] },
      ],
    });
    expect(await read(id)).toMatchObject({ deactivated: false });
    await as(owner).patch('/realm', {
      can_invite_users_group: { new: roleGroupId('role:members') },
    });
    await server.ctx.database.pool.query("DELETE FROM permission_settings WHERE kind = 'channel'");
    await server.owner.query('DELETE FROM channels WHERE id = ANY ($1)', [[used, archived]]);
  });

  it('refuses a deactivated group everywhere', async () => {
    const id = await make(member);
    await as(member).post(`/user_groups/${id}/deactivate`);
    const GONE = 'User group is deactivated.';
    expect(await message(create(member, { subgroups: [id] }))).toBe(GONE);
    expect(await message(create(member, { can_join_group: id }))).toBe(GONE);
    expect(await message(as(member).post(`/user_groups/${id}/members`, { add: [other.id] }))).toBe(
      GONE,
    );
    expect(await message(as(member).get(`/user_groups/${id}/members`))).toBe(GONE);
    expect(await message(as(member).get(`/user_groups/${id}/subgroups`))).toBe(GONE);
    expect(await message(as(owner).patch('/realm', { can_invite_users_group: { new: id } }))).toBe(
      GONE,
    );
  });
});

describe('members', () => {
  const change = (by: Person, id: number, params: FormInput) =>
    as(by).post(`/user_groups/${id}/members`, params);
  const members = async (id: number, params: FormInput = {}) =>
    (await as(member).get(`/user_groups/${id}/members`, params)).body['members'];

  it('are added and removed together, all or none', async () => {
    const id = await make(member, { members: [admin.id] });
    const [seen] = await verifyEvents(server, [guest, other], () =>
      change(member, id, { add: [other.id, guest.id], delete: [admin.id] }),
    );
    expect(seen).toMatchObject([
      { op: 'add_members', group_id: id, user_ids: [other.id, guest.id].toSorted((a, b) => a - b) },
      { type: 'message', message: { sender_full_name: 'Notification Bot' } },
      { op: 'remove_members', group_id: id, user_ids: [admin.id] },
    ]);
    expect(await members(id)).toEqual([other.id, guest.id].toSorted((a, b) => a - b));
    for (const [params, msg] of [
      [{ add: [member.id, other.id] }, `User ${other.id} is already a member of this group`],
      [
        { add: [member.id], delete: [admin.id] },
        `There is no member '${admin.id}' in this user group`,
      ],
      [{ add: [999_999] }, 'Invalid user ID: 999999'],
      [
        {},
        'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
      ],
      [{ add: [], delete: [] }, expect.stringContaining('Nothing to do.')],
    ] as const) {
      expect(await message(change(member, id, params))).toEqual(msg);
      expect(await members(id)).toHaveLength(2);
    }
  });

  it('join and leave by themselves where the group permits it', async () => {
    const id = await make(member, { can_join_group: roleGroupId('role:members') });
    expect((await change(other, id, { add: [other.id] })).status).toBe(200);
    expect(await message(change(other, id, { add: [admin.id] }))).toBe('Insufficient permission');
    expect(await message(change(other, id, { add: [other.id, admin.id] }))).toBe(
      'Insufficient permission',
    );
    expect(await message(change(admin, id, { delete: [other.id] }))).toBe(
      'Insufficient permission',
    );
    expect((await change(other, id, { delete: [other.id] })).status).toBe(200);
    await as(member).patch(`/user_groups/${id}`, {
      can_join_group: { new: NOBODY },
      can_leave_group: { new: NOBODY },
    });
    expect(await message(change(other, id, { add: [other.id] }))).toBe('Insufficient permission');
    await change(member, id, { add: [other.id] });
    expect(await message(change(other, id, { delete: [other.id] }))).toBe(
      'Insufficient permission',
    );
  });

  it('are added and removed by the people whom the group permits', async () => {
    const only = (person: Person) => ({ direct_members: [person.id], direct_subgroups: [] });
    const id = await make(member, {
      can_add_members_group: only(other),
      can_remove_members_group: only(admin),
    });
    expect((await change(other, id, { add: [guest.id] })).status).toBe(200);
    expect(await message(change(other, id, { delete: [guest.id] }))).toBe(
      'Insufficient permission',
    );
    expect((await change(admin, id, { delete: [guest.id] })).status).toBe(200);
    expect((await change(member, id, { add: [guest.id] })).status).toBe(200);
    expect((await change(owner, id, { delete: [guest.id] })).status).toBe(200);
  });

  it('of the groups of roles follow from the roles, also for owners', async () => {
    for (const id of [2, 3, 7, 8]) {
      expect(await message(change(owner, id, { add: [guest.id] }))).toBe('Insufficient permission');
      expect(
        await message(
          as(owner).post(`/user_groups/${id}/subgroups`, { add: [roleGroupId('role:moderators')] }),
        ),
      ).toBe('Insufficient permission');
    }
  });

  it('are listed directly or through subgroups, and checked one by one', async () => {
    const inner = await make(member, { members: [other.id] });
    const id = await make(member, { members: [admin.id], subgroups: [inner] });
    expect(await members(id)).toEqual([admin.id, other.id]);
    expect(await members(id, { direct_member_only: true })).toEqual([admin.id]);
    const is = async (userId: number, params: FormInput = {}) =>
      (await as(member).get(`/user_groups/${id}/members/${userId}`, params)).body[
        'is_user_group_member'
      ];
    expect(await is(other.id)).toBe(true);
    expect(await is(other.id, { direct_member_only: true })).toBe(false);
    expect(await is(guest.id)).toBe(false);
    expect(await message(as(member).get(`/user_groups/${id}/members/999999`))).toBe('No such user');
    for (const path of ['members', `members/${other.id}`, 'subgroups']) {
      expect(await message(as(member).get(`/user_groups/999999/${path}`))).toBe(
        'Invalid user group',
      );
    }
  });

  it('are hidden while deactivated, and come back with the person', async () => {
    const one = await examplePerson(server.ctx);
    const id = await make(member, {
      members: [one.id],
      can_join_group: { direct_members: [one.id], direct_subgroups: [roleGroupId('role:members')] },
    });
    const [seen] = await verifyEvents(server, [other], () => as(admin).delete(`/users/${one.id}`));
    expect(seen).toContainEqual(
      expect.objectContaining({ op: 'remove_members', group_id: id, user_ids: [one.id] }),
    );
    expect(seen).toContainEqual(
      expect.objectContaining({
        op: 'update',
        group_id: id,
        data: {
          can_join_group: { direct_members: [], direct_subgroups: [roleGroupId('role:members')] },
        },
      }),
    );
    expect(await members(id)).toEqual([]);
    await verifyEvents(server, [other], () => as(admin).post(`/users/${one.id}/reactivate`));
    expect(await members(id)).toEqual([one.id]);
  });
});

describe('subgroups', () => {
  const change = (by: Person, id: number, params: FormInput) =>
    as(by).post(`/user_groups/${id}/subgroups`, params);

  it('are added and removed, by either route', async () => {
    const [a, b, id] = [await make(member), await make(member), await make(member)];
    const [seen] = await verifyEvents(server, [other], async () => {
      await change(member, id, { add: [b, a] });
      await as(member).post(`/user_groups/${id}/members`, { delete_subgroups: [a] });
      await as(member).post(`/user_groups/${id}/members`, { add_subgroups: [a] });
      await change(member, id, { delete: [b] });
    });
    expect(seen).toMatchObject([
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [a, b] },
      { op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [a] },
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [a] },
      { op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [b] },
    ]);
  });

  it('are listed at every depth', async () => {
    const a = await make(member);
    const b = await make(member, { subgroups: [a] });
    const c = await make(member, { subgroups: [b] });
    const { body } = await as(member).get(`/user_groups/${c}/subgroups`);
    expect(body['subgroups']).toEqual([a, b]);
    const direct = await as(member).get(`/user_groups/${c}/subgroups`, {
      direct_subgroup_only: true,
    });
    expect(direct.body['subgroups']).toEqual([b]);
  });

  it('never form a cycle, even when two requests arrive at once', async () => {
    const a = await make(member);
    const b = await make(member, { subgroups: [a] });
    const c = await make(member, { subgroups: [b] });
    expect(await message(change(member, a, { add: [c] }))).toBe(
      `User group ${a} is already a subgroup of one of the passed subgroups.`,
    );
    expect(await message(change(member, a, { add: [a] }))).toBe(
      `User group ${a} is already a subgroup of one of the passed subgroups.`,
    );
    const [x, y] = [await make(member), await make(member)];
    const answers = await Promise.all([
      change(member, x, { add: [y] }),
      change(member, y, { add: [x] }),
    ]);
    expect(answers.map(({ status }) => status).toSorted((p, q) => p - q)).toEqual([200, 400]);
  });

  it('refuse empty changes, links that exist or are missing already, unknown groups and callers without permission', async () => {
    const a = await make(member);
    const id = await make(member, { subgroups: [a] });
    for (const [params, msg] of [
      [{}, 'Nothing to do. Specify at least one of "add" or "delete".'],
      [{ add: [a] }, `User group ${a} is already a subgroup of this group.`],
      [{ delete: [5] }, 'User group 5 is not a subgroup of this group.'],
      [{ add: [999_999] }, 'Invalid user group ID: 999999'],
    ] as const) {
      expect(await message(change(member, id, params))).toBe(msg);
    }
    expect(await message(change(other, id, { delete: [a] }))).toBe('Insufficient permission');
  });
});

it('a member of a subgroup has the permissions of the group, and loses them with the link', async () => {
  const inner = await make(member, { members: [other.id] });
  const outer = await make(member, { subgroups: [inner] });
  await as(owner).patch('/realm', { can_create_groups: { new: outer } });
  expect((await create(other)).status).toBe(200);
  const [seen] = await verifyEvents(server, [other], () =>
    as(member).post(`/user_groups/${outer}/subgroups`, { delete: [inner] }),
  );
  expect(seen).toHaveLength(1);
  expect(await message(create(other))).toBe('Insufficient permission');
  await as(owner).patch('/realm', { can_create_groups: { new: roleGroupId('role:members') } });
});
