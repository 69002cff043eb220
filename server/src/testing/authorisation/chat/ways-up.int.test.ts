// Tries every way to a higher role, as everybody below it: people of each role, a demoted administrator, and the bots
// of each.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { examplePerson, type Person } from '../../example.ts';
import { castBot } from '../../chat/cast.ts';
import { startTestServer, type TestServer } from '../../server.ts';
import { checkLoggedShapes } from '../../verify-events.ts';
import { chatClient, type Answer, type ChatClient } from '../../chat/client.ts';

let server: TestServer;
let owner: Person;
/** Bots of the owner: one with the owner's role, one that is a plain member, one that is deactivated. */
let mightyBot: Person;
let plainBot: Person;
let sleepingBot: Person;
let goneOwner: Person;
let goneMember: Person;
/** A group that the owner named in a permission that only owners may grant. */
let keepersGroup: number;

interface Caller {
  readonly self: Person;
  readonly person: Person;
  readonly bot: Person;
  readonly client: ChatClient;
}

const callers = new Map<string, Caller>();

const PEOPLE = {
  guest: [ROLE.guest, ROLE.guest],
  member: [ROLE.member, ROLE.member],
  moderator: [ROLE.moderator, ROLE.moderator],
  administrator: [ROLE.administrator, ROLE.administrator],
  'demoted administrator': [ROLE.administrator, ROLE.member],
} as const satisfies Record<string, readonly [RoleCode, RoleCode]>;

const NAMES = Object.keys(PEOPLE).flatMap((name) => [name, `bot of a ${name}`]);

const as = (who: Pick<Person, 'basic'>): ChatClient => chatClient(server, who);

async function succeeds(answer: Promise<Answer>): Promise<Record<string, unknown>> {
  const { body } = await answer;
  expect(body).toMatchObject({ result: 'success' });
  return body;
}

async function roleOf(id: number): Promise<number> {
  const row = await server.ctx.db
    .selectFrom('users')
    .select('role')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return row.role;
}

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT: '100000' } });
  const { ctx } = server;
  owner = await examplePerson(ctx, { role: ROLE.owner });
  const bot = (role: RoleCode) => examplePerson(ctx, { role, botType: 1, botOwnerId: owner.id });
  mightyBot = await bot(ROLE.owner);
  plainBot = await bot(ROLE.member);
  sleepingBot = await bot(ROLE.owner);
  await succeeds(as(owner).delete(`/bots/${sleepingBot.id}`));
  goneOwner = await examplePerson(ctx, { role: ROLE.owner });
  goneMember = await examplePerson(ctx);
  for (const { id } of [goneOwner, goneMember]) await succeeds(as(owner).delete(`/users/${id}`));
  const group = await succeeds(
    as(owner).post('/user_groups/create', {
      name: 'keepers',
      description: '',
      members: [plainBot.id],
    }),
  );
  keepersGroup = Number(group['group_id']);
  await succeeds(as(owner).patch('/realm', { can_manage_all_groups: { new: keepersGroup } }));
  for (const [name, [first, last]] of Object.entries(PEOPLE)) {
    const person = await examplePerson(ctx, { role: first });
    const own = await examplePerson(ctx, { role: first, botType: 1, botOwnerId: person.id });
    if (last !== first) await succeeds(as(owner).patch(`/users/${person.id}`, { role: last }));
    callers.set(name, { self: person, person, bot: own, client: as(person) });
    callers.set(`bot of a ${name}`, { self: own, person, bot: own, client: as(own) });
  }
});
afterAll(async () => {
  await checkLoggedShapes(server);
  await server.close();
});

const ATTEMPTS: Readonly<Record<string, (caller: Caller) => Promise<Answer>>> = {
  "reading the key of an owner's bot with the owner's role": ({ client }) =>
    client.get(`/bots/${mightyBot.id}/api_key`),
  'giving it a new key': ({ client }) => client.post(`/bots/${mightyBot.id}/api_key/regenerate`),
  'becoming its owner': ({ client, person }) =>
    client.patch(`/bots/${mightyBot.id}`, { bot_owner_id: person.id }),
  "reading the key of an owner's plain bot, which may manage groups": ({ client }) =>
    client.get(`/bots/${plainBot.id}/api_key`),
  'giving the plain bot a new key': ({ client }) =>
    client.post(`/bots/${plainBot.id}/api_key/regenerate`),
  'becoming the owner of the plain bot': ({ client, person }) =>
    client.patch(`/bots/${plainBot.id}`, { bot_owner_id: person.id }),
  "raising an owner's plain bot to owner": ({ client }) =>
    client.patch(`/bots/${plainBot.id}`, { role: ROLE.owner }),
  "reactivating a bot with the owner's role": ({ client }) =>
    client.post(`/users/${sleepingBot.id}/reactivate`),
  'raising oneself': ({ client, self }) => client.patch(`/users/${self.id}`, { role: ROLE.owner }),
  'raising oneself by email address': ({ client, self }) =>
    client.patch(`/users/${self.email}`, { role: ROLE.owner }),
  "raising the bot's owner, or oneself": ({ client, person }) =>
    client.patch(`/users/${person.id}`, { role: ROLE.owner }),
  "raising one's bot": ({ client, bot }) => client.patch(`/bots/${bot.id}`, { role: ROLE.owner }),
  "raising one's bot as a user": ({ client, bot }) =>
    client.patch(`/users/${bot.id}`, { role: ROLE.owner }),
  "giving one's bot to an owner and raising it": ({ client, bot }) =>
    client.patch(`/bots/${bot.id}`, { bot_owner_id: owner.id, role: ROLE.owner }),
  'demoting an owner': ({ client }) => client.patch(`/users/${owner.id}`, { role: ROLE.guest }),
  "changing an owner's email address": ({ client }) =>
    client.patch(`/users/${owner.id}`, { new_email: 'mine-now@example.com' }),
  "changing the email address of an owner's bot": ({ client }) =>
    client.patch(`/users/${mightyBot.id}`, { new_email: 'mine-now@example.com' }),
  'reactivating an owner': ({ client }) => client.post(`/users/${goneOwner.id}/reactivate`),
  'deactivating an owner': ({ client }) => client.delete(`/users/${owner.id}`),
  'inviting an owner': ({ client }) =>
    client.post('/invites', {
      invitee_emails: 'new-owner@example.com',
      invite_as: ROLE.owner,
      stream_ids: [],
    }),
  'making an invitation link for owners': ({ client }) =>
    client.post('/invites/multiuse', { invite_as: ROLE.owner, stream_ids: [] }),
  'granting a permission that only owners grant': ({ client, person }) =>
    client.patch('/realm', {
      can_manage_all_groups: { new: { direct_members: [person.id], direct_subgroups: [] } },
    }),
  'changing a setting that only owners change': ({ client }) =>
    client.patch('/realm', { waiting_period_threshold: 3 }),
  'joining a group that such a permission names': ({ client, self }) =>
    client.post(`/user_groups/${keepersGroup}/members`, { add: [self.id] }),
  'choosing who manages that group': ({ client, person }) =>
    client.patch(`/user_groups/${keepersGroup}`, {
      can_manage_group: { new: { direct_members: [person.id], direct_subgroups: [] } },
    }),
  'joining the group of owners': ({ client, self }) =>
    client.post(`/user_groups/${roleGroupId('role:owners')}/members`, { add: [self.id] }),
};

describe.each(NAMES)('a %s', (name) => {
  it.each(Object.keys(ATTEMPTS))('gets nowhere by %s', async (title) => {
    const caller = callers.get(name) as Caller;
    const attempt = ATTEMPTS[title] as (caller: Caller) => Promise<Answer>;
    const watched = [owner, mightyBot, plainBot, sleepingBot, goneOwner];
    const rows = () =>
      server.ctx.db
        .selectFrom('users')
        .select(['id', 'role', 'email', 'isActive', 'botOwnerId', 'chatKeyLookup'])
        .where(
          'id',
          'in',
          [...watched, caller.person, caller.bot].map(({ id }) => id),
        )
        .orderBy('id')
        .execute();
    const before = await rows();
    const answer = await attempt(caller);
    expect(answer.body, title).toMatchObject({ result: 'error' });
    expect([400, 401]).toContain(answer.status);
    expect(await rows()).toEqual(before);
  });
});

describe('an administrator', () => {
  it("does not become an owner by the key of an owner's bot", async () => {
    const { client, self } = callers.get('administrator') as Caller;
    const answer = await client.get(`/bots/${mightyBot.id}/api_key`);
    expect(answer.body).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization owner',
    });
    expect(answer.text).not.toContain(mightyBot.chatKey);
    expect(await roleOf(self.id)).toBe(ROLE.administrator);
  });

  it('may still manage the bots of people who are not above them', async () => {
    const { client } = callers.get('administrator') as Caller;
    const { bot } = callers.get('moderator') as Caller;
    const { api_key: key } = await succeeds(client.get(`/bots/${bot.id}/api_key`));
    expect(key).toBe(bot.chatKey);
    await succeeds(client.patch(`/bots/${bot.id}`, { role: ROLE.member }));
    await succeeds(client.patch(`/bots/${bot.id}`, { role: ROLE.moderator }));
  });

  it('who is demoted loses the role of every bot at once, and reactivated bots get no higher role', async () => {
    const { ctx } = server;
    const person = await examplePerson(ctx, { role: ROLE.administrator });
    const given = { role: ROLE.administrator, botType: 1, botOwnerId: person.id } as const;
    const [first, second] = [await examplePerson(ctx, given), await examplePerson(ctx, given)];
    await succeeds(as(owner).delete(`/bots/${second.id}`));
    await succeeds(as(owner).patch(`/users/${person.id}`, { role: ROLE.member }));
    expect([await roleOf(first.id), await roleOf(second.id)]).toEqual([ROLE.member, ROLE.member]);
    await succeeds(as(owner).post(`/users/${second.id}/reactivate`));
    const back = await as(second).patch(`/users/${person.id}`, { role: ROLE.administrator });
    expect(back.body).toMatchObject({ msg: 'Insufficient permission' });
    const groups = await ctx.db
      .selectFrom('userGroupMembers')
      .select('groupId')
      .where('userId', '=', first.id)
      .orderBy('groupId')
      .execute();
    expect(groups.map(({ groupId }) => groupId)).toEqual([
      roleGroupId('role:members'),
      roleGroupId('role:fullmembers'),
    ]);
  });
});

describe('a bot', () => {
  it("whose row, from an older release, has a higher role than its owner gets only the owner's rights", async () => {
    const { ctx } = server;
    const person = await examplePerson(ctx);
    const bot = await castBot(ctx, person);
    await ctx.db.updateTable('users').set({ role: ROLE.owner }).where('id', '=', bot.id).execute();
    await ctx.db
      .insertInto('userGroupMembers')
      .values({ groupId: roleGroupId('role:owners'), userId: bot.id })
      .execute();
    const own = await as(bot).get('/users/me');
    expect(own.body).toMatchObject({ role: ROLE.member, is_owner: false, is_admin: false });
    const up = await as(bot).patch(`/users/${person.id}`, { role: ROLE.owner });
    expect(up.body).toMatchObject({ result: 'error' });
    const { id } = await succeeds(
      as(owner).post('/channels/create', {
        name: 'for the word of owners',
        subscribers: [owner.id],
        can_send_message_group: roleGroupId('role:owners'),
      }),
    );
    const word = { type: 'channel', to: Number(id), topic: 'x', content: 'hi' };
    expect((await as(bot).post('/messages', word)).body).toMatchObject({
      msg: 'You do not have permission to post in this channel.',
    });
    await succeeds(as(owner).post('/messages', word));
    const realm = await as(bot).patch('/realm', { description: 'mine' });
    expect(realm.body).toMatchObject({ msg: 'Must be an organization administrator' });
  });

  it('cannot sign in while its owner is deactivated, though its row says it is active', async () => {
    const { ctx } = server;
    const person = await examplePerson(ctx);
    const bot = await castBot(ctx, person);
    await ctx.db
      .updateTable('users')
      .set({ isActive: false })
      .where('id', '=', person.id)
      .execute();
    const { status, body } = await as(bot).get('/users/me');
    expect([status, body['msg']]).toEqual([401, 'Account is deactivated']);
  });

  it('cannot be made above its owner, nor be raised above, and the refusal says why', async () => {
    const { ctx } = server;
    const person = await examplePerson(ctx, { role: ROLE.moderator });
    const bot = await examplePerson(ctx, {
      role: ROLE.owner,
      botType: 1,
      botOwnerId: person.id,
    });
    expect(await roleOf(bot.id)).toBe(ROLE.moderator);
    const answer = await as(owner).patch(`/bots/${bot.id}`, { role: ROLE.administrator });
    expect(answer.body['msg']).toMatch(/^A bot cannot have a role above its owner/);
    await succeeds(as(owner).patch(`/bots/${bot.id}`, { role: ROLE.member }));
  });

  it('given to somebody with a lower role gets that role, and a new key', async () => {
    const { ctx } = server;
    const [high, low] = [
      await examplePerson(ctx, { role: ROLE.administrator }),
      await examplePerson(ctx),
    ];
    const bot = await examplePerson(ctx, {
      role: ROLE.administrator,
      botType: 1,
      botOwnerId: high.id,
    });
    await succeeds(as(high).patch(`/bots/${bot.id}`, { bot_owner_id: low.id }));
    expect(await roleOf(bot.id)).toBe(ROLE.member);
    expect((await as(bot).get('/users/me')).status).toBe(401);
    const { api_key: key } = await succeeds(as(low).get(`/bots/${bot.id}/api_key`));
    expect(key).not.toBe(bot.chatKey);
  });

  it('given to an owner does not post for its former owner in the channels of owners', async () => {
    const { ctx } = server;
    const sly = await examplePerson(ctx);
    const bot = await castBot(ctx, sly);
    const { id } = await succeeds(
      as(owner).post('/channels/create', {
        name: 'owners only',
        subscribers: [owner.id],
        invite_only: true,
      }),
    );
    await succeeds(as(sly).patch(`/bots/${bot.id}`, { bot_owner_id: owner.id }));
    const { status } = await as(bot).post('/messages', {
      type: 'channel',
      to: Number(id),
      topic: 'x',
      content: 'by the old key',
    });
    expect(status).toBe(401);
    expect((await as(sly).get(`/bots/${bot.id}/api_key`)).body['msg']).toBe(
      'Insufficient permission',
    );
  });

  it('whose owner is gone comes back as the bot of the person who reactivates it, no higher and with a new key', async () => {
    const { ctx } = server;
    const person = await examplePerson(ctx, { role: ROLE.administrator });
    const keeper = await examplePerson(ctx, { role: ROLE.administrator });
    const bot = await examplePerson(ctx, {
      role: ROLE.administrator,
      botType: 1,
      botOwnerId: person.id,
    });
    await succeeds(as(owner).delete(`/users/${person.id}`));
    await succeeds(as(keeper).post(`/users/${bot.id}/reactivate`));
    expect((await as(bot).get('/users/me')).status).toBe(401);
    const { user } = await succeeds(as(owner).get(`/users/${bot.id}`));
    expect(user).toMatchObject({ bot_owner_id: keeper.id, is_active: true });
  });

  it('of an administrator may do no more than the administrator', async () => {
    const { bot, person } = callers.get('bot of a administrator') as Caller;
    const other = await examplePerson(server.ctx);
    await succeeds(as(bot).patch(`/users/${other.id}`, { role: ROLE.moderator }));
    const up = await as(bot).patch(`/users/${other.id}`, { role: ROLE.owner });
    expect(up.body).toMatchObject({ msg: 'Must be an organization owner' });
    expect(await roleOf(person.id)).toBe(ROLE.administrator);
  });
});

/**
 * Lowers somebody's role in a transaction that stays open until `request`, which has authenticated before, waits
 * behind it.
 */
async function lowerMeanwhile(
  person: Person,
  role: RoleCode,
  request: () => Promise<Answer>,
): Promise<Answer> {
  const client = await server.ctx.database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query("SELECT pg_advisory_xact_lock(hashtext('rialto.membership'))");
    await client.query('UPDATE users SET role = $2 WHERE id = $1', [person.id, role]);
    const answer = request();
    const isWaiting = async () => {
      const { rows } = await server.ctx.database.pool.query<{ waiting: number }>(
        `SELECT count(*)::int AS waiting FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return (rows[0]?.waiting ?? 0) > 0;
    };
    await expect.poll(isWaiting, { timeout: 20_000 }).toBe(true);
    await client.query('COMMIT');
    return await answer;
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

describe('a role that is lowered between authentication and act counts', () => {
  const ACTS: Readonly<
    Record<string, (who: ChatClient, bot: Person, other: Person) => Promise<Answer>>
  > = {
    'raising somebody': (who, _bot, other) =>
      who.patch(`/users/${other.id}`, { role: ROLE.administrator }),
    'raising a bot': (who, bot) => who.patch(`/bots/${bot.id}`, { role: ROLE.guest }),
    "changing somebody's email address": (who, _bot, other) =>
      who.patch(`/users/${other.id}`, { new_email: 'mine-now@example.com' }),
    "reading a bot's key": (who, bot) => who.get(`/bots/${bot.id}/api_key`),
    "replacing a bot's key": (who, bot) => who.post(`/bots/${bot.id}/api_key/regenerate`),
    'giving a bot away': (who, bot, other) =>
      who.patch(`/bots/${bot.id}`, { bot_owner_id: other.id }),
    'deactivating a bot': (who, bot) => who.delete(`/bots/${bot.id}`),
    'deactivating somebody': (who, _bot, other) => who.delete(`/users/${other.id}`),
    'reactivating somebody': (who) => who.post(`/users/${goneMember.id}/reactivate`),
    'changing the organization': (who) => who.patch('/realm', { description: 'mine' }),
  };

  it.each(Object.keys(ACTS))('for %s', async (title) => {
    const admin = await examplePerson(server.ctx, { role: ROLE.administrator });
    const keeper = await examplePerson(server.ctx);
    const other = await examplePerson(server.ctx);
    const bot = await castBot(server.ctx, keeper);
    const act = ACTS[title] as (typeof ACTS)[string];
    const { status, body } = await lowerMeanwhile(admin, ROLE.member, () =>
      act(as(admin), bot, other),
    );
    expect([status, body['result']]).toEqual([400, 'error']);
    expect(await roleOf(other.id)).toBe(ROLE.member);
  });

  it('for a permission that only owners grant', async () => {
    const was = await examplePerson(server.ctx, { role: ROLE.owner });
    const { body } = await lowerMeanwhile(was, ROLE.administrator, () =>
      as(was).patch('/realm', { waiting_period_threshold: 9 }),
    );
    expect(body).toMatchObject({ msg: 'Must be an organization owner' });
  });

  it('for the bot of somebody whose role is lowered', async () => {
    const admin = await examplePerson(server.ctx, { role: ROLE.administrator });
    const given = { role: ROLE.administrator, botType: 1, botOwnerId: admin.id } as const;
    const bot = await examplePerson(server.ctx, given);
    const other = await examplePerson(server.ctx);
    const { body } = await lowerMeanwhile(admin, ROLE.member, () =>
      as(bot).patch(`/users/${other.id}`, { role: ROLE.administrator }),
    );
    expect(body).toMatchObject({ msg: 'Insufficient permission' });
  });
});

describe('at the same moment', () => {
  const ROUNDS = 12;

  it('a demotion and requests of the demoted person: they are refused, or came before and lose their effect', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const admin = await examplePerson(server.ctx, { role: ROLE.administrator });
      const friend = await examplePerson(server.ctx);
      const bot = await castBot(server.ctx, admin);
      await Promise.all([
        as(owner).patch(`/users/${admin.id}`, { role: ROLE.member }),
        as(admin).patch(`/bots/${bot.id}`, { role: ROLE.administrator }),
        as(admin).patch(`/users/${admin.id}`, { role: ROLE.administrator }),
      ]);
      expect(await roleOf(admin.id)).toBe(ROLE.member);
      expect(await roleOf(bot.id)).toBe(ROLE.member);
      const later = await as(bot).patch(`/users/${friend.id}`, { role: ROLE.moderator });
      expect(later.body).toMatchObject({ result: 'error' });
    }
  });

  it('a bot is handed over while its key is read: the previous owner never has the key that works', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const giver = await examplePerson(server.ctx);
      const taker = await examplePerson(server.ctx);
      const bot = await castBot(server.ctx, giver);
      const [moved, ...read] = await Promise.all([
        as(giver).patch(`/bots/${bot.id}`, { bot_owner_id: taker.id }),
        as(giver).get(`/bots/${bot.id}/api_key`),
        as(giver).post(`/bots/${bot.id}/api_key/regenerate`),
        as(giver).get(`/bots/${bot.id}/api_key`),
        as(giver).get('/bots'),
      ]);
      expect(moved.body).toMatchObject({ result: 'success' });
      const { api_key: works } = await succeeds(as(taker).get(`/bots/${bot.id}/api_key`));
      for (const { text } of read) expect(text).not.toContain(String(works));
    }
  });

  it('two owners demote each other: one of them remains', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b] = [
        await examplePerson(server.ctx, { role: ROLE.owner }),
        await examplePerson(server.ctx, { role: ROLE.owner }),
      ];
      await Promise.all([
        as(a).patch(`/users/${b.id}`, { role: ROLE.member }),
        as(b).patch(`/users/${a.id}`, { role: ROLE.member }),
      ]);
      // The second of the two requests came from a person who was no owner any more.
      const roles = new Set([await roleOf(a.id), await roleOf(b.id)]);
      expect(roles).toEqual(new Set([ROLE.owner, ROLE.member]));
    }
  });

  it('a demotion and a change that only owners may make: it is refused, or came before', async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const was = await examplePerson(server.ctx, { role: ROLE.owner });
      const [demoted, changed] = await Promise.all([
        as(owner).patch(`/users/${was.id}`, { role: ROLE.member }),
        as(was).patch('/realm', { waiting_period_threshold: round + 1 }),
      ]);
      expect(demoted.body).toMatchObject({ result: 'success' });
      if (changed.body['result'] !== 'success') {
        expect(changed.body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
      }
    }
    await succeeds(as(owner).patch('/realm', { waiting_period_threshold: 0 }));
  });

  it("two demotions and a change of a bot's owner all finish, without a deadlock", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [a, b] = [
        await examplePerson(server.ctx, { role: ROLE.administrator }),
        await examplePerson(server.ctx, { role: ROLE.administrator }),
      ];
      const bot = await examplePerson(server.ctx, {
        role: ROLE.administrator,
        botType: 1,
        botOwnerId: a.id,
      });
      const answers = await Promise.all([
        as(owner).patch(`/users/${a.id}`, { role: ROLE.member }),
        as(owner).patch(`/users/${b.id}`, { role: ROLE.guest }),
        as(owner).patch(`/bots/${bot.id}`, { bot_owner_id: b.id }),
      ]);
      for (const { body } of answers) expect(body).toMatchObject({ result: 'success' });
      expect(await roleOf(bot.id)).toBe(ROLE.guest);
    }
  });
});
