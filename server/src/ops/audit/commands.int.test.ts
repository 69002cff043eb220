// Commands about people and keys: each leaves its audit entry once, with who acted and from which command line.
import { execFile } from 'node:child_process';
import { hostname, userInfo } from 'node:os';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../testing/context.ts';
import type { Person } from '../../testing/example.ts';
import { EXAMPLE_SECRET, exampleOperator } from '../../testing/operators.ts';
import { RIALTO_BINARY } from '../../testing/rialto-process.ts';

let test: TestContext;
let owner: Person;
beforeAll(async () => {
  test = await createTestContext();
  owner = await exampleOperator(test.ctx);
});
afterAll(() => test.close());

const run = promisify(execFile);

/** Runs a command as the owner, and returns the entries that it left. */
async function entriesOf(...args: string[]) {
  const env = {
    PATH: process.env['PATH'] ?? '',
    RIALTO_OPERATOR_SECRET: EXAMPLE_SECRET,
    ...testEnvironment(test.config.DATABASE_URL),
  };
  const { seq } = await test.ctx.db
    .selectFrom('auditLog')
    .select((e) => e.fn.max('seq').as('seq'))
    .executeTakeFirstOrThrow();
  await run(process.execPath, [RIALTO_BINARY, 'admin', ...args, '--by', owner.email], {
    env,
    cwd: '/',
  });
  const rows = await test.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'act', 'subject', 'outcome', 'details'])
    .where('seq', '>', seq)
    .orderBy('seq')
    .execute();
  return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as unknown }));
}

it('the log has who acted, from which terminal, before and after, and no secret', async () => {
  const email = 'mia@example.com';
  const via = `command line of ${userInfo().username}@${hostname()}, by the operator's secret`;
  const entry = (act: string, details: Record<string, unknown>) => ({
    operator: owner.email,
    act,
    subject: email,
    outcome: 'done',
    details: expect.objectContaining({ by: owner.id, via, ...details }),
  });
  const who = ['--email', email];
  expect(await entriesOf('create-user', ...who, '--name', 'Mia')).toEqual([
    entry('user create', { after: { email, fullName: 'Mia', role: ROLE.member } }),
  ]);
  const made = await entriesOf('create-trading-key', ...who, '--permissions', 'read');
  expect(made).toEqual([
    entry('trading_key create', { after: expect.objectContaining({ permissions: ['read'] }) }),
  ]);
  expect(JSON.stringify(made)).not.toContain('svc_secret_');
  const reset = await entriesOf('reset-password', email);
  expect(reset).toEqual([entry('password reset_link', { hours: 1 })]);
  expect(JSON.stringify(reset)).not.toMatch(/[a-z2-7]{52}/);
  expect(await entriesOf('set-role', ...who, '--role', 'administrator')).toEqual([
    entry('user set_role', {
      before: { role: ROLE.member },
      after: { role: ROLE.administrator },
    }),
  ]);
  expect(await entriesOf('deactivate-user', ...who)).toEqual([
    entry('user deactivate', { before: { isActive: true }, after: { isActive: false } }),
  ]);
  expect(await entriesOf('reactivate-user', ...who)).toEqual([
    entry('user reactivate', { before: { isActive: false }, after: { isActive: true } }),
  ]);
}, 240_000);
