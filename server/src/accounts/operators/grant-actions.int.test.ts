import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Refusal } from '../../platform/http/refusal.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import {
  addExampleFactor,
  exampleGranted,
  exampleOperator,
  grantTo,
} from '../../testing/operators.ts';
import { verifyAuditLog } from '../audit/access.ts';
import { ROLE } from '../roles.ts';
import { deactivateUser, reactivateUser } from '../users/standing.ts';
import { accessGranted } from './access.ts';
import {
  approveGrant,
  askGrant,
  giveGrantAtHost,
  listGrantRequests,
  parseRequestId,
  rejectGrant,
  revokeGrant,
} from './grant-actions.ts';
import type { Grant } from './grants.ts';
import type { Operator } from './operator.ts';

const HOST = { email: 'host: root@venue-1', via: 'test' };

let test: TestContext;
let ava: Person & Operator;
let ben: Person & Operator;
let cleo: Person & Operator;

beforeAll(async () => {
  test = await createTestContext();
  const { ctx } = test;
  ava = await exampleGranted(ctx, 'everything');
  ben = await exampleGranted(ctx, 'everything');
  cleo = await exampleGranted(ctx, 'everything');
});
afterAll(() => test.close());

async function refusalOf(work: Promise<unknown>): Promise<Refusal> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}
const codeOf = async (work: Promise<unknown>) => (await refusalOf(work)).code;

const grantsOf = async ({ id }: { id: number }): Promise<string[]> =>
  (
    await test.ctx.db
      .selectFrom('operatorGrants')
      .select('name')
      .where('userId', '=', id)
      .orderBy('name')
      .execute()
  ).map(({ name }) => name);

async function ask(by: Operator, { email }: Person, grant: Grant = 'treasury') {
  const { requestId, digest } = await askGrant(test.ctx, by, { email, grant, reason: 'New desk.' });
  return { id: parseRequestId(requestId) ?? 0n, digest };
}

async function lastNotes(count: number): Promise<string[]> {
  const rows = await test.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'act', 'outcome'])
    .where('act', 'like', 'operator %')
    .orderBy('seq', 'desc')
    .limit(count)
    .execute();
  return rows.reverse().map(({ operator, act, outcome }) => `${operator}: ${act} ${outcome}`);
}

describe('[I23] a grant', () => {
  it('is given by two people with everything, and both are in the audit log', async () => {
    const { ctx } = test;
    const dan = await examplePerson(ctx);
    const { id, digest } = await ask(ava, dan);
    expect(await grantsOf(dan)).toEqual([]);
    expect(await listGrantRequests(ctx)).toContainEqual(
      expect.objectContaining({
        requestId: `grant-${id}`,
        subject: dan.email,
        requestedBy: ava.email,
        reason: 'New desk.',
        digest,
      }),
    );
    expect(await approveGrant(ctx, ben, { id, digest })).toMatchObject({ status: 'approved' });
    expect(await grantsOf(dan)).toEqual(['treasury']);
    expect(await lastNotes(3)).toEqual([
      `${ava.email}: operator request awaiting_approval`,
      `${ben.email}: operator decide approved`,
      `${ben.email}: operator grant done`,
    ]);
    expect(await codeOf(approveGrant(ctx, cleo, { id, digest }))).toBe('NOT_AWAITING');
    expect((await verifyAuditLog(ctx.db)).trouble).toBeUndefined();
  });

  it('is not approved by the person who asked, however often, nor by who gets it', async () => {
    const { ctx } = test;
    const eve = await exampleGranted(ctx, 'everything');
    const { id, digest } = await ask(ava, eve, 'support');
    const twice = await Promise.all(
      Array.from({ length: 5 }, () => codeOf(approveGrant(ctx, ava, { id, digest }))),
    );
    expect(new Set(twice)).toEqual(new Set(['SAME_PERSON']));
    expect(await codeOf(approveGrant(ctx, eve, { id, digest }))).toBe('SAME_PERSON');
    expect(await codeOf(ask(eve, eve, 'treasury'))).toBe('SAME_PERSON');
    expect(await grantsOf(eve)).toEqual(['everything']);
    expect(await lastNotes(1)).toEqual([`${eve.email}: operator request denied`]);
    await rejectGrant(ctx, ben, { id, digest });
    expect(await codeOf(approveGrant(ctx, cleo, { id, digest }))).toBe('NOT_AWAITING');
    expect(await grantsOf(eve)).toEqual(['everything']);
    await revokeGrant(ctx, ava, { email: eve.email, grant: 'everything', reason: 'Test over.' });
  });

  it('is not approved under another digest, nor after what it says has changed', async () => {
    const { ctx } = test;
    const fay = await examplePerson(ctx);
    const first = await ask(ava, fay, 'look');
    const other = await ask(ava, fay, 'everything');
    for (const digest of ['', other.digest, first.digest.toUpperCase(), '0'.repeat(64)]) {
      expect(await codeOf(approveGrant(ctx, ben, { id: first.id, digest }))).toBe('DIGEST_CHANGED');
    }
    // The address is part of what was shown.
    await ctx.db
      .updateTable('users')
      .set({ email: 'fay.new@example.com' })
      .where('id', '=', fay.id)
      .execute();
    expect(await codeOf(approveGrant(ctx, ben, first))).toBe('DIGEST_CHANGED');
    // What was asked for cannot be changed at all.
    await expect(
      ctx.database.pool.query(`UPDATE operator_requests SET name = 'everything' WHERE id = $1`, [
        first.id,
      ]),
    ).rejects.toThrow('stays as it is');
    expect(await grantsOf(fay)).toEqual([]);
  });

  it('of many approvals at once is given once', async () => {
    const { ctx } = test;
    const gus = await examplePerson(ctx);
    const { id, digest } = await ask(ava, gus);
    const answers = await Promise.all(
      [ben, cleo, ben, cleo, ava].map((by) =>
        approveGrant(ctx, by, { id, digest }).then(
          () => 'approved',
          (error: Refusal) => error.code,
        ),
      ),
    );
    expect(answers.filter((one) => one === 'approved')).toHaveLength(1);
    expect(await grantsOf(gus)).toEqual(['treasury']);
  });

  it('waits for a day, and for as long as who asked may ask', async () => {
    const { ctx } = test;
    const hal = await examplePerson(ctx);
    const late = await ask(ava, hal);
    await ctx.database.pool.query(
      `UPDATE operator_requests SET expires_at = clock_timestamp() WHERE id = $1`,
      [late.id],
    );
    expect(await codeOf(approveGrant(ctx, ben, late))).toBe('NOT_AWAITING');
    const ivy = await exampleGranted(ctx, 'everything');
    const orphan = await ask(ivy, hal);
    await revokeGrant(ctx, ava, { email: ivy.email, grant: 'everything', reason: 'Left.' });
    expect(await codeOf(approveGrant(ctx, ben, orphan))).toBe('NOT_AWAITING');
    expect(await grantsOf(hal)).toEqual([]);
  });

  it('is for people: no bot, nobody who is deactivated; and the table refuses what no two agreed on', async () => {
    const { ctx } = test;
    const bot = await examplePerson(ctx, { botType: 1, botOwnerId: ava.id });
    expect(await codeOf(ask(ava, bot))).toBe('NOT_A_PERSON');
    const jan = await exampleGranted(ctx, 'support');
    await ctx.inTransaction((tx) => deactivateUser(tx, { id: 0, role: ROLE.owner }, jan.id));
    expect(await grantsOf(jan)).toEqual([]);
    expect(await codeOf(ask(ava, jan))).toBe('NOT_A_PERSON');
    await ctx.inTransaction((tx) => reactivateUser(tx, { id: 0, role: ROLE.owner }, jan.id));
    expect(await codeOf(accessGranted(ctx.db, jan.id, 'test', 'look'))).toBe('PERMISSION_DENIED');
    const given = ctx.db
      .insertInto('operatorGrants')
      .values({ userId: jan.id, name: 'treasury', requestId: null });
    await expect(given.execute()).rejects.toThrow('two operators agreed on');
  });
});

describe('who may ask and decide', () => {
  it('only people with everything, with a second factor', async () => {
    const { ctx } = test;
    const subject = await examplePerson(ctx);
    for (const grant of ['look', 'support', 'markets', 'treasury'] as const) {
      const operator = await exampleGranted(ctx, grant);
      const refusal = await refusalOf(ask(operator, subject));
      expect([refusal.code, refusal.fields]).toEqual([
        'PERMISSION_DENIED',
        { grant: 'everything' },
      ]);
    }
    const bare = await examplePerson(ctx);
    await grantTo(ctx, bare, 'everything');
    const unproven: Operator = { ...bare, via: 'test', proof: 'session' };
    expect(await codeOf(ask(unproven, subject))).toBe('SECOND_FACTOR_REQUIRED');
    await addExampleFactor(ctx, bare);
    const { id, digest } = await ask(unproven, subject);
    await revokeGrant(ctx, ava, { email: bare.email, grant: 'everything', reason: 'Test over.' });
    expect(await codeOf(rejectGrant(ctx, unproven, { id, digest }))).toBe('PERMISSION_DENIED');
  });

  it('a role of the chat gives nothing', async () => {
    const { ctx } = test;
    const owner = await examplePerson(ctx, { role: ROLE.owner });
    await addExampleFactor(ctx, owner);
    expect(await codeOf(ask({ ...owner, via: 'test', proof: 'session' }, ava))).toBe(
      'PERMISSION_DENIED',
    );
    // The secret of earlier releases still acts for an owner.
    const enrolled = await exampleOperator(ctx);
    expect(await codeOf(ask(enrolled, enrolled))).toBe('SAME_PERSON');
  });
});

describe('taking away', () => {
  it('takes one operator, at once; two people keep everything', async () => {
    const own = await createTestContext();
    try {
      const { ctx } = own;
      const people = [
        await exampleGranted(ctx, 'everything', 'support'),
        await exampleGranted(ctx, 'everything'),
        await exampleGranted(ctx, 'everything'),
      ] as const;
      const [first, second, third] = people;
      const revoke = (by: Operator, { email }: Person) =>
        revokeGrant(ctx, by, { email, grant: 'everything', reason: 'Leaves.' });
      // Two at once: one of them comes second, and finds two left.
      const outcomes = await Promise.all(
        [revoke(first, second), revoke(second, first)].map((work) =>
          work.then(
            () => 'done',
            (error: Refusal) => error.code,
          ),
        ),
      );
      expect(outcomes.toSorted()).toEqual(
        expect.arrayContaining(['done', expect.stringMatching(/LAST_OPERATORS|PERMISSION_DENIED/)]),
      );
      const left = await ctx.db
        .selectFrom('operatorGrants')
        .select('userId')
        .where('name', '=', 'everything')
        .execute();
      expect(left).toHaveLength(2);
      const stays = people.find(({ id }) => left.some(({ userId }) => userId === id)) ?? first;
      expect(await codeOf(revoke(stays, third))).toBe('LAST_OPERATORS');
      expect(await codeOf(revoke(stays, stays))).toBe('LAST_OPERATORS');
    } finally {
      await own.close();
    }
  });
});

describe("the host's command line", () => {
  it('gives grants while fewer than two people have everything, and not after', async () => {
    const own = await createTestContext();
    try {
      const { ctx } = own;
      const people = [await examplePerson(ctx), await examplePerson(ctx), await examplePerson(ctx)];
      const give = (index: number, grant: Grant) =>
        giveGrantAtHost(ctx, HOST, { email: people[index]?.email ?? '', grant });
      await give(0, 'everything');
      expect(await codeOf(give(0, 'everything'))).toBe('NO_CHANGE');
      await give(2, 'look');
      await give(1, 'everything');
      expect(await codeOf(give(2, 'everything'))).toBe('SECOND_OPERATOR_NEEDED');
      // One is deactivated: the host is needed again.
      await ctx.inTransaction((tx) =>
        deactivateUser(tx, { id: 0, role: ROLE.owner }, people[1]?.id ?? 0),
      );
      await give(2, 'everything');
    } finally {
      await own.close();
    }
  });
});
