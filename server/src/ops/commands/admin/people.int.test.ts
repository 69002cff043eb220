// The command that creates people and bots applies the same rules as the API.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTestContext, testEnvironment, type TestContext } from '../../../testing/context.ts';
import { EXAMPLE_SECRET, exampleOperator } from '../../../testing/operators.ts';
import { RIALTO_BINARY } from '../../../testing/rialto-process.ts';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'rialto-people-'));
let test: TestContext;
let operator: string;

beforeAll(async () => {
  test = await createTestContext();
  operator = (await exampleOperator(test.ctx)).email;
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await test.close();
});

/** The output of the command, whether it worked or not. */
async function createUser(...options: string[]): Promise<string> {
  const args = [RIALTO_BINARY, 'admin', 'create-user', '--json', '--by', operator, ...options];
  const env = {
    ...process.env,
    ...testEnvironment(test.config.DATABASE_URL),
    RIALTO_OPERATOR_SECRET: EXAMPLE_SECRET,
  };
  try {
    return (await run(process.execPath, args, { env })).stdout;
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return stdout + stderr;
  }
}

const passwordFile = (password: string): string => {
  const path = join(folder, 'password');
  writeFileSync(path, `${password}\n`);
  return path;
};

it('refuses weak passwords, names of system bots, hidden characters, and bots above their owner', async () => {
  const mo = ['--email', 'mo@example.com', '--name', 'Mo Member'];
  const given = (password: string) => ['--password-file', passwordFile(password)];
  expect(await createUser(...mo, ...given('Password123'))).toContain('Many people have this');
  expect(await createUser(...mo, ...given('MoMember2026'))).toContain('made of your name');
  expect(await createUser('--email', 'mo\u200B@example.com', '--name', 'Mo')).toContain(
    '--email must be an address',
  );
  expect(await createUser('--email', 'mo@example.com', '--name', 'Notificаtion Bot')).toContain(
    'reserved for system bots',
  );
  expect(await createUser(...mo, ...given('violet kettle marching 42'))).toContain('"role"');
  const bot = ['--email', 'bot@example.com', '--name', 'A Bot', '--bot-of', 'mo@example.com'];
  expect(await createUser(...bot, '--role', 'owner')).toContain(
    'A bot may do what its owner may, and no more.',
  );
  expect(await createUser(...bot)).toContain('"role"');
}, 240_000);
