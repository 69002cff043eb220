import { CORE_VERSION } from '@rialto/matching';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readEngineOverview } from '../../trading/engine/overview.ts';
import { createLog } from '../../platform/observe/log.ts';
import { liveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { testEnvironment } from '../../testing/context.ts';
import { awaitProjection } from '../../trading/projections/access.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    // One test takes the lease away from the engine, which logs an error.
    log: createLog('silent', {}),
    withEngine: true,
    settings: { ENGINE_SNAPSHOT_COMMANDS: '1000' },
  });
  const venue = await liveVenue(server);
  await venue.trader();
  await awaitProjection(server.ctx, { patienceMs: 10_000 });
});
afterAll(() => server.close());

/** As the owner: the server's role may do almost none of this. */
const query = (text: string) => server.owner.query(text);

async function find(check: string): Promise<Finding> {
  const { text } = await runDoctor(testEnvironment(server.databaseUrl), true);
  const { findings } = JSON.parse(text) as { findings: Finding[] };
  const found = findings.find((finding) => finding.check === check);
  expect(found, `a finding about ${check}`).toBeDefined();
  if (found !== undefined && found.status !== 'ok') {
    for (const said of [found.what, found.why, found.fix]) expect(said?.length).toBeGreaterThan(10);
  }
  return found as Finding;
}

it('knows who leads, the version of the core, the lag and the sizes', async () => {
  expect(await find('engine')).toMatchObject({
    status: 'ok',
    what: expect.stringMatching(/leads, heard of \d/),
  });
  expect((await find('core')).what).toContain(`version ${CORE_VERSION}`);
  expect(await find('projections')).toMatchObject({ status: 'ok' });
  expect((await find('journal')).what).toBe('It has 3 parts in the database.');
  expect((await find('sizes')).what).toMatch(/Journal .* GB/);
  for (const check of ['ledger', 'solvency', 'halts', 'snapshots']) {
    expect((await find(check)).status, check).toBe('ok');
  }
});

it('says that no engine leads when its lease has grown old', async () => {
  const { rows } = await server.ctx.database.pool.query<{ beat_at: Date }>(
    "UPDATE trading_leases SET epoch = 99, beat_at = now() - interval '1 minute' RETURNING beat_at",
  );
  expect(rows).toHaveLength(1);
  expect(await find('engine')).toMatchObject({
    status: 'broken',
    what: expect.stringContaining('No engine leads'),
  });
});

it('finds a snapshot whose bytes were changed', async () => {
  await query(`INSERT INTO trading_snapshots (shard, seq, digest, hash, byte_count, part_count)
               VALUES (0, 1, '\\x00', '\\x00', 1, 1)`);
  await query(
    "INSERT INTO trading_snapshot_parts (shard, seq, part, bytes) VALUES (0, 1, 0, '\\x00')",
  );
  expect(await find('snapshots')).toMatchObject({ status: 'broken' });
});

it('says how far the projections are behind', async () => {
  const { headSeq } = await readEngineOverview(server.ctx.database.pool);
  await query(`UPDATE projection_checkpoints SET seq = ${headSeq - 1}`);
  await query('ALTER TABLE trading_journal DISABLE TRIGGER USER');
  await query(`UPDATE trading_journal SET at = now() - interval '1 hour' WHERE seq = ${headSeq}`);
  expect(await find('projections')).toMatchObject({
    status: 'broken',
    what: expect.stringContaining('60 min behind'),
  });
});

it('names a ledger that does not add up', async () => {
  await query("UPDATE venue_balances SET amount = amount - 1 WHERE coin = 'btc'");
  expect((await find('ledger')).what).toContain('btc to -0.000000000000000001');
  expect(await find('solvency')).toMatchObject({ status: 'broken' });
});

it('names the markets that a broken rule has stopped', async () => {
  await query(
    "INSERT INTO invariant_halts (symbol, rule, subject, found_by) VALUES ('btcusdt', 'a rule', 'btc', 'engine')",
  );
  expect((await find('halts')).what).toContain('btcusdt: "a rule" (btc)');
});
