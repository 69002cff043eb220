// Operators revoke keys and sessions while a server runs, with their real commands.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../../../testing/browser.ts';
import { testEnvironment } from '../../../testing/context.ts';
import { examplePerson } from '../../../testing/example.ts';
import { exampleOperator, EXAMPLE_SECRET } from '../../../testing/operators.ts';
import { RIALTO_BINARY } from '../../../testing/rialto-process.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { exampleTrader } from '../../../testing/trader.ts';

const PASSWORD = 'correct horse battery staple';

let server: TestServer;
let by: string[];
beforeAll(async () => {
  server = await startTestServer();
  by = ['--by', (await exampleOperator(server.ctx)).email, '--reason', 'It leaked.'];
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

async function newestNote(subject: string): Promise<unknown> {
  return server.ctx.db
    .selectFrom('auditLog')
    .select(['operator', 'act', 'outcome', 'details'])
    .where('subject', '=', subject)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst();
}

describe('a trading key', () => {
  it('that an operator revokes is refused by the running server at once; others still work', async () => {
    const { ctx, baseUrl } = server;
    const person = await examplePerson(ctx);
    const leaked = await exampleTrader(ctx, { userId: person.id, label: 'bot 7' });
    const kept = await exampleTrader(ctx, { userId: person.id });
    const url = `${baseUrl}/private/account/info`;
    expect((await leaked.call(url)).status).toBe(200);

    const { stdout } = await admin('key', 'list', '--email', person.email, '--json');
    const listed = JSON.parse(stdout) as { key: string; label: string; permissions: string }[];
    expect(listed.map(({ key }) => key).toSorted()).toEqual([leaked.keyId, kept.keyId].toSorted());
    expect(listed).toContainEqual(
      expect.objectContaining({ key: leaked.keyId, label: 'bot 7', permissions: 'read,trade' }),
    );
    expect(stdout).not.toContain(leaked.secret);

    const revoked = await admin('key', 'revoke', leaked.keyId, ...by, '--json');
    expect(JSON.parse(revoked.stdout)).toEqual({
      key: leaked.keyId,
      owner: person.email,
      status: 'revoked',
    });
    expect((await leaked.call(url)).body.error?.code).toBe('3002');
    expect((await kept.call(url)).status).toBe(200);
    expect(await newestNote(leaked.keyId)).toMatchObject({
      operator: by[1],
      act: 'trading_key revoke',
      outcome: 'done',
      details: expect.stringContaining('It leaked.'),
    });
    const again = await admin('key', 'revoke', leaked.keyId, ...by);
    expect(again.stderr).toContain(`There is no trading key ${leaked.keyId}.`);
  });

  it('is found among all keys, by its permissions and by not being used, and all keys of a person can be revoked at once', async () => {
    const { ctx } = server;
    const person = await examplePerson(ctx);
    const reading = await exampleTrader(ctx, { userId: person.id, permissions: ['read'] });
    const idle = await exampleTrader(ctx, { userId: person.id });
    const other = await exampleTrader(ctx);
    await server.owner.query(
      "UPDATE trading_keys SET created_at = now() - interval '40 days' WHERE key_id = ANY ($1)",
      [[idle.keyId, reading.keyId]],
    );
    const filters = ['--permission', 'trade', '--unused-days', '30'];
    const { stdout } = await admin('keys', 'list', ...filters, '--json');
    const listed = JSON.parse(stdout) as { key: string; owner: string; usable: boolean }[];
    expect(listed).toEqual([
      expect.objectContaining({ key: idle.keyId, owner: person.email, usable: true }),
    ]);
    const both = await admin('key', 'revoke', idle.keyId, '--email', person.email, ...by);
    expect(both.stderr).toContain('Give either the key to revoke, or --email');
    const ended = await admin('key', 'revoke', '--email', person.email, ...by, '--json');
    expect(JSON.parse(ended.stdout)).toHaveLength(2);
    const url = `${server.baseUrl}/private/account/info`;
    for (const gone of [reading, idle]) expect((await gone.call(url)).status).not.toBe(200);
    expect((await other.call(url)).status).toBe(200);
  }, 240_000);

  it('is not revoked without the authentication of an operator', async () => {
    const caller = await exampleTrader(server.ctx);
    const member = await examplePerson(server.ctx);
    const { stderr } = await admin(
      'key',
      'revoke',
      caller.keyId,
      '--by',
      member.email,
      '--reason',
      'x',
    );
    expect(stderr).toContain(`The secret is not that of ${member.email}`);
    expect((await caller.call(`${server.baseUrl}/private/account/info`)).status).toBe(200);
  });
});

it('a chat key that an operator revokes is useless, and a waiting poll with it ends', async () => {
  const { ctx, chatUrl } = server;
  const person = await examplePerson(ctx);
  const headers = { authorization: person.basic };
  const registered = await fetch(`${chatUrl}/register`, { method: 'POST', headers });
  const { queue_id } = (await registered.json()) as { queue_id: string };
  const query = new URLSearchParams({ queue_id, last_event_id: '-1' });
  const poll = fetch(`${chatUrl}/events?${query}`, { headers });
  await admin('key', 'revoke-chat', '--email', person.email, ...by);
  // It ends without waiting for an event, and the old key cannot start another.
  await poll;
  for (const path of [`/events?${query}`, '/users/me']) {
    expect((await fetch(`${chatUrl}${path}`, { headers })).status).toBe(401);
  }
  expect(await newestNote(person.email)).toMatchObject({
    operator: by[1],
    act: 'chat_key revoke',
    outcome: 'done',
  });
});

it('a session that an operator ends is over at once', async () => {
  const person = await examplePerson(server.ctx, { password: PASSWORD });
  const browser = openBrowser(server);
  await browser.signIn(person.email, PASSWORD);
  expect((await browser.call('GET', '/users/me')).status).toBe(200);
  const { stdout } = await admin('session', 'end', '--email', person.email, ...by, '--json');
  expect(JSON.parse(stdout)).toMatchObject({ sessions: 1 });
  expect((await browser.call('GET', '/users/me')).status).toBe(401);
  expect(await newestNote(person.email)).toMatchObject({ operator: by[1], act: 'session end' });
});
