// Golden journals in a database: an engine of this release continues what an older one left there,
// and refuses what was changed since.
import { audit, CORE_VERSION, stateHash } from '@rialto/matching';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { startTestEngine } from '../../testing/server.ts';
import { DigestMismatch, type Machine } from './machine.ts';
import { firstConfig, hashBytes, recover } from './recover.ts';
import { startEngine } from './run.ts';
import { readHead, readRows } from './store.ts';
import {
  listGolden,
  readGoldenRows,
  readGoldenSnapshot,
  type GoldenJournal,
  type GoldenRow,
} from '../../testing/trading/golden.ts';

let test: TestContext;
beforeEach(async () => {
  test = await createTestContext({ LOG_LEVEL: 'silent' });
});
afterEach(() => test.close());

async function writeRows({ shard }: GoldenJournal, rows: readonly GoldenRow[]): Promise<void> {
  for (const { seq, epoch, coreVersion, commands, digest } of rows) {
    await test.ctx.database.pool.query(
      `INSERT INTO trading_journal (shard, seq, epoch, commands, command_count, digest, engine_seq, core_version)
       VALUES ($1, $2, $3, $4, $5, $6, 0, $7)`,
      [shard, seq, epoch, commands, commands.split('\n').length, digest, coreVersion],
    );
  }
}

async function writeSnapshot(
  journal: GoldenJournal,
  seq: number,
  bytes: Buffer,
  hash: Buffer,
): Promise<void> {
  const { pool } = test.ctx.database;
  const { shard, version } = journal;
  const digest = readGoldenRows(journal)[seq - 1]?.digest;
  await pool.query(
    `INSERT INTO trading_snapshots (shard, seq, digest, hash, byte_count, part_count, core_version)
     VALUES ($1, $2, $3, $4, $5, 1, $6)`,
    [shard, seq, digest, hash, bytes.length, version],
  );
  await pool.query(
    'INSERT INTO trading_snapshot_parts (shard, seq, part, bytes) VALUES ($1, $2, 0, $3)',
    [shard, seq, bytes],
  );
}

const recovered = ({ shard }: GoldenJournal): Promise<Machine> =>
  recover(test.ctx.database.pool, firstConfig(shard), test.ctx.log);

function firstJournal(): GoldenJournal {
  const [journal] = listGolden();
  if (journal === undefined) throw new Error('there is a golden journal');
  return journal;
}

// Those that begin like an engine's journal.
it.for(listGolden().filter(({ sweepStep }) => sweepStep === undefined))(
  'an engine continues from journal $name of core $version and its snapshot',
  async (journal) => {
    const { pool } = test.ctx.database;
    const { shard, rows } = journal;
    await writeRows(journal, readGoldenRows(journal));
    const seq = journal.snapshots.at(-2)?.seq ?? 0;
    const bytes = readGoldenSnapshot(journal, seq);
    await writeSnapshot(journal, seq, bytes, hashBytes(bytes));

    // A venue keeps its kind of money; one of version 1 has not set it.
    const { money } = (await recovered(journal)).state;
    const config = { ...test.ctx.config, ...(money === '' ? {} : { MONEY: money }) };
    const engine = await startTestEngine({ ...test.ctx, config }, { shard });
    await engine.stop();

    const written = await readRows(pool, shard, rows, 10);
    expect(written[0]).toMatchObject({ seq: rows + 1, coreVersion: CORE_VERSION });
    expect(written[0]?.commands.includes('"type":"upgrade"')).toBe(journal.version < CORE_VERSION);
    const quick = await recovered(journal);
    expect(quick.state.rules).toBe(CORE_VERSION);
    expect(audit(quick.state)).toEqual([]);
    await pool.query('DELETE FROM trading_snapshots');
    const whole = await recovered(journal);
    expect(whole.digest).toEqual(quick.digest);
    expect(stateHash(whole.state)).toBe(stateHash(quick.state));
  },
);

it('after a snapshot with a flipped byte, the one before it is used, and the journal gives the rest', async () => {
  const journal = firstJournal();
  await writeRows(journal, readGoldenRows(journal));
  for (const [index, { seq, sha256 }] of journal.snapshots.entries()) {
    const bytes = readGoldenSnapshot(journal, seq);
    if (index > 0) bytes.writeUInt8(bytes.readUInt8(bytes.length >> 1) ^ 1, bytes.length >> 1);
    await writeSnapshot(journal, seq, bytes, Buffer.from(sha256, 'hex'));
  }
  const machine = await recovered(journal);
  expect(machine.digest.toString('hex')).toBe(journal.digest);
  const after = readGoldenRows(journal).slice(journal.snapshots[0]?.seq);
  const lines = after.reduce((sum, { commands }) => sum + commands.split('\n').length, 0);
  expect(machine.replayedCommands).toBe(lines);
});

it('a row with a flipped byte stops the engine before it writes anything', async () => {
  const journal = firstJournal();
  const rows = readGoldenRows(journal);
  const at = rows.findIndex(({ commands }) => /"amount":"\d{3}/.test(commands));
  const changed = rows.map((row, index) =>
    index === at ? { ...row, commands: row.commands.replace(/"amount":"(\d)/, flipDigit) } : row,
  );
  await writeRows(journal, changed);
  const error = await new Promise<Error>((resolve) => {
    startEngine(test.ctx, { shard: journal.shard, onFatal: resolve });
  });
  expect(error).toBeInstanceOf(DigestMismatch);
  expect(error.message).toContain(`Journal row ${at + 1} of shard ${journal.shard}`);
  expect((await readHead(test.ctx.database.pool, journal.shard)).seq).toBe(journal.rows);
});

const flipDigit = (_: string, digit: string): string => `"amount":"${digit === '1' ? '2' : '1'}`;
