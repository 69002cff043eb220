// People: who sees whom, who may change whom, and which events everybody gets.
import { beforeAll, describe, expect, it } from 'vitest';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { castBot } from '../../../testing/chat/cast.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { useCast } from '../../../testing/chat/cast-world.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import { chatClient } from '../../../testing/chat/client.ts';

const world = useCast();
const { as } = world;
let server: TestServer;
let owner: Person;
let admin: Person;
let member: Person;
let guest: Person;

beforeAll(() => {
  ({ server } = world);
  ({ owner, admin, member, guest } = world.cast);
});

describe('reading', () => {
  it("GET /users/me has the person's own fields at the top", async () => {
    const { body } = await as(member).get('/users/me');
    expect(body).toMatchObject({
      result: 'success',
      user_id: member.id,
      email: member.email,
      full_name: member.fullName,
      role: 400,
      is_admin: false,
      is_owner: false,
      is_guest: false,
      is_bot: false,
      is_active: true,
      max_message_id: -1,
      profile_data: {},
    });
    expect(body['date_joined']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d\+00:00$/);
  });

  it('GET /users lists everybody, including deactivated people and bots', async () => {
    const bot = await castBot(server.ctx, member);
    const gone = await examplePerson(server.ctx);
    await as(admin).delete(`/users/${gone.id}`);
    const { body } = await as(guest).get('/users');
    const members = body['members'] as { user_id: number; is_active: boolean; is_bot: boolean }[];
    const find = (id: number) => members.find(({ user_id }) => user_id === id);
    expect(find(bot.id)).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: member.id });
    expect(find(gone.id)).toMatchObject({ is_active: false });
    expect(find(member.id)).not.toHaveProperty('profile_data');
    const some = await as(guest).get('/users', {
      user_ids: [member.id, 999_999, 2 ** 40],
      include_custom_profile_fields: true,
      client_gravatar: false,
    });
    expect(some.body['members']).toMatchObject([{ user_id: member.id, profile_data: {} }]);
  });

  it('GET /users/{id} and /users/{email} give one person', async () => {
    const { body } = await as(guest).get(`/users/${member.id}`);
    expect(body['user']).toMatchObject({ user_id: member.id });
    const email = encodeURIComponent(member.email.toUpperCase());
    const byEmail = await as(member).get(`/users/${email}`);
    expect(byEmail.body).toEqual((await as(member).get(`/users/${member.id}`)).body);
    // Guests see no addresses, so they find nobody by one.
    expect((await as(guest).get(`/users/${email}`)).body).toMatchObject({ msg: 'No such user' });
    for (const unknown of ['999999', '99999999999999999999', 'nobody@example.com', 'you']) {
      expect((await as(guest).get(`/users/${unknown}`)).body).toEqual({
        result: 'error',
        msg: 'No such user',
        code: 'BAD_REQUEST',
      });
    }
  });
});

describe('PATCH /users/{id}', () => {
  it('lets administrators rename and promote, and tells everybody', async () => {
    const person = await examplePerson(server.ctx);
    const [seen] = await verifyEvents(server, [guest, person], () =>
      as(admin).patch(`/users/${person.id}`, { full_name: 'Grace Hopper', role: 300 }),
    );
    expect(seen).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: person.id, role: 300 } },
      { op: 'remove_members', group_id: roleGroupId('role:members'), user_ids: [person.id] },
      { op: 'remove_members', group_id: roleGroupId('role:fullmembers'), user_ids: [person.id] },
      { op: 'add_members', group_id: roleGroupId('role:moderators'), user_ids: [person.id] },
      { type: 'realm_user', op: 'update', person: { full_name: 'Grace Hopper' } },
    ]);
  });

  it('announces nothing when nothing changes', async () => {
    const [seen] = await verifyEvents(server, [guest], () =>
      as(admin).patch(`/users/${member.id}`, { full_name: member.fullName, role: 400 }),
    );
    expect(seen).toEqual([]);
  });

  it('changes all or nothing', async () => {
    const { body } = await as(admin).patch(`/users/${guest.id}`, { role: 400, full_name: 'a*b' });
    expect(body['msg']).toBe('Invalid characters in name!');
    expect((await as(guest).get('/users/me')).body['role']).toBe(600);
  });

  it.each([
    ['150', 'Invalid role: Value error, Not in the list of possible values'],
    ['"x"', 'role is not an integer'],
    ['member', 'role is not valid JSON'],
  ])('refuses the role %s', async (role, msg) => {
    expect((await as(admin).patch(`/users/${member.id}`, { role })).body['msg']).toBe(msg);
  });

  it('is refused to other people, except owners of a bot, who cannot change its role', async () => {
    const refused = { msg: 'Insufficient permission', code: 'BAD_REQUEST' };
    for (const person of [member, guest]) {
      const answer = await as(person).patch(`/users/${admin.id}`, { full_name: 'X' });
      expect(answer.body).toMatchObject(refused);
      const self = await as(person).patch(`/users/${person.id}`, { role: 100 });
      expect(self.body).toMatchObject(refused);
    }
    const bot = await castBot(server.ctx, member);
    const renamed = await as(member).patch(`/users/${bot.id}`, { full_name: 'New Bot' });
    expect(renamed.body).toEqual({ result: 'success', msg: '' });
    expect((await as(member).patch(`/users/${bot.id}`, { role: 200 })).body).toMatchObject(refused);
    expect((await as(bot).patch(`/users/${bot.id}`, { role: 200 })).body).toMatchObject(refused);
    expect((await as(admin).patch('/users/999999', { role: 200 })).body['msg']).toBe(
      'No such user',
    );
  });

  it('only owners change owners, and the last owner stays', async () => {
    const ownersOnly = { msg: 'Must be an organization owner', code: 'UNAUTHORIZED_PRINCIPAL' };
    const patch = (by: Person, of: Person, role: RoleCode) =>
      as(by).patch(`/users/${of.id}`, { role });
    expect((await patch(admin, member, 100)).body).toMatchObject(ownersOnly);
    expect((await patch(admin, owner, 400)).body).toMatchObject(ownersOnly);
    expect((await patch(owner, owner, 400)).body).toMatchObject({
      msg: 'The owner permission cannot be removed from the only organization owner.',
      code: 'BAD_REQUEST',
    });
    const second = await examplePerson(server.ctx);
    expect((await patch(owner, second, 100)).status).toBe(200);
    expect((await patch(owner, second, 400)).status).toBe(200);
  });

  it('keeps one owner when two owners step down at once', async () => {
    const second = await examplePerson(server.ctx, { role: ROLE.owner });
    const answers = await Promise.all([
      as(owner).patch(`/users/${owner.id}`, { role: 400 }),
      as(second).patch(`/users/${second.id}`, { role: 400 }),
    ]);
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
    const left = answers[0].status === 200 ? second : owner;
    const demoted = left === owner ? second : owner;
    await as(left).patch(`/users/${demoted.id}`, { role: 100 });
    await as(owner).patch(`/users/${second.id}`, { role: 400 });
  });

  it('lists in ignored_parameters_unsupported the parameters that it ignores', async () => {
    const { body } = await as(admin).patch(`/users/${member.id}`, {
      is_admin: true,
      email: 'x@y.z',
      user_id: 1,
    });
    expect(body['ignored_parameters_unsupported']).toEqual(['email', 'is_admin', 'user_id']);
  });
});

describe('DELETE /users/{id} and reactivation', () => {
  it('ends access at once, also for a waiting poll, and tells everybody', async () => {
    const person = await examplePerson(server.ctx);
    const bot = await castBot(server.ctx, person);
    const { body: queue } = await as(person).post('/register', { fetch_event_types: [] });
    const cursor = { queue_id: queue['queue_id'], last_event_id: queue['last_event_id'] };
    const waiting = as(person).get('/events', cursor);
    const [seen] = await verifyEvents(server, [member], () =>
      as(admin).delete(`/users/${person.id}`),
    );
    expect(seen?.[0]).toMatchObject({
      type: 'realm_user',
      op: 'update',
      person: { user_id: person.id, is_active: false },
    });
    expect((await waiting).status).toBe(200);
    const answer = await as(person).get('/events', cursor);
    expect(answer.status).toBe(401);
    expect(answer.body).toMatchObject({ msg: 'Account is deactivated', code: 'UNAUTHORIZED' });
    expect((await as(bot).get('/users/me')).status).toBe(401);
    expect((await as(person).post('/register')).status).toBe(401);

    const [back] = await verifyEvents(server, [member], () =>
      as(admin).post(`/users/${person.id}/reactivate`),
    );
    expect(back?.[0]).toMatchObject({ person: { user_id: person.id, is_active: true } });
    expect((await as(person).get('/users/me')).status).toBe(200);
    const [again] = await verifyEvents(server, [member], () =>
      as(admin).post(`/users/${person.id}/reactivate`),
    );
    expect(again).toEqual([]);
  });

  it('refuses unknown and deactivated people, bots, and owners if the caller is none or they are the last', async () => {
    const bot = await examplePerson(server.ctx, { botType: 1 });
    const gone = await examplePerson(server.ctx);
    await as(admin).delete(`/users/${gone.id}`);
    const message = async (by: Person, id: number) =>
      (await as(by).delete(`/users/${id}`)).body['msg'];
    expect(await message(admin, 999_999)).toBe('No such user');
    expect(await message(admin, bot.id)).toBe('No such user');
    expect(await message(admin, gone.id)).toBe('User is deactivated');
    expect(await message(admin, owner.id)).toBe('Must be an organization owner');
    expect(await message(owner, owner.id)).toBe('Cannot deactivate the only organization owner');
    const unknown = await as(admin).post('/users/999999/reactivate');
    expect(unknown.body['msg']).toBe('No such user');
  });
});

describe('[M187] DELETE /users/me', () => {
  it('[M065] deactivates the caller', async () => {
    const person = await examplePerson(server.ctx);
    const [seen] = await verifyEvents(server, [member], () => as(person).delete('/users/me'));
    expect(seen?.[0]).toMatchObject({ person: { user_id: person.id, is_active: false } });
    expect((await as(person).get('/users/me')).status).toBe(401);
  });

  it('[M066] [M212] refuses the only owner and the only user', async () => {
    expect((await as(owner).delete('/users/me')).body).toEqual({
      result: 'error',
      msg: 'Cannot deactivate the only organization owner.',
      code: 'CANNOT_DEACTIVATE_LAST_USER',
      is_last_owner: true,
      entity: 'organization owner',
    });
    const small = await startTestServer();
    try {
      const only = await examplePerson(small.ctx, { role: ROLE.owner });
      expect((await chatClient(small, only).delete('/users/me')).body).toEqual({
        result: 'error',
        msg: 'Cannot deactivate the only user.',
        code: 'CANNOT_DEACTIVATE_LAST_USER',
        is_last_owner: false,
        entity: 'user',
      });
    } finally {
      await small.close();
    }
  });
});

it('announces a new person to everybody, with their groups', async () => {
  const [seen] = await verifyEvents(server, [guest, admin], () => examplePerson(server.ctx));
  expect(seen).toMatchObject([
    { type: 'realm_user', op: 'add', person: { role: 400, is_active: true } },
    { type: 'user_group', op: 'add_members', group_id: roleGroupId('role:members') },
    { type: 'user_group', op: 'add_members', group_id: roleGroupId('role:fullmembers') },
  ]);
});

describe('POST /users', () => {
  const create = (by: Person, given: Record<string, unknown> = {}) =>
    as(by).post('/users', {
      email: 'new@example.com',
      password: 'correct horse battery',
      full_name: 'New Person',
      ...given,
    });

  it('creates a member who can sign in', async () => {
    const [byGuest, seen] = await verifyEvents(server, [guest, admin], async () => {
      const { status, body } = await create(admin);
      expect(status).toBe(200);
      expect(body['user_id']).toEqual(expect.any(Number));
    });
    expect(seen?.[0]).toMatchObject({
      type: 'realm_user',
      op: 'add',
      person: { email: 'new@example.com', full_name: 'New Person', role: 400 },
    });
    expect(byGuest?.[0]).toMatchObject({
      person: { full_name: 'New Person', delivery_email: null },
    });
    const login = await chatClient(server).post('/fetch_api_key', {
      username: 'new@example.com',
      password: 'correct horse battery',
    });
    expect(login.status).toBe(200);
  });

  it.each([
    [{ email: 'NEW@example.com' }, 'Email is already in use.'],
    [{ email: 'no address' }, 'Enter a valid email address.'],
    [{ email: 'x1@example.com', password: 'short' }, 'The password is too weak.'],
    [{ email: 'x2@example.com', password: 'password' }, 'The password is too weak.'],
    [{ email: 'x3@example.com', password: '12345678' }, 'The password is too weak.'],
    [{ email: 'x4@example.com', password: 'aaaaaaaaaaaa' }, 'The password is too weak.'],
    [{ email: 'x5@example.com', full_name: 'a*b' }, 'Invalid characters in name!'],
  ])('refuses %j', async (given, msg) => {
    const { status, body } = await create(admin, given);
    expect(status).toBe(400);
    expect(body).toMatchObject({ msg, code: 'BAD_REQUEST' });
  });

  it('is only for administrators', async () => {
    expect((await create(member)).body).toMatchObject({
      msg: 'Must be an organization administrator',
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
  });

  it('creates one account for many requests with the same address', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create(admin, { email: 'raced@example.com' })),
    );
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([
      200, 400, 400, 400, 400,
    ]);
  });
});

describe('addresses', () => {
  it('PATCH /users/{email} changes the person with that address', async () => {
    const person = await examplePerson(server.ctx);
    const { status } = await as(admin).patch(`/users/${encodeURIComponent(person.email)}`, {
      full_name: 'By Address',
    });
    expect(status).toBe(200);
    expect((await as(person).get('/users/me')).body['full_name']).toBe('By Address');
    const unknown = await as(admin).patch('/users/nobody%40example.com', { full_name: 'X' });
    expect(unknown.body['msg']).toBe('No such user');
  });

  it('are changed by administrators; the key works with the new one', async () => {
    const person = await examplePerson(server.ctx);
    const [seen, byGuest] = await verifyEvents(server, [member, guest], () =>
      as(admin).patch(`/users/${person.id}`, { new_email: 'moved@example.com' }),
    );
    expect(byGuest).toEqual([]);
    expect(seen).toMatchObject([
      { person: { user_id: person.id, delivery_email: 'moved@example.com' } },
      { person: { user_id: person.id, new_email: 'moved@example.com' } },
    ]);
    expect((await as(person).get('/users/me')).status).toBe(401);
    const basic = `Basic ${Buffer.from(`moved@example.com:${person.chatKey}`).toString('base64')}`;
    expect((await chatClient(server, { basic }).get('/users/me')).status).toBe(200);
    const change = async (by: Person, id: number, new_email: string) =>
      (await as(by).patch(`/users/${id}`, { new_email })).body['msg'];
    expect(await change(admin, member.id, 'moved@example.com')).toBe('Email is already in use.');
    expect(await change(admin, member.id, 'nothing')).toBe('Invalid new email address.');
    expect(await change(admin, owner.id, 'x@example.com')).toBe('Must be an organization owner');
    expect(await change(member, member.id, 'x@example.com')).toBe('Insufficient permission');
    const bot = await castBot(server.ctx, member);
    expect(await change(member, bot.id, 'x@example.com')).toBe('Insufficient permission');
  });
});
