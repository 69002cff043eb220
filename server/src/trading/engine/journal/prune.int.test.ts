import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stateHash } from '@rialto/matching';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startRelay, type Relay } from '../../../platform/events/relay.ts';
import { createLog } from '../../../platform/observe/log.ts';
import { createTestContext, type TestContext } from '../../../testing/context.ts';
import { relayOptions, startTestEngine } from '../../../testing/server.ts';
import { holdProjector } from '../../../testing/trading/held-projector.ts';
import { JournalInParts, useSmallParts } from '../../../testing/trading/journal-parts.ts';
import { awaitProjection } from '../../projections/access.ts';
import { startProjector, type Projector } from '../../projections/projector.ts';
import { rebuildProjections } from '../../projections/rebuild.ts';
import { firstConfig, recover } from '../recover.ts';
import { machineAt } from '../replay.ts';
import { hashSnapshot } from '../snapshot-store.ts';
import { readHead } from '../access.ts';
import { Archive, openManifest } from './archive.ts';
import { listArchives } from './archives-store.ts';
import { pruneJournal, type PrunePoint } from './prune.ts';
import { RowsArchived } from './rows.ts';
import { verifyJournal } from './verify.ts';

const ROWS = 10;
/** So that a part has several files. */
const FILE_BYTES = 2000;

let test: TestContext;
let relay: Relay;
let projector: Projector;
let journal: JournalInParts;

beforeEach(async () => {
  test = await createTestContext({}, { log: createLog('silent', {}) });
  await useSmallParts(test.owner, ROWS);
  relay = startRelay(relayOptions(test.ctx));
  projector = startProjector(test.ctx);
  journal = new JournalInParts(test);
});
afterEach(async () => {
  await projector.stop();
  await relay.stop();
  await test.close();
});

/** Rows in eight parts or so, with two snapshots near the end. */
async function writeVenue(): Promise<void> {
  await journal.write(70);
  await journal.snapshot();
  await journal.write(5);
  await journal.snapshot();
  await journal.write(3);
  await awaitProjection(test.ctx, { patienceMs: 8000, orElse: 'refuse' });
}

const prune = (fromSeq: number, probe?: (point: PrunePoint) => void) =>
  pruneJournal(test.ctx, {
    keep: { fromSeq },
    isDryRun: false,
    fileBytes: FILE_BYTES,
    ...(probe === undefined ? {} : { probe }),
  });

const firstRow = async (): Promise<number> =>
  Number(
    (await test.owner.query<{ seq: string }>('SELECT min(seq)::text AS seq FROM trading_journal'))
      .rows[0]?.seq,
  );

const archive = () => new Archive(test.ctx.files);
const recovered = (given?: Archive) =>
  recover(test.ctx.database.pool, firstConfig(0), test.ctx.log, given);

async function expectWhole(): Promise<void> {
  const report = await verifyJournal(test.ctx, { isReplayed: true });
  expect(report.faults).toEqual([]);
  expect(report.replayedSeq).toBe(journal.machine.seq);
}

const fileOnDisk = (key: string) => join(test.config.UPLOADS_DIR, key);

describe('pruning the journal', () => {
  it('says what it would do, and does nothing, unless it is told to', async () => {
    await writeVenue();
    const report = await pruneJournal(test.ctx, { keep: { fromSeq: 35 }, isDryRun: true });
    expect(report.parts.map(({ lastSeq }) => lastSeq)).toEqual([10, 20, 30]);
    expect(report.because).toContain('rows from 35 on, which are to stay');
    expect(await firstRow()).toBe(1);
    expect(await listArchives(test.owner, 0)).toEqual([]);
  });

  it('removes whole parts, and everything that reads the journal goes on', async () => {
    await writeVenue();
    const report = await prune(45);
    expect(report.parts.map(({ isRemoved }) => isRemoved)).toEqual([true, true, true, true]);
    expect(await firstRow()).toBe(41);
    await expectWhole();
    // A rebuild reads the files.
    const rebuilt = await rebuildProjections(test.ctx, { compare: true });
    expect(rebuilt.isSame).toBe(true);
    // So does whoever needs the state after an early row.
    const early = await machineAt(test.ctx.database.pool, 0, 15, {
      log: test.ctx.log,
      archive: archive(),
    });
    expect(early.seq).toBe(15);
    // The engine starts from a snapshot and writes the next rows.
    const engine = await startTestEngine(test.ctx);
    expect(engine.epoch()).toBe(2);
    await engine.stop();
    expect((await readHead(test.ctx.database.pool, 0)).seq).toBeGreaterThan(journal.machine.seq);
    expect((await verifyJournal(test.ctx, { isReplayed: true })).faults).toEqual([]);
  });

  it('goes on at the next run, wherever it was stopped, and loses nothing', async () => {
    await writeVenue();
    const points: PrunePoint[] = [
      'stored a file',
      'stored the manifest',
      'read it back',
      'archived',
      'proved a snapshot',
      'removed a part',
    ];
    for (const [n, stop] of points.entries()) {
      const killed = prune(25 + n * 5, (point) => {
        if (point === stop) throw new Error('killed');
      });
      await expect(killed).rejects.toThrow('killed');
      await expectWhole();
    }
    await prune(50);
    expect(await firstRow()).toBe(41);
    await expectWhole();
    expect((await recovered()).digest).toEqual(journal.machine.digest);
  });

  it('keeps the snapshot that it proved, however many come after it', async () => {
    await writeVenue();
    const { snapshotSeq } = await prune(45);
    for (let n = 0; n < 3; n += 1) {
      await journal.write(4);
      await journal.snapshot();
    }
    const { rows } = await test.owner.query<{ seq: number }>(
      'SELECT seq::integer FROM trading_snapshots s ORDER BY s.seq',
    );
    expect(rows).toHaveLength(3);
    expect(rows[0]?.seq).toBe(snapshotSeq);
  });

  it('with both snapshots damaged, an engine starts from the files, and others say what they need', async () => {
    await writeVenue();
    await prune(45);
    await test.owner.query(`UPDATE trading_snapshots SET hash = decode(repeat('00', 32), 'hex')`);
    const machine = await recovered(archive());
    expect(stateHash(machine.state)).toBe(stateHash(journal.machine.state));
    await expect(recovered()).rejects.toThrow(RowsArchived);
    await expect(recovered()).rejects.toThrow(/^Rows 1 to 40 .*`rialto journal verify`/);
    const engine = await startTestEngine(test.ctx);
    expect(engine.epoch()).toBe(2);
    await engine.stop();
  });
});

describe('no part leaves the journal', () => {
  it('that the tables do not have yet', async () => {
    await journal.write(5);
    const held = await holdProjector(test.ctx);
    await journal.write(60);
    await journal.snapshot();
    const report = await prune(60);
    expect(report.parts).toEqual([]);
    expect(report.because).toContain('the tables of orders and trades at row 5 still needs');
    await held.release();
  });

  it('without a snapshot after it, and none that was not proven counts', async () => {
    await journal.write(60);
    await awaitProjection(test.ctx, { patienceMs: 8000, orElse: 'refuse' });
    await expect(prune(60)).rejects.toThrow('There is no snapshot yet');
    await journal.snapshot();
    await journal.write(3);
    await awaitProjection(test.ctx, { patienceMs: 8000, orElse: 'refuse' });
    // Archived by the run above; without a proof the function itself refuses.
    await expect(test.owner.query('SELECT remove_journal_part(0::smallint, 1)')).rejects.toThrow(
      'no verified snapshot comes after row 10',
    );
    await test.owner.query(`UPDATE trading_snapshots SET digest = decode(repeat('11', 32), 'hex')`);
    await expect(prune(60)).rejects.toThrow('does not have the digest of row 60');
    expect(await firstRow()).toBe(1);
  });

  it('after a snapshot of another state than the journal leads to', async () => {
    await journal.write(60);
    const early = journal.machine.snapshot();
    await journal.write(2);
    await journal.snapshot();
    await journal.write(2);
    await awaitProjection(test.ctx, { patienceMs: 8000, orElse: 'refuse' });
    // Bytes with a right hash and a right digest, of a state two rows before.
    const hash = await hashSnapshot(early);
    await test.owner.query('DELETE FROM trading_snapshot_parts');
    await test.owner.query(
      `UPDATE trading_snapshots SET hash = $1, byte_count = $2, part_count = 1, encoding = 'raw'`,
      [hash, early.length],
    );
    await test.owner.query(
      'INSERT INTO trading_snapshot_parts SELECT shard, seq, 0, $1::bytea FROM trading_snapshots',
      [Buffer.from(early)],
    );
    await expect(prune(60)).rejects.toThrow('holds another state than the journal leads to');
    expect(await firstRow()).toBe(1);
  });

  it('whose file was damaged after it was written', async () => {
    await writeVenue();
    await expect(
      prune(45, (point) => {
        if (point === 'archived') throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    const [row] = await listArchives(test.owner, 0);
    if (row === undefined) throw new Error('one part was archived');
    const [file] = (await openManifest(test.ctx.files, row)).files;
    if (file === undefined) throw new Error('a part has files');
    await writeFile(fileOnDisk(file.key), 'x'.repeat(file.bytes));
    await expect(prune(45)).rejects.toThrow('its SHA-256 is another');
    await rm(fileOnDisk(file.key));
    await expect(prune(45)).rejects.toThrow('it is not there');
    expect(await firstRow()).toBe(1);
    const { faults } = await verifyJournal(test.ctx, { isReplayed: false });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^Rows 1 to 10: .*it is not there/);
  });

  it('by the server’s own role, or by two commands at once', async () => {
    await writeVenue();
    await expect(
      test.ctx.database.pool.query('SELECT remove_journal_part(0::smallint, 1)'),
    ).rejects.toMatchObject({ code: '42501' });
    const asServer = { ...test.ctx, config: { ...test.config, DATABASE_OWNER_URL: '' } };
    await expect(pruneJournal(asServer, { keep: { fromSeq: 45 }, isDryRun: true })).rejects.toThrow(
      'DATABASE_OWNER_URL',
    );
    const both = await Promise.allSettled([prune(45), prune(45)]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expectWhole();
  });

  it('that has the newest row, or is younger than is asked for', async () => {
    await journal.write(80);
    await journal.snapshot();
    await awaitProjection(test.ctx, { patienceMs: 8000, orElse: 'refuse' });
    const all = await pruneJournal(test.ctx, { keep: { fromSeq: 1e9 }, isDryRun: true });
    expect(all.parts.at(-1)?.lastSeq).toBeLessThan(80);
    expect(all.because).toContain('still written to');
    const young = await pruneJournal(test.ctx, { keep: { days: 1 }, isDryRun: true });
    expect(young.parts).toEqual([]);
    await test.owner.query(
      `ALTER TABLE trading_journal DISABLE TRIGGER journal_append_only;
       UPDATE trading_journal SET at = at - interval '3 days' WHERE seq <= 25`,
    );
    const old = await pruneJournal(test.ctx, { keep: { days: 2 }, isDryRun: true });
    expect(old.parts.map(({ lastSeq }) => lastSeq)).toEqual([10, 20]);
  });
});

it('verification finds what was changed, in the files and in the table', async () => {
  await writeVenue();
  await prune(45);
  const [first, second] = await listArchives(test.owner, 0);
  await test.owner.query(
    'UPDATE journal_archives SET digest_before = digest_after WHERE first_seq = $1',
    [second?.firstSeq],
  );
  const { faults } = await verifyJournal(test.ctx, { isReplayed: false });
  expect(faults.join('\n')).toContain('is not about rows 11 to 20');
  expect(faults.join('\n')).toContain('follows another row 10');
  expect(first?.lastSeq).toBe(10);
  await test.owner.query(
    `ALTER TABLE trading_journal DISABLE TRIGGER journal_append_only;
     UPDATE trading_journal SET commands = replace(commands, '1', '2') WHERE seq = 50`,
  );
  await test.owner.query('UPDATE journal_archives SET digest_before = $1 WHERE first_seq = 11', [
    first?.digestAfter,
  ]);
  const replayed = await verifyJournal(test.ctx, { isReplayed: true });
  expect(replayed.faults).toHaveLength(1);
  expect(replayed.faults[0]).toContain('Journal row 50 of shard 0');
  expect(replayed.replayedSeq).toBe(49);
});
