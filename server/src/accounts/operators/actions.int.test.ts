import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../platform/http/refusal.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { enrolAsOperators, EXAMPLE_SECRET } from '../../testing/operators.ts';
import { verifyAuditLog } from '../audit/access.ts';
import { hashPassword } from '../passwords/hash.ts';
import { ROLE } from '../roles.ts';
import { updateUserProfile } from '../users/actions.ts';
import { deactivateUser, reactivateUser } from '../users/standing.ts';
import { accessOperator, listCandidates } from './access.ts';
import {
  approveEnrolment,
  changeOperatorSecret,
  enrolOperator,
  proveOperator,
  revokeOperator,
} from './actions.ts';
import type { Operator } from './operator.ts';
import { MEASURED } from '../../testing/measured.ts';

const VIA = 'test';
const HOST = { email: 'host: root@venue-1', via: VIA };

let test: TestContext;
let ava: Person;
let ben: Person;
let cleo: Person;

beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test.close());
beforeEach(async () => {
  const { ctx } = test;
  await ctx.db.deleteFrom('operatorSecrets').execute();
  await ctx.db.deleteFrom('operatorEnrolments').execute();
  [ava, ben, cleo] = [
    await examplePerson(ctx, { role: ROLE.owner }),
    await examplePerson(ctx, { role: ROLE.administrator }),
    await examplePerson(ctx, { role: ROLE.administrator }),
  ];
});

const operatorOf = ({ email }: Person): Promise<Operator> =>
  accessOperator(test.ctx.db, email, VIA);

const prove = (email: string, secret: string) =>
  proveOperator(test.ctx, { email, secret, via: VIA });

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return (error as Refusal).code;
}

async function notesOn(subject: string): Promise<string[]> {
  const rows = await test.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'act', 'outcome'])
    .where('subject', '=', subject)
    .where('act', 'like', 'operator %')
    .orderBy('seq')
    .execute();
  return rows.map(({ operator, act, outcome }) => `${operator}: ${act} ${outcome}`);
}

describe('the proof', () => {
  it('is the secret of that very person; of no other, and no password', async () => {
    const { ctx } = test;
    const ofAva = await enrolOperator(ctx, HOST, ava.email);
    expect(ofAva).toMatchObject({ status: 'enrolled', approvals: 0 });
    const ofBen = await enrolOperator(ctx, HOST, ben.email);
    await approveEnrolment(ctx, await operatorOf(ava), ben.email, ofBen.fingerprint);

    expect(await prove(ava.email.toUpperCase(), ofAva.secret)).toEqual({
      id: ava.id,
      email: ava.email,
      role: ROLE.owner,
      via: VIA,
      proof: 'secret',
    });
    expect((await prove(ben.email, ofBen.secret)).id).toBe(ben.id);
    for (const [email, secret] of [
      [ben.email, ofAva.secret],
      [ava.email, ofBen.secret],
      [ava.email, ''],
      [ava.email, ofAva.secret.slice(1)],
      [ava.email, `${ofAva.secret} `],
      [ava.email, 'x'.repeat(100_000)],
      [cleo.email, ofAva.secret],
      ['nobody@example.com', ofAva.secret],
      ['nobody\0@example.com', ofAva.secret],
    ] as const) {
      expect(await codeOf(prove(email, secret))).toBe('OPERATOR_NOT_PROVEN');
    }
    expect(await notesOn(cleo.email)).toEqual([`${cleo.email}: operator prove denied`]);
    const stored = await ctx.db.selectFrom('operatorSecrets').selectAll().execute();
    for (const { secret } of [ofAva, ofBen]) expect(JSON.stringify(stored)).not.toContain(secret);
  });

  it('is tried five times in a row, however many come at once, and others are not delayed', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben);
    const codes = await Promise.all(
      Array.from({ length: 12 }, (_, guess) => codeOf(prove(ava.email, `guess ${guess}`))),
    );
    expect(codes.filter((code) => code === 'OPERATOR_NOT_PROVEN')).toHaveLength(5);
    expect(codes.filter((code) => code === 'OPERATOR_LOCKED_OUT')).toHaveLength(7);
    // Even the right one is not checked now.
    expect(await codeOf(prove(ava.email, EXAMPLE_SECRET))).toBe('OPERATOR_LOCKED_OUT');
    expect((await prove(ben.email, EXAMPLE_SECRET)).id).toBe(ben.id);
    expect((await notesOn(ava.email)).every((line) => line.endsWith('prove denied'))).toBe(true);

    await ctx.database.pool.query(
      `UPDATE operator_secrets SET failed_at = now() - interval '15 minutes' WHERE user_id = $1`,
      [ava.id],
    );
    expect(await codeOf(prove(ava.email, 'one more'))).toBe('OPERATOR_NOT_PROVEN');
    expect((await prove(ava.email, EXAMPLE_SECRET)).id).toBe(ava.id);
    // A success resets the failures before it.
    for (let guess = 0; guess < 4; guess += 1) await codeOf(prove(ava.email, 'wrong'));
    expect((await prove(ava.email, EXAMPLE_SECRET)).id).toBe(ava.id);
  });

  it('many right ones at once are all right', async () => {
    await enrolAsOperators(test.ctx, ava);
    const proofs = Array.from({ length: 12 }, () => prove(ava.email, EXAMPLE_SECRET));
    for (const { id } of await Promise.all(proofs)) expect(id).toBe(ava.id);
  });

  it('takes as long for an unknown person as for a wrong secret', MEASURED, async () => {
    const { ctx } = test;
    const secretHash = await hashPassword('not cheap');
    await ctx.db.insertInto('operatorSecrets').values({ userId: ava.id, secretHash }).execute();
    const timeOf = async (email: string) => {
      const times: number[] = [];
      for (let round = 0; round < 4; round += 1) {
        const startedMs = performance.now();
        await codeOf(prove(email, 'a guess'));
        times.push(performance.now() - startedMs);
      }
      return Math.min(...times);
    };
    const known = await timeOf(ava.email);
    const unknown = await timeOf('nobody@example.com');
    expect(unknown).toBeGreaterThan(known * 0.5);
    expect(unknown).toBeLessThan(known * 2);
  });

  it('is worthless from the moment the role is lowered or the person is deactivated', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben, cleo);
    await ctx.inTransaction((tx) => updateUserProfile(tx, ava, ben.id, { role: ROLE.moderator }));
    await ctx.inTransaction((tx) => deactivateUser(tx, ava, cleo.id));
    for (const { email } of [ben, cleo]) {
      expect(await codeOf(prove(email, EXAMPLE_SECRET))).toBe('OPERATOR_NOT_PROVEN');
      expect(await codeOf(accessOperator(ctx.db, email, VIA))).toBe('NOT_AN_OPERATOR');
    }
    // The role alone does not restore it.
    await ctx.inTransaction((tx) =>
      updateUserProfile(tx, ava, ben.id, { role: ROLE.administrator }),
    );
    await ctx.inTransaction((tx) => reactivateUser(tx, ava, cleo.id));
    for (const { email } of [ben, cleo]) {
      expect(await codeOf(prove(email, EXAMPLE_SECRET))).toBe('OPERATOR_NOT_PROVEN');
    }
  });
});

describe('enrolling', () => {
  it('takes two other operators once there are two, who approve the fingerprint that the person read out', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben);
    const { secret, fingerprint, status, approvals } = await enrolOperator(ctx, HOST, cleo.email);
    expect({ status, approvals }).toEqual({ status: 'awaiting_approval', approvals: 2 });
    expect(fingerprint).toMatch(/^[bcdfghjkmnpqrstvwxz]{8}$/);
    expect(await codeOf(prove(cleo.email, secret))).toBe('OPERATOR_NOT_PROVEN');
    const [a, b] = [await operatorOf(ava), await operatorOf(ben)];
    const other = fingerprint === 'bbbbbbbb' ? 'cccccccc' : 'bbbbbbbb';
    expect(await codeOf(approveEnrolment(ctx, a, cleo.email, other))).toBe('FINGERPRINT_DIFFERS');
    expect(await approveEnrolment(ctx, a, cleo.email, fingerprint)).toBe('awaiting_approval');
    const twice = approveEnrolment(ctx, a, cleo.email, fingerprint);
    expect(await codeOf(twice)).toBe('SECOND_OPERATOR_NEEDED');
    expect(await codeOf(prove(cleo.email, secret))).toBe('OPERATOR_NOT_PROVEN');
    expect(await approveEnrolment(ctx, b, cleo.email, fingerprint)).toBe('enrolled');
    expect((await prove(cleo.email, secret)).id).toBe(cleo.id);
    const again = approveEnrolment(ctx, b, cleo.email, fingerprint);
    expect(await codeOf(again)).toBe('NOT_AWAITING_APPROVAL');
    expect(await notesOn(cleo.email)).toEqual([
      `${HOST.email}: operator enrol awaiting_approval`,
      `${cleo.email}: operator prove denied`,
      `${ava.email}: operator approve denied`,
      `${ava.email}: operator approve approved`,
      `${ava.email}: operator approve denied`,
      `${cleo.email}: operator prove denied`,
      `${ben.email}: operator approve done`,
      `${ben.email}: operator approve denied`,
    ]);
  });

  it('a second request voids earlier approvals, so nobody can substitute a secret', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben);
    const honest = await enrolOperator(ctx, HOST, cleo.email);
    await approveEnrolment(ctx, await operatorOf(ava), cleo.email, honest.fingerprint);
    const forged = await enrolOperator(ctx, HOST, cleo.email);
    const late = approveEnrolment(ctx, await operatorOf(ben), cleo.email, honest.fingerprint);
    expect(await codeOf(late)).toBe('FINGERPRINT_DIFFERS');
    for (const { secret } of [honest, forged]) {
      expect(await codeOf(prove(cleo.email, secret))).toBe('OPERATOR_NOT_PROVEN');
    }
  });

  it('cannot be approved by its own person, and expires after a day', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben, cleo);
    const { fingerprint } = await enrolOperator(ctx, HOST, cleo.email);
    const own = approveEnrolment(ctx, await operatorOf(cleo), cleo.email, fingerprint);
    expect(await codeOf(own)).toBe('SECOND_OPERATOR_NEEDED');
    await ctx.database.pool.query(
      `UPDATE operator_enrolments SET asked_at = now() - interval '24 hours'`,
    );
    const late = approveEnrolment(ctx, await operatorOf(ava), cleo.email, fingerprint);
    expect(await codeOf(late)).toBe('NOT_AWAITING_APPROVAL');
  });

  it('needs the approval of the only existing operator', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava);
    const { secret, fingerprint, approvals } = await enrolOperator(ctx, HOST, ben.email);
    expect(approvals).toBe(1);
    expect(await codeOf(prove(ben.email, secret))).toBe('OPERATOR_NOT_PROVEN');
    expect(await approveEnrolment(ctx, await operatorOf(ava), ben.email, fingerprint)).toBe(
      'enrolled',
    );
    expect((await prove(ben.email, secret)).id).toBe(ben.id);
  });

  it('does not let one of two operators become the other', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben);
    expect(await codeOf(enrolOperator(ctx, HOST, ben.email))).toBe('SECOND_OPERATOR_NEEDED');
    expect((await prove(ben.email, EXAMPLE_SECRET)).id).toBe(ben.id);
  });

  it('of an only operator who lost the secret is decided by the host', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava);
    const { secret, status } = await enrolOperator(ctx, HOST, ava.email);
    expect(status).toBe('enrolled');
    expect(await codeOf(prove(ava.email, EXAMPLE_SECRET))).toBe('OPERATOR_NOT_PROVEN');
    expect((await prove(ava.email, secret)).id).toBe(ava.id);
  });

  it('is for active people of a role that may act', async () => {
    const { ctx } = test;
    const member = await examplePerson(ctx);
    const bot = await examplePerson(ctx, { role: ROLE.owner, botType: 1, botOwnerId: ava.id });
    for (const { email } of [member, bot]) {
      expect(await codeOf(enrolOperator(ctx, HOST, email))).toBe('NOT_AN_OPERATOR');
    }
    expect(await codeOf(enrolOperator(ctx, HOST, 'nobody@example.com'))).toBe('OPERATOR_UNKNOWN');
  });

  it('of several concurrent requests and approvals creates exactly those with enough approvals', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben);
    const { fingerprint } = await enrolOperator(ctx, HOST, cleo.email);
    const [a, b] = [await operatorOf(ava), await operatorOf(ben)];
    const all = await Promise.allSettled(
      [a, a, a, b, b, b].map((by) => approveEnrolment(ctx, by, cleo.email, fingerprint)),
    );
    const done = all.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(done.toSorted()).toEqual(['awaiting_approval', 'enrolled']);
    expect((await listCandidates(ctx.db)).find(({ id }) => id === cleo.id)?.secret).toBe(
      'enrolled',
    );
  });
});

describe('an operator', () => {
  it('replaces one’s own secret, and the old one is worthless', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava);
    const secret = await changeOperatorSecret(ctx, await prove(ava.email, EXAMPLE_SECRET));
    expect(await codeOf(prove(ava.email, EXAMPLE_SECRET))).toBe('OPERATOR_NOT_PROVEN');
    expect((await prove(ava.email, secret)).id).toBe(ava.id);
  });

  it('is revoked by another at once; two always stay', async () => {
    const { ctx } = test;
    await enrolAsOperators(ctx, ava, ben, cleo);
    const a = await operatorOf(ava);
    const b = await operatorOf(ben);
    await revokeOperator(ctx, a, ben.email);
    expect(await codeOf(prove(ben.email, EXAMPLE_SECRET))).toBe('OPERATOR_NOT_PROVEN');
    // A person who was authenticated a moment ago is no longer an operator.
    expect(await codeOf(revokeOperator(ctx, b, ava.email))).toBe('NOT_AN_OPERATOR');
    expect(await codeOf(changeOperatorSecret(ctx, b))).toBe('NOT_AN_OPERATOR');
    expect(await codeOf(revokeOperator(ctx, a, ben.email))).toBe('NOT_ENROLLED');
    for (const { email } of [ava, cleo]) {
      expect(await codeOf(revokeOperator(ctx, a, email))).toBe('LAST_OPERATORS');
    }
    // A pending request can always be removed.
    await enrolOperator(ctx, HOST, ben.email);
    await revokeOperator(ctx, a, ben.email);
    expect((await listCandidates(ctx.db)).find(({ id }) => id === ben.id)?.secret).toBe('none');
    expect((await verifyAuditLog(ctx.db)).trouble).toBeUndefined();
  });
});
