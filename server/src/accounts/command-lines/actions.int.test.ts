import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Refusal } from '../../platform/http/refusal.ts';
import { HOUR_MS, MINUTE_MS } from '../../platform/std/time.ts';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { exampleGranted } from '../../testing/operators.ts';
import { findSession, type Session } from '../sessions/access.ts';
import { endSessionsIn } from '../sessions/actions.ts';
import { deactivateUser } from '../users/standing.ts';
import { ROLE } from '../roles.ts';
import {
  accessLogin,
  askLogin,
  confirmLogin,
  denyLogin,
  endLogin,
  findLogin,
  forgetLogins,
  readLogin,
} from './actions.ts';

const PLACE = { host: 'venue-1', login: 'root' };

let test: TestContext;
let nowMs = Date.now();
let ava: Person;
beforeAll(async () => {
  test = await createTestContext({}, { clock: { now: () => nowMs } });
});
afterAll(() => test.close());
beforeEach(async () => {
  nowMs = Date.now();
  ava = await exampleGranted(test.ctx, 'support');
});

const sessionOf = (user: Person): Session => ({
  id: 1n,
  user,
  kind: 'browser',
  methods: ['password', 'totp'],
  factorAt: new Date(),
  csrfToken: '',
});

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Refusal);
  return (error as Refusal).code;
}

const access = (token: string) => accessLogin(test.ctx, token, 'test', 'support');

async function signedIn(): Promise<string> {
  const { token, code } = await askLogin(test.ctx, PLACE);
  await confirmLogin(test.ctx, sessionOf(ava), code);
  return token;
}

describe('[I24] a command line', () => {
  it('acts for the operator who typed its code, and is listed among their sessions', async () => {
    const { ctx } = test;
    const { id, token, code } = await askLogin(ctx, PLACE);
    expect(code).toMatch(/^[bcdfghjkmnpqrstvwxz]{8}$/);
    expect(await readLogin(ctx, id)).toBe('asked');
    expect(await codeOf(access(token))).toBe('CLI_NOT_SIGNED_IN');
    const shown = await findLogin(ctx, sessionOf(ava), ` ${code.toUpperCase()} `);
    expect(shown).toMatchObject(PLACE);
    expect(await readLogin(ctx, id)).toBe('asked');
    await confirmLogin(ctx, sessionOf(ava), code);
    expect(await readLogin(ctx, id)).toBe('confirmed');
    expect(await access(token)).toMatchObject({ id: ava.id, email: ava.email, proof: 'session' });
    const rows = await ctx.db
      .selectFrom('sessions')
      .select(['kind', 'agent', 'methods'])
      .where('userId', '=', ava.id)
      .execute();
    expect(rows).toEqual([
      { kind: 'cli', agent: 'rialto at root@venue-1', methods: ['password', 'totp'] },
    ]);
    const stored = JSON.stringify(
      [
        await ctx.db.selectFrom('cliGrants').selectAll().execute(),
        await ctx.db.selectFrom('sessions').selectAll().execute(),
      ],
      (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value),
    );
    expect(stored).not.toContain(token);
    expect(stored).not.toContain(code);
  });

  it('is no browser: its token opens no page', async () => {
    const token = await signedIn();
    expect(await findSession(test.ctx, `sessionid=${token}`)).toEqual({ kind: 'none' });
  });

  it('has a code that is good once, also for many at once', async () => {
    const { ctx } = test;
    const ben = await exampleGranted(ctx, 'look');
    const { code } = await askLogin(ctx, PLACE);
    const answers = await Promise.all(
      [ava, ben, ava, ben].map((person) =>
        confirmLogin(ctx, sessionOf(person), code).then(
          () => 'confirmed',
          (error: Refusal) => error.code,
        ),
      ),
    );
    expect(answers.toSorted()).toEqual([
      'CLI_CODE_UNKNOWN',
      'CLI_CODE_UNKNOWN',
      'CLI_CODE_UNKNOWN',
      'confirmed',
    ]);
  });

  it('cannot be found by guessing: five wrong codes an hour, however many come at once', async () => {
    const { ctx } = test;
    const { code } = await askLogin(ctx, PLACE);
    const guess = (typed: string) => codeOf(findLogin(ctx, sessionOf(ava), typed));
    const codes = await Promise.all(
      Array.from({ length: 8 }, (_, index) => guess(index % 2 === 0 ? 'bbbbbbbb' : 'no code')),
    );
    expect(codes.filter((one) => one === 'CLI_CODE_UNKNOWN')).toHaveLength(5);
    expect(codes.filter((one) => one === 'CLI_CODES_EXHAUSTED')).toHaveLength(3);
    // Now the right one is not looked at either; others can still type theirs.
    expect(await codeOf(confirmLogin(ctx, sessionOf(ava), code))).toBe('CLI_CODES_EXHAUSTED');
    expect(await codeOf(denyLogin(ctx, sessionOf(ava), code))).toBe('CLI_CODES_EXHAUSTED');
    const ben = await exampleGranted(ctx, 'look');
    expect(await findLogin(ctx, sessionOf(ben), code)).toMatchObject(PLACE);
    // The server's role may not change them; their owner may.
    await test.owner.query(
      `UPDATE cli_wrong_codes SET at = at - interval '1 hour' WHERE user_id = $1`,
      [ava.id],
    );
    await confirmLogin(ctx, sessionOf(ava), code);
  });

  it('that comes late, was denied or was never confirmed is not let in', async () => {
    const { ctx } = test;
    const late = await askLogin(ctx, PLACE);
    await ctx.database.pool.query(
      `UPDATE cli_grants SET expires_at = clock_timestamp() WHERE id = $1`,
      [late.id],
    );
    expect(await readLogin(ctx, late.id)).toBe('expired');
    expect(await codeOf(confirmLogin(ctx, sessionOf(ava), late.code))).toBe('CLI_CODE_UNKNOWN');
    const denied = await askLogin(ctx, PLACE);
    await denyLogin(ctx, sessionOf(ava), denied.code);
    expect(await readLogin(ctx, denied.id)).toBe('denied');
    expect(await codeOf(confirmLogin(ctx, sessionOf(ava), denied.code))).toBe('CLI_CODE_UNKNOWN');
    for (const { token } of [late, denied])
      expect(await codeOf(access(token))).toBe('CLI_NOT_SIGNED_IN');
    await forgetLogins(ctx);
    const { status } = await ctx.db
      .selectFrom('cliGrants')
      .select('status')
      .where('id', '=', late.id)
      .executeTakeFirstOrThrow();
    expect(status).toBe('expired');
  });

  it('is let in only by somebody with a grant and a factor, and never has more rights than they', async () => {
    const { ctx } = test;
    const { code } = await askLogin(ctx, PLACE);
    const owner = await examplePerson(ctx, { role: ROLE.owner });
    expect(await codeOf(findLogin(ctx, sessionOf(owner), code))).toBe('PERMISSION_DENIED');
    expect(await codeOf(confirmLogin(ctx, sessionOf(owner), code))).toBe('PERMISSION_DENIED');
    const token = await signedIn();
    expect(await codeOf(accessLogin(ctx, token, 'test', 'treasury'))).toBe('PERMISSION_DENIED');
    await ctx.db.deleteFrom('operatorGrants').where('userId', '=', ava.id).execute();
    expect(await codeOf(access(token))).toBe('PERMISSION_DENIED');
  });

  it('ends after 15 minutes without use, after an hour, and with a sign-out', async () => {
    const { ctx } = test;
    const idle = await signedIn();
    nowMs += 15 * MINUTE_MS - 1000;
    await access(idle);
    nowMs += 15 * MINUTE_MS;
    expect(await codeOf(access(idle))).toBe('CLI_NOT_SIGNED_IN');
    nowMs = Date.now();
    const busy = await signedIn();
    const beganMs = nowMs;
    for (let at = 10; at < 60; at += 10) {
      nowMs = beganMs + at * MINUTE_MS;
      await access(busy);
    }
    nowMs = beganMs + HOUR_MS;
    expect(await codeOf(access(busy))).toBe('CLI_NOT_SIGNED_IN');
    nowMs = Date.now();
    const left = await signedIn();
    expect(await endLogin(ctx, left)).toBe(true);
    expect(await endLogin(ctx, left)).toBe(false);
    expect(await codeOf(access(left))).toBe('CLI_NOT_SIGNED_IN');
  });

  it('[I2] ends with its operator’s other sessions, and with their account', async () => {
    const { ctx } = test;
    const first = await signedIn();
    await ctx.inTransaction((tx) => endSessionsIn(tx, ava, 'test'));
    expect(await codeOf(access(first))).toBe('CLI_NOT_SIGNED_IN');
    const second = await signedIn();
    await ctx.inTransaction((tx) => deactivateUser(tx, { id: 0, role: ROLE.owner }, ava.id));
    expect(await codeOf(access(second))).toBe('CLI_NOT_SIGNED_IN');
  });

  it('leaves its asking, confirming and ending in the audit log', async () => {
    const { ctx } = test;
    await endLogin(ctx, await signedIn());
    const rows = await ctx.db
      .selectFrom('auditLog')
      .select(['operator', 'act', 'outcome'])
      .where('act', 'like', 'cli %')
      .orderBy('seq', 'desc')
      .limit(3)
      .execute();
    expect(
      rows.reverse().map(({ operator, act, outcome }) => `${operator}: ${act} ${outcome}`),
    ).toEqual([
      'host: root@venue-1: cli ask requested',
      `${ava.email}: cli confirm done`,
      `${ava.email}: cli end done`,
    ]);
  });
});
