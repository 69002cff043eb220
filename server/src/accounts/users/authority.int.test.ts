// A migration lowers bots whose rows give them more rights than their owner, from before that was
// checked.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { examplePerson } from '../../testing/example.ts';
import { ROLE, type RoleCode } from '../roles.ts';
import { groupsOfRole } from './role-groups.ts';

const MIGRATION = new URL('../../../migrations/0042_authority.sql', import.meta.url);

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test.close());

it('the migration lowers each bot to its owner, with its groups, and touches no one else', async () => {
  const { ctx } = test;
  const roles = [ROLE.owner, ROLE.administrator, ROLE.moderator, ROLE.member, ROLE.guest] as const;
  const expected = new Map<number, RoleCode>();
  for (const ownerRole of roles) {
    const owner = await examplePerson(ctx, { role: ownerRole });
    expected.set(owner.id, ownerRole);
    for (const role of roles) {
      const bot = await examplePerson(ctx, { role, botType: 1, botOwnerId: owner.id });
      // As an older release stored it.
      await ctx.db.updateTable('users').set({ role }).where('id', '=', bot.id).execute();
      await ctx.db.deleteFrom('userGroupMembers').where('userId', '=', bot.id).execute();
      const memberships = groupsOfRole(role).map((groupId) => ({ groupId, userId: bot.id }));
      await ctx.db.insertInto('userGroupMembers').values(memberships).execute();
      expected.set(bot.id, role > ownerRole ? role : ownerRole);
    }
  }
  const [rows = ''] = readFileSync(MIGRATION, 'utf8').split('-- What a person');
  const client = await ctx.database.pool.connect();
  try {
    await client.query(`BEGIN; ${rows}; COMMIT`);
  } finally {
    client.release();
  }
  for (const [id, role] of expected) {
    const row = await ctx.db
      .selectFrom('users')
      .select('role')
      .where('id', '=', id)
      .executeTakeFirst();
    expect([id, row?.role]).toEqual([id, role]);
    const groups = await ctx.db
      .selectFrom('userGroupMembers')
      .select('groupId')
      .where('userId', '=', id)
      .orderBy('groupId')
      .execute();
    expect([id, groups.map(({ groupId }) => groupId)]).toEqual([id, groupsOfRole(role)]);
  }
});
