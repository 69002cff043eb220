// Bots: people create, manage, give away and deactivate them.
import { beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import type { TestServer } from '../../../testing/server.ts';
import { useCast } from '../../../testing/chat/cast-world.ts';
import { verifyEvents } from '../../../testing/verify-events.ts';
import type { Answer, FormInput } from '../../../testing/chat/client.ts';

const world = useCast();
const { as } = world;
let server: TestServer;
let owner: Person;
let admin: Person;
let member: Person;
let other: Person;

beforeAll(() => {
  ({ server } = world);
  ({ owner, admin, member, other } = world.cast);
});

const message = async (answer: Promise<Answer>) => (await answer).body['msg'];

let count = 0;
const create = (by: Person, given: FormInput = {}) =>
  as(by).post('/bots', { full_name: 'A Bot', short_name: `bot${(count += 1)}`, ...given });

async function make(by: Person, given: FormInput = {}): Promise<{ id: number; key: string }> {
  const { status, body } = await create(by, given);
  expect(status, JSON.stringify(body)).toBe(200);
  return { id: Number(body['user_id']), key: String(body['api_key']) };
}

const basic = (email: string, key: string) => ({
  basic: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
});

describe('POST /bots', () => {
  it('creates a bot with a key that works, and shows everybody its profile and its owner the rest', async () => {
    let body: Record<string, unknown> = {};
    const [mine, theirs, admins] = await verifyEvents(server, [member, other, admin], async () => {
      body = (await create(member, { full_name: 'Echo', short_name: 'Echo' })).body;
    });
    const id = body['user_id'];
    expect(body).toMatchObject({
      api_key: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      avatar_url: `/avatar/${String(id)}?version=1`,
      default_sending_stream: null,
      default_events_register_stream: null,
      default_all_public_streams: false,
    });
    const added = { type: 'realm_bot', op: 'add', bot: { user_id: id } };
    expect(mine).toContainEqual(expect.objectContaining({ type: 'realm_bot' }));
    expect(mine?.at(-1)).toMatchObject(added);
    expect(admins?.at(-1)).toMatchObject(added);
    expect(theirs?.some(({ type }) => type === 'realm_bot')).toBe(false);
    expect(JSON.stringify(mine)).not.toContain(String(body['api_key']));
    const email = `echo-bot@${new URL(server.origin).hostname}`;
    const own = await as(basic(email, String(body['api_key']))).get('/users/me');
    expect(own.body).toMatchObject({ user_id: id, is_bot: true, bot_type: 1, role: 400 });
    expect((await as(other).get(`/users/${String(id)}`)).body['user']).toMatchObject({
      bot_owner_id: member.id,
      email,
    });
  });

  it.each([
    [{ short_name: '' }, 'Bad name or username'],
    [{ short_name: 'a b' }, 'Bad name or username'],
    [{ full_name: '' }, 'Name must not be empty!'],
    [{ bot_type: 5 }, 'Invalid bot_type: Value error, Not in the list of possible values'],
    [{ bot_type: 9 }, 'Invalid bot_type: Value error, Not in the list of possible values'],
  ])('refuses %j', async (given, msg) => {
    expect(await message(create(member, given))).toBe(msg);
  });

  it('gives each short name only once', async () => {
    await make(member, { short_name: 'twice' });
    expect(await message(create(other, { short_name: 'Twice' }))).toBe('Username already in use');
  });

  it('is only for people whom the organization permits; incoming webhooks are open to more', async () => {
    const nobody = { new: roleGroupId('role:nobody') };
    await as(admin).patch('/realm', { can_create_bots_group: nobody });
    expect(await message(create(member))).toBe('Insufficient permission');
    expect((await create(member, { bot_type: 2 })).status).toBe(200);
    await as(admin).patch('/realm', { can_create_write_only_bots_group: nobody });
    expect(await message(create(member, { bot_type: 2 }))).toBe('Insufficient permission');
    const all = { new: roleGroupId('role:members') };
    await as(admin).patch('/realm', {
      can_create_bots_group: all,
      can_create_write_only_bots_group: all,
    });
  });

  it('gives an incoming webhook no right but to send messages', async () => {
    const { id, key } = await make(member, { bot_type: 2 });
    const { body } = await as(member).get(`/users/${id}`);
    const { email } = body['user'] as { email: string };
    const answer = await as(basic(email, key)).get('/users/me');
    expect(answer.status).toBe(401);
    expect(answer.body['msg']).toBe('This API is not available to incoming webhook bots.');
  });
});

describe('managing bots', () => {
  it("GET /bots lists a person's own active bots with their keys", async () => {
    const person = await examplePerson(server.ctx);
    const first = await make(person, { full_name: 'First' });
    const second = await make(person);
    await as(person).delete(`/bots/${second.id}`);
    const { body } = await as(person).get('/bots');
    expect(body['bots']).toMatchObject([
      { user_id: first.id, full_name: 'First', api_key: first.key },
    ]);
    expect((await as(other).get('/bots')).text).not.toContain(first.key);
  });

  it('owners rename their bots, and administrators change the role of bots', async () => {
    const { id } = await make(member);
    const [seen] = await verifyEvents(server, [other], () =>
      as(member).patch(`/bots/${id}`, { full_name: 'New Name' }),
    );
    expect(seen).toMatchObject([{ person: { user_id: id, full_name: 'New Name' } }]);
    expect(await message(as(member).patch(`/bots/${id}`, { role: 200 }))).toBe(
      'Insufficient permission',
    );
    expect(await message(as(other).patch(`/bots/${id}`, { full_name: 'X' }))).toBe(
      'Insufficient permission',
    );
    expect(await message(as(member).patch(`/bots/${member.id}`, { full_name: 'X' }))).toBe(
      'No such bot',
    );
    expect((await as(owner).patch(`/bots/${id}`, { role: 600 })).status).toBe(200);
  });

  it('a bot gets another owner, and moves from one list to the other', async () => {
    const { id } = await make(member);
    const [old, fresh, admins] = await verifyEvents(server, [member, other, admin], () =>
      as(member).patch(`/bots/${id}`, { bot_owner_id: other.id }),
    );
    const moved = { type: 'realm_user', person: { user_id: id, bot_owner_id: other.id } };
    expect(old).toMatchObject([moved, { op: 'delete', bot: { user_id: id } }]);
    expect(fresh).toMatchObject([moved, { op: 'add', bot: { user_id: id } }]);
    expect(admins).toMatchObject([moved]);
    expect(await message(as(member).patch(`/bots/${id}`, { full_name: 'X' }))).toBe(
      'Insufficient permission',
    );
    for (const [ownerId, msg] of [
      [999_999, 'Failed to change owner, no such user'],
      [id, "Failed to change owner, bots can't own other bots"],
    ] as const) {
      expect(await message(as(other).patch(`/bots/${id}`, { bot_owner_id: ownerId }))).toBe(msg);
    }
    const gone = await examplePerson(server.ctx);
    await as(admin).delete(`/users/${gone.id}`);
    expect(await message(as(other).patch(`/bots/${id}`, { bot_owner_id: gone.id }))).toBe(
      'Failed to change owner, user is deactivated',
    );
  });

  it('the bots of a demoted person lose the role too, and everybody is told', async () => {
    const person = await examplePerson(server.ctx, { role: ROLE.administrator });
    const { id } = await make(person);
    await as(person).patch(`/bots/${id}`, { role: 200 });
    const [seen] = await verifyEvents(server, [other, person, admin], () =>
      as(owner).patch(`/users/${person.id}`, { role: 400 }),
    );
    for (const user_id of [person.id, id]) {
      expect(seen).toContainEqual(
        expect.objectContaining({ type: 'realm_user', person: { user_id, role: 400 } }),
      );
    }
  });

  it('a bot that gets an owner with a lower role loses its own, and everybody is told', async () => {
    const person = await examplePerson(server.ctx, { role: ROLE.administrator });
    const { id } = await make(person);
    await as(person).patch(`/bots/${id}`, { role: 200 });
    const [seen] = await verifyEvents(server, [other, person, admin], () =>
      as(person).patch(`/bots/${id}`, { bot_owner_id: other.id }),
    );
    expect(seen).toContainEqual(
      expect.objectContaining({ type: 'realm_user', person: { user_id: id, role: 400 } }),
    );
  });

  it('a new administrator sees every bot, and a former one only their own', async () => {
    await make(other);
    const person = await examplePerson(server.ctx);
    await make(person);
    const [seen] = await verifyEvents(server, [person], () =>
      as(owner).patch(`/users/${person.id}`, { role: 200 }),
    );
    expect(seen?.filter(({ type }) => type === 'realm_bot').length).toBeGreaterThan(0);
    await verifyEvents(server, [person], () =>
      as(owner).patch(`/users/${person.id}`, { role: 400 }),
    );
  });

  it('an owner deactivates a bot at once, and an administrator reactivates it', async () => {
    const { id, key } = await make(member);
    const { body } = await as(member).get(`/users/${id}`);
    const bot = as(basic((body['user'] as { email: string }).email, key));
    expect((await bot.get('/users/me')).status).toBe(200);
    expect(await message(as(other).delete(`/bots/${id}`))).toBe('Insufficient permission');
    const [seen] = await verifyEvents(server, [other, member], () =>
      as(member).delete(`/bots/${id}`),
    );
    expect(seen?.[0]).toMatchObject({ person: { user_id: id, is_active: false } });
    expect((await bot.get('/users/me')).status).toBe(401);
    expect(await message(as(member).delete(`/bots/${id}`))).toBe('User is deactivated');
    expect(await message(as(member).delete('/bots/999999'))).toBe('No such bot');
    await verifyEvents(server, [member], () => as(admin).post(`/users/${id}/reactivate`));
    expect((await bot.get('/users/me')).status).toBe(200);
  });

  it('the people who manage a bot read and replace its key', async () => {
    const { id, key } = await make(member);
    for (const person of [member, admin]) {
      expect((await as(person).get(`/bots/${id}/api_key`)).body['api_key']).toBe(key);
    }
    expect(await message(as(other).get(`/bots/${id}/api_key`))).toBe('Insufficient permission');
    expect(await message(as(other).post(`/bots/${id}/api_key/regenerate`))).toBe(
      'Insufficient permission',
    );
    expect(await message(as(admin).get(`/bots/${member.id}/api_key`))).toBe('No such bot');
    const { body } = await as(member).post(`/bots/${id}/api_key/regenerate`);
    expect(body['api_key']).not.toBe(key);
    expect((await as(member).get(`/bots/${id}/api_key`)).body['api_key']).toBe(body['api_key']);
  });
});
