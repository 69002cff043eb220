import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { signIn } from '../../../chat/administration/keys/sign-in.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../../testing/context.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { EXAMPLE_SECRET, exampleOperator } from '../../../testing/operators.ts';
import { signInCommand } from './sign-in.ts';

const PASSWORD = 'a long enough secret';

let context: TestContext;
let owner: Person;
let ada: Person;

beforeAll(async () => {
  context = await createTestContext();
  owner = await exampleOperator(context.ctx);
  vi.stubEnv('RIALTO_OPERATOR_SECRET', EXAMPLE_SECRET);
  for (const [name, value] of Object.entries(testEnvironment(context.config.DATABASE_URL))) {
    vi.stubEnv(name, value);
  }
});
beforeEach(async () => {
  ada = await examplePerson(context.ctx, { password: PASSWORD });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await context.close();
});

/** Runs a command as the shell would, and returns the JSON that it printed. */
async function run(...words: string[]): Promise<Record<string, unknown>> {
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await signInCommand()
      .exitOverride()
      .parseAsync([...words, '--json'], { from: 'user' });
    return JSON.parse(String(printed.mock.calls.at(-1)?.[0])) as Record<string, unknown>;
  } finally {
    printed.mockRestore();
  }
}

async function attempt(address: string, username: string, password: string): Promise<number> {
  try {
    await signIn(context.ctx, { username, password, place: { address } });
    return 200;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

it('an operator sees the attempts left for a name and resets them, which is recorded', async () => {
  for (let count = 0; count < 6; count += 1) await attempt('192.0.2.1', ada.email, 'wrong');
  expect(await attempt('192.0.2.1', ada.email, PASSWORD)).toBe(429);
  expect(await run('show', '--email', ada.email)).toEqual({
    email: ada.email,
    tries_left: 0,
    failures_in_a_row: 5,
    closed: 'no',
    known_browsers: 0,
    known_addresses: '',
  });
  const cleared = await run('clear', '--email', ada.email.toUpperCase(), '--by', owner.email);
  expect(cleared).toEqual({ email: ada.email.toUpperCase(), cleared: 1 });
  expect(await attempt('192.0.2.1', ada.email, PASSWORD)).toBe(200);
  expect(await run('show', '--email', ada.email)).toMatchObject({
    tries_left: 5,
    known_addresses: '192.0.2.1',
  });
  const { rows } = await context.ctx.database.pool.query(
    "SELECT operator, act, subject FROM audit_log WHERE act = 'sign_in clear' ORDER BY seq",
  );
  expect(rows.at(-1)).toMatchObject({ operator: owner.email, subject: ada.email.toUpperCase() });
});

it('an operator reopens a name that failures in a row have closed', async () => {
  await attempt('192.0.2.1', ada.email, 'wrong');
  await context.ctx.database.pool.query('UPDATE sign_in_buckets SET streak = 100 WHERE streak > 0');
  expect(await run('show', '--email', ada.email)).toMatchObject({ closed: 'yes' });
  await run('clear', '--email', ada.email, '--by', owner.email);
  expect(await attempt('192.0.2.2', ada.email, PASSWORD)).toBe(200);
});

it('an operator resets the attempts of an address', async () => {
  for (let count = 0; count < 3; count += 1) {
    await attempt('192.0.2.9', `nobody${count}@example.com`, 'x');
  }
  expect(await run('show', '--address', '192.0.2.9')).toEqual({
    address: '192.0.2.9',
    tries_left: 47,
  });
  await run('clear', '--address', '::ffff:192.0.2.9', '--by', owner.email);
  expect(await run('show', '--address', '192.0.2.9')).toMatchObject({ tries_left: 50 });
  // An IPv6 address stands for its subscriber's network.
  expect(await run('show', '--address', '2001:db8:1:2:3::4')).toMatchObject({
    address: '2001:db8:1:2::/64',
  });
});

it('only operators can reset, and a name and an address cannot be given together', async () => {
  const member = ada.email;
  await expect(run('clear', '--email', ada.email, '--by', member)).rejects.toThrow(Refusal);
  await expect(run('clear', '--by', owner.email)).rejects.toThrow('either --email or --address');
  const both = ['--email', ada.email, '--address', '192.0.2.1'];
  await expect(run('show', ...both)).rejects.toThrow('either --email or --address');
  await expect(run('show', '--address', 'nowhere')).rejects.toThrow('203.0.113.7');
});
