// The command line signs in by a browser: real processes, with the browser's part done by the actions behind its page.
import { execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { confirmLogin, denyLogin } from '../../accounts/command-lines/actions.ts';
import type { Session } from '../../accounts/sessions/access.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../testing/context.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { EXAMPLE_SECRET, exampleGranted, exampleOperator } from '../../testing/operators.ts';
import { RIALTO_BINARY } from '../../testing/rialto-process.ts';

const PATIENCE_MS = 400_000;

let test: TestContext;
let ava: Person;
let folder: string;
beforeAll(async () => {
  test = await createTestContext();
  ava = await exampleGranted(test.ctx, 'support');
  folder = mkdtempSync(join(tmpdir(), 'rialto-login-'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await test.close();
});

const file = () => join(folder, 'operator-session');

const environment = (more: Record<string, string> = {}) => ({
  PATH: process.env['PATH'] ?? '',
  ...testEnvironment(test.config.DATABASE_URL),
  RIALTO_OPERATOR_SESSION_FILE: file(),
  ...more,
});

interface Ran {
  readonly ok: boolean;
  readonly said: string;
}

const run = (args: readonly string[], more: Record<string, string> = {}): Promise<Ran> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      [RIALTO_BINARY, ...args],
      { env: environment(more), cwd: '/' },
      (error, out, err) => resolve({ ok: error === null, said: out + err }),
    );
  });

const sessionOf = (user: Person): Session => ({
  id: 1n,
  user,
  kind: 'browser',
  methods: ['password', 'totp'],
  factorAt: new Date(),
  csrfToken: '',
});

/** Runs `operator login`, and lets `answer` do what the operator does with the code. */
async function logIn(answer: (code: string) => Promise<unknown>): Promise<Ran> {
  const child = spawn(process.execPath, [RIALTO_BINARY, 'operator', 'login'], {
    env: environment(),
    cwd: '/',
  });
  let said = '';
  const ended = new Promise<boolean>((resolve) =>
    child.once('exit', (code) => resolve(code === 0)),
  );
  const shown = new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      const code = /^ {4}([a-z]{4}-[a-z]{4})$/m.exec(said)?.[1];
      if (code !== undefined) resolve(code);
    });
    child.once('exit', () => reject(new Error(`It ended without a code: ${said}`)));
  });
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await answer(await shown);
  return { ok: await ended, said };
}

it(
  '[I24] signs in by a code in a browser, acts without a secret, and signs out',
  async () => {
    const { ctx } = test;
    const denied = await logIn((code) => denyLogin(ctx, sessionOf(ava), code));
    expect(denied).toMatchObject({ ok: false });
    expect(denied.said).toContain('denied');
    expect(existsSync(file())).toBe(false);

    const letIn = await logIn((code) => confirmLogin(ctx, sessionOf(ava), code));
    expect(letIn.said).toContain('/accounts/cli/');
    expect(letIn.said).toContain(`Signed in as ${ava.email}`);
    expect(statSync(file()).mode & 0o777).toBe(0o600);

    const mia = await examplePerson(ctx);
    const end = ['admin', 'session', 'end', '--email', mia.email, '--reason', 'Lost laptop'];
    expect(await run([...end, '--json'])).toMatchObject({ ok: true });
    const entry = await ctx.db
      .selectFrom('auditLog')
      .select(['operator', 'act'])
      .where('act', 'like', 'cli %')
      .orderBy('seq', 'desc')
      .executeTakeFirstOrThrow();
    expect(entry).toEqual({ operator: ava.email, act: 'cli confirm' });

    // What takes another grant is refused.
    const role = await run(['admin', 'set-role', '--email', mia.email, '--role', 'moderator']);
    expect(role.said).toContain("needs the grant 'everything'");
    // A file that others can read counts for nothing.
    chmodSync(file(), 0o644);
    expect((await run(end)).said).toContain('can be read by others');
    chmodSync(file(), 0o600);

    const token = readFileSync(file(), 'utf8').split('\n')[1] ?? '';
    expect((await run(['operator', 'logout'])).said).toContain('Signed out.');
    expect(existsSync(file())).toBe(false);
    expect(token).toMatch(/^[\w-]{43}$/);
    expect((await run(end)).said).toContain('rialto operator login');
  },
  PATIENCE_MS,
);

it(
  '[I24] secrets act while they are allowed, audited so, and not when they are switched off',
  async () => {
    const { ctx } = test;
    const owner = await exampleOperator(ctx);
    const name = (email: string) => [
      'admin',
      'create-user',
      '--email',
      email,
      '--name',
      'Mia',
      '--by',
      owner.email,
    ];
    const secret = { RIALTO_OPERATOR_SECRET: EXAMPLE_SECRET };
    const off = { ...secret, OPERATOR_SECRET_FALLBACK: 'false' };
    const refused = await run(name('off@example.com'), off);
    expect(refused.ok).toBe(false);
    expect(refused.said).toContain('OPERATOR_SECRET_FALLBACK');
    expect(await run(name('on@example.com'), secret)).toMatchObject({ ok: true });
    const rows = await ctx.db
      .selectFrom('auditLog')
      .select(['subject', 'details'])
      .where('operator', '=', owner.email)
      .execute();
    expect(rows.map(({ subject }) => subject)).toEqual(['on@example.com']);
    expect(JSON.parse(rows[0]?.details ?? '{}')).toMatchObject({
      via: `command line of ${userInfo().username}@${hostname()}, by the operator's secret`,
    });
  },
  PATIENCE_MS,
);
