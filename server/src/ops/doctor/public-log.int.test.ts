import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeyPair } from '../../accounts/audit/head.ts';
import { pause } from '../../platform/std/wait.ts';
import { testEnvironment } from '../../testing/context.ts';
import { liveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { startFollower, type Follower } from '../../trading/public-log/follower.ts';
import { signPublicLog } from '../../trading/public-log/heads.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run.ts';

const KEY = { PUBLIC_SIGNING_KEY: createKeyPair().privateKey };

let server: TestServer;
let follower: Follower;
beforeAll(async () => {
  server = await startTestServer({ withEngine: true, settings: KEY });
  follower = startFollower(server.ctx);
  const venue = await liveVenue(server, { phase: 'continuous' });
  await venue.trader();
  for (;;) {
    const { rows } = await server.owner.query<{ done: boolean }>(
      `SELECT p.seq = (SELECT max(seq) FROM trading_journal) AS done FROM public_log_progress p`,
    );
    if (rows[0]?.done === true) break;
    await pause(20);
  }
  await follower.stop();
}, 60_000);
afterAll(() => server.close());

async function find(settings: Record<string, string> = KEY): Promise<Finding> {
  const { text } = await runDoctor(testEnvironment(server.databaseUrl, settings), true);
  const { findings } = JSON.parse(text) as { findings: Finding[] };
  const found = findings.find(({ check }) => check === 'public log');
  expect(found).toBeDefined();
  return found as Finding;
}

it('warns while the log is not signed, and is content once it is', async () => {
  expect(await find({})).toMatchObject({
    status: 'warning',
    what: expect.stringContaining('PUBLIC_SIGNING_KEY is empty') as string,
  });
  expect(await find()).toMatchObject({
    status: 'warning',
    what: expect.stringContaining('No head') as string,
  });
  expect(await signPublicLog(server.ctx)).toBe(1);
  expect(await find()).toMatchObject({
    status: 'ok',
    what: expect.stringMatching(/^\d+ events, .* newest head covers event \d+/) as string,
  });
});

it('says when it is switched off', async () => {
  expect(await find({ ...KEY, PUBLIC_LOG: 'false' })).toMatchObject({
    status: 'ok',
    what: expect.stringContaining('switched off') as string,
  });
});

it('finds a log that was changed', async () => {
  const change = (from: string, to: string) =>
    server.owner.query(`UPDATE public_log_tail SET body = replace(body, $1, $2)`, [from, to]);
  await change('"phase":"continuous"', '"phase":"halted"');
  expect(await find()).toMatchObject({
    status: 'broken',
    what: expect.stringContaining('public log') as string,
  });
  await change('"phase":"halted"', '"phase":"continuous"');
  expect(await find()).toMatchObject({ status: 'ok' });
});

it('says that the log is late', async () => {
  await server.owner.query('ALTER TABLE trading_journal DISABLE TRIGGER USER');
  await server.owner.query(`UPDATE trading_journal SET at = now() - interval '5 minutes'`);
  await server.owner.query('UPDATE public_log_progress SET seq = seq - 1');
  expect(await find()).toMatchObject({
    status: 'warning',
    what: expect.stringMatching(/It is 30\d s behind/) as string,
  });
});
