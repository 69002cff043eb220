// A journal outlives releases: this release continues what an older one wrote, and refuses what a
// newer one wrote.
import { CORE_VERSION, NewerCoreError } from '@rialto/matching';
import { afterEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { startTestEngine } from '../../testing/server.ts';
import { startEngine } from './run.ts';
import { listSnapshots } from './snapshot-store.ts';
import { readRows } from './store.ts';

let test: TestContext;
afterEach(() => test.close());

const rowText = `INSERT INTO trading_journal (shard, seq, epoch, commands, command_count, digest, engine_seq, core_version)
  SELECT shard, seq + 1, epoch, '1 {"type":"tick"}', 1, digest, engine_seq, $1 FROM trading_journal ORDER BY seq DESC LIMIT 1`;

/** Starts an engine that is expected to give up, and returns its reason. */
function awaitFatal(): Promise<Error> {
  return new Promise((resolve) => {
    startEngine(test.ctx, { onFatal: resolve });
  });
}

it('a new journal begins with the first rules, and its first row upgrades it', async () => {
  test = await createTestContext();
  const engine = await startTestEngine(test.ctx);
  await engine.stop();
  const [first] = await readRows(test.ctx.database.pool, 0, 0, 1);
  expect(first?.coreVersion).toBe(CORE_VERSION);
  expect(first?.commands).toMatch(
    new RegExp(`\\{"type":"upgrade","version":${CORE_VERSION},"hashKey":"[0-9a-f]{32}"\\}`),
  );
});

it('a second engine finds the journal upgraded and upgrades nothing', async () => {
  test = await createTestContext();
  for (const _ of [1, 2]) await (await startTestEngine(test.ctx)).stop();
  const rows = await readRows(test.ctx.database.pool, 0, 0, 10);
  expect(rows.filter(({ commands }) => commands.includes('"upgrade"'))).toHaveLength(1);
});

it('a row of a newer core is refused with its version, and nothing is written after it', async () => {
  test = await createTestContext();
  const { pool } = test.ctx.database;
  await (await startTestEngine(test.ctx)).stop();
  await pool.query(rowText, [99]);
  const before = await readRows(pool, 0, 0, 100);
  const error = await awaitFatal();
  expect(error).toBeInstanceOf(NewerCoreError);
  expect(error.message).toMatch(
    /Journal row \d+ of shard 0 was written by version 99 of the matching core, and this release knows versions 1 to/,
  );
  expect(await readRows(pool, 0, 0, 100)).toEqual(before);
});

it('a snapshot of a newer core is refused with its version', async () => {
  test = await createTestContext();
  const { pool } = test.ctx.database;
  await (await startTestEngine(test.ctx)).stop();
  await pool.query(
    `INSERT INTO trading_snapshots (shard, seq, digest, hash, byte_count, part_count, core_version)
     VALUES (0, 100, '', '', 0, 0, 99)`,
  );
  expect((await listSnapshots(pool, 0))[0]?.coreVersion).toBe(99);
  expect((await awaitFatal()).message).toContain(
    'Snapshot 100 of shard 0 was written by version 99',
  );
});

it('an engine of an older release cannot write after a newer one, even if it does not know of versions', async () => {
  test = await createTestContext();
  const { pool } = test.ctx.database;
  await (await startTestEngine(test.ctx)).stop();
  await expect(pool.query(rowText, [CORE_VERSION - 1])).rejects.toMatchObject({ code: 'RJ001' });
  await expect(
    pool.query(
      `INSERT INTO trading_journal (shard, seq, epoch, commands, command_count, digest, engine_seq)
       SELECT shard, seq + 1, epoch + 1, '1 {"type":"tick"}', 1, digest, engine_seq
         FROM trading_journal ORDER BY seq DESC LIMIT 1`,
    ),
  ).rejects.toThrow(`by version 1 of the core cannot follow version ${CORE_VERSION}`);
});
