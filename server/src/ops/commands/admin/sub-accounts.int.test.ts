// Operators open sub-accounts, make keys for them and fix fee tiers, with their real commands.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { testEnvironment } from '../../../testing/context.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { exampleOperator, EXAMPLE_SECRET } from '../../../testing/operators.ts';
import { RIALTO_BINARY } from '../../../testing/rialto-process.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

let server: TestServer;
let by: string[];
let mia: Person;
beforeAll(async () => {
  server = await startTestServer({ withEngine: true });
  by = ['--by', (await exampleOperator(server.ctx)).email];
  mia = await examplePerson(server.ctx);
});
afterAll(() => server.close());

async function admin(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = {
    PATH: process.env['PATH'],
    ...testEnvironment(server.databaseUrl),
    LOG_LEVEL: 'silent',
    RIALTO_OPERATOR_SECRET: EXAMPLE_SECRET,
  };
  const run = promisify(execFile)(process.execPath, [RIALTO_BINARY, 'admin', ...args], { env });
  return run.catch((error: unknown) => error as { stdout: string; stderr: string });
}

async function fields(...args: string[]): Promise<Record<string, string>> {
  const { stdout, stderr } = await admin(...args, '--json');
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as Record<string, string>;
}

it('a sub-account is opened, named and given a key', async () => {
  const create = ['sub-account', 'create', '--email', mia.email, '--label', 'desk', ...by];
  expect((await admin(...create)).stderr).toContain('has no trading account yet');
  const key = ['create-trading-key', '--email', mia.email, ...by];
  const main = await fields(...key);
  const opened = await fields(...create);
  expect(opened).toMatchObject({ parent: main['account_id'], label: 'desk', status: 'opened' });
  expect(await fields(...create)).toMatchObject({ status: 'was there' });
  const made = await fields(...key, '--sub-account', 'Desk');
  expect(made['account_id']).toBe(opened['account']);
  expect((await admin(...key, '--sub-account', 'none')).stderr).toContain(
    'no open sub-account "none"',
  );
  const { stdout } = await admin('sub-account', 'list', mia.email, '--json');
  expect(JSON.parse(stdout)).toMatchObject([
    { account: main['account_id'], kind: 'main' },
    { account: opened['account'], kind: 'sub-account', label: 'desk' },
  ]);
}, 240_000);

it('a fee tier is pinned for the family, and unpinned', async () => {
  await fields('fees', 'define', '1', '--maker', '0.08', '--taker', '0.12', ...by);
  const reason = ['--reason', 'A contract.'];
  expect(await fields('fees', 'pin', mia.email, '1', ...reason, ...by)).toMatchObject({
    act: 'fees pin',
    status: 'done',
  });
  expect((await admin('fees', 'set-tier', mia.email, '0', ...by)).stderr).toContain('is pinned');
  expect((await admin('fees', 'pin', mia.email, '7', ...reason, ...by)).stderr).toContain(
    'one that is defined: 0, 1',
  );
  expect(await fields('fees', 'unpin', mia.email, ...reason, ...by)).toMatchObject({
    status: 'unpinned',
  });
  expect(await fields('fees', 'set-tier', mia.email, '0', ...by)).toMatchObject({ status: 'done' });
}, 240_000);
