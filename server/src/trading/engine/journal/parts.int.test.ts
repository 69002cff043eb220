import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Tx } from '../../../platform/db/transaction.ts';
import { createTestContext, type TestContext } from '../../../testing/context.ts';
import { JournalInParts, useSmallParts } from '../../../testing/trading/journal-parts.ts';
import { startTestEngine } from '../../../testing/server.ts';
import { readEngineSeq } from '../access.ts';
import { firstConfig, recover } from '../recover.ts';
import { readHead, readRows } from '../access.ts';
import { readProgress } from '../../projections/store.ts';
import { readStreamStart } from '../../projections/stream-places.ts';
import { listJournalParts } from './archives-store.ts';
import { openJournalParts } from './parts.ts';

let test: TestContext;
let journal: JournalInParts;
beforeEach(async () => {
  test = await createTestContext();
  journal = new JournalInParts(test);
});
afterEach(() => test.close());

const parts = async () =>
  (await listJournalParts(test.owner)).map(({ firstSeq, pastSeq }) => [firstSeq, pastSeq]);

describe('parts of the journal', () => {
  it('are made ahead, once, and cannot be made without bound', async () => {
    expect(await parts()).toEqual([
      [1, 1_000_001],
      [1_000_001, 2_000_001],
      [2_000_001, undefined],
    ]);
    expect(await openJournalParts(test.ctx)).toBe(0);
    const { pool } = test.ctx.database;
    for (const ahead of ['-1', '10000001', 'NULL']) {
      await expect(pool.query(`SELECT ensure_journal_parts(${ahead})`)).rejects.toThrow(
        '0 to 10000000 rows ahead',
      );
    }
  });

  it('are for about a week at the rate of the engine, within bounds', async () => {
    await useSmallParts(test.owner, 10);
    await test.owner.query('UPDATE journal_layout SET most_rows = 500');
    await journal.write(9);
    // Four rows in the first hour are 672 a week.
    expect((await parts()).at(-2)).toEqual([11, 511]);
    await test.owner.query(
      `ALTER TABLE trading_journal DISABLE TRIGGER journal_append_only;
       UPDATE trading_journal SET at = at - interval '28 days'`,
    );
    await test.owner.query('SELECT ensure_journal_parts(505)');
    // Two a week are less than a part has at least.
    expect((await parts()).slice(-2)).toEqual([
      [511, 521],
      [521, undefined],
    ]);
  });

  it('are missing if no worker makes them, and no insert fails; then what came is one part', async () => {
    await useSmallParts(test.owner, 10);
    const writing = new JournalInParts(test);
    await writing.writeAlone(35);
    expect(await parts()).toEqual([
      [1, 11],
      [11, undefined],
    ]);
    await test.owner.query('SELECT ensure_journal_parts(5)');
    expect(await parts()).toEqual([
      [1, 11],
      [11, 36],
      [36, 46],
      [46, undefined],
    ]);
    await writing.writeAlone(3);
    const rows = await readRows(test.ctx.database.pool, 0, 0, 100);
    expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: 38 }, (_, n) => n + 1));
    const machine = await recover(test.ctx.database.pool, firstConfig(0), test.ctx.log);
    expect(machine.digest).toEqual(writing.machine.digest);
  });

  it('are made while an engine writes', async () => {
    await useSmallParts(test.owner, 10);
    let isDone = false;
    const making = (async () => {
      while (!isDone) await test.ctx.database.pool.query('SELECT ensure_journal_parts(15)');
    })();
    await journal.writeAlone(60);
    isDone = true;
    await making;
    expect((await parts()).length).toBeGreaterThan(6);
    expect(await readRows(test.ctx.database.pool, 0, 0, 100)).toHaveLength(60);
  });

  it('each refuse what the whole refuses: rows out of order, and changes', async () => {
    await useSmallParts(test.owner, 10);
    await journal.write(25);
    const { owner } = test;
    const copy = (seq: number, epoch: number) =>
      owner.query(
        `INSERT INTO trading_journal SELECT shard, $1, $2, commands, command_count, digest, engine_seq, at, core_version
           FROM trading_journal WHERE seq = 25`,
        [seq, epoch],
      );
    await expect(copy(27, 1)).rejects.toThrow('cannot follow epoch');
    await expect(copy(26, 0)).rejects.toThrow('cannot follow epoch');
    // The row before it is in another part.
    await expect(copy(21, 1)).rejects.toMatchObject({ code: '23505' });
    for (const table of ['trading_journal', 'trading_journal_11', 'trading_journal_rest']) {
      for (const change of [`DELETE FROM ${table}`, `TRUNCATE ${table}`]) {
        await expect(owner.query(change)).rejects.toThrow('are never changed or deleted');
      }
    }
  });
});

/** A statement locks every part that it opens, until its transaction ends. */
const countingParts = (read: (tx: Tx) => Promise<unknown>): Promise<number> =>
  test.ctx.inTransaction(async (tx) => {
    await read(tx);
    const { rows } = await sql<{ parts: number }>`
      SELECT count(DISTINCT l.relation)::integer AS parts FROM pg_locks l
        JOIN pg_inherits i ON i.inhrelid = l.relation
       WHERE l.pid = pg_backend_pid() AND i.inhparent = 'trading_journal'::regclass`.execute(tx);
    return rows[0]?.parts ?? 0;
  });

it('a journal of many parts is read at its end by opening the last ones', async () => {
  await useSmallParts(test.owner, 10);
  await journal.write(200);
  await test.owner.query('UPDATE projection_checkpoints SET seq = 195');
  expect((await parts()).length).toBeGreaterThanOrEqual(21);
  /** The same connection many times, because PostgreSQL plans a prepared statement by its values at first. */
  const often = async (read: (db: Parameters<typeof readHead>[0]) => Promise<unknown>) => {
    const client = await test.ctx.database.pool.connect();
    let most = 0;
    for (let n = 0; n < 8; n += 1) {
      await client.query('BEGIN');
      await read(client);
      const { rows } = await client.query<{ parts: number }>(
        `SELECT count(DISTINCT l.relation)::integer AS parts FROM pg_locks l
           JOIN pg_inherits i ON i.inhrelid = l.relation
          WHERE l.pid = pg_backend_pid() AND i.inhparent = 'trading_journal'::regclass`,
      );
      await client.query('ROLLBACK');
      most = Math.max(most, rows[0]?.parts ?? 0);
    }
    client.release();
    return most;
  };
  // The part of the row, the one made ahead, and the one without end.
  const END = 4;
  expect(await often((db) => readHead(db, 0, 200))).toBeLessThanOrEqual(END);
  expect(await often((db) => readRows(db, 0, 199, 16))).toBeLessThanOrEqual(END);
  expect(await often((db) => readProgress(db, 0, 195))).toBeLessThanOrEqual(END);
  expect(await often((db) => readStreamStart(db, 0, 1))).toBeLessThanOrEqual(END);
  for (let n = 0; n < 8; n += 1) {
    expect(await countingParts((tx) => readEngineSeq(tx, 0))).toBeLessThanOrEqual(END);
  }
  // A row is compared with the one before it, and goes to its part.
  const inserted = await often((db) =>
    db.query({
      name: 'insert again',
      text: `INSERT INTO trading_journal SELECT 0, 201, 1, '', 1, '', 1, now(), 9`,
    }),
  );
  expect(inserted).toBeLessThanOrEqual(2);
  // Without a bound all are locked, and yet one is read.
  const { rows } = await test.owner.query<{ 'QUERY PLAN': string }>(
    'EXPLAIN (ANALYZE, COSTS false, TIMING false) SELECT seq FROM trading_journal WHERE shard = 0 ORDER BY seq DESC LIMIT 1',
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan.match(/never executed/g)?.length).toBeGreaterThanOrEqual(18);
});

it('an existing journal becomes the first part as it is, and an engine goes on', async () => {
  const { owner } = test;
  await journal.write(12);
  // As the release before left it.
  await owner.query(
    `CREATE TABLE existing (LIKE trading_journal INCLUDING DEFAULTS INCLUDING COMPRESSION);
     INSERT INTO existing SELECT * FROM trading_journal;
     DROP TABLE trading_journal, journal_layout, journal_archives;
     DROP FUNCTION journal_parts(), ensure_journal_parts(bigint), remove_journal_part(smallint, bigint);
     ALTER TABLE trading_snapshots DROP COLUMN verified_at;
     ALTER TABLE existing RENAME TO trading_journal;
     ALTER TABLE trading_journal ADD CONSTRAINT trading_journal_pkey PRIMARY KEY (shard, seq);
     ALTER TABLE trading_journal ADD CONSTRAINT trading_journal_core_version_check CHECK (core_version > 0);
     CREATE TRIGGER journal_order BEFORE INSERT ON trading_journal FOR EACH ROW EXECUTE FUNCTION check_journal_order();
     CREATE TRIGGER journal_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON trading_journal
       FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
     GRANT SELECT, INSERT ON trading_journal TO ${new URL(test.config.DATABASE_URL).username}`,
  );
  const files = async (table: string) =>
    (
      await owner.query<{ file: string }>(
        `SELECT pg_relation_filenode(oid)::text AS file FROM pg_class
          WHERE oid = $1::regclass OR oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = $1::regclass) ORDER BY 1`,
        [table],
      )
    ).rows;
  const before = await files('trading_journal');
  // An engine of the release before has its statements prepared.
  const client = await test.ctx.database.pool.connect();
  const head = {
    name: 'journal-head',
    text: 'SELECT max(seq)::integer AS seq FROM trading_journal',
  };
  for (let n = 0; n < 7; n += 1) await client.query(head);
  for (const name of ['0135_journal_bound', '0136_journal_parts', '0137_journal_archives']) {
    await owner.query(
      readFileSync(new URL(`../../../../migrations/${name}.sql`, import.meta.url), 'utf8'),
    );
  }
  expect((await client.query<{ seq: number }>(head)).rows).toEqual([{ seq: 12 }]);
  client.release();
  // The same files: no row was copied, and no index was built.
  expect(await files('trading_journal_before')).toEqual(before);
  expect(await parts()).toEqual([
    [1, 11_000_000],
    [11_000_000, undefined],
  ]);
  // With the rights that the server's role had, before the grants of all migrations are applied.
  await owner.query(
    `GRANT EXECUTE ON FUNCTION check_journal_order() TO ${new URL(test.config.DATABASE_URL).username}`,
  );
  const engine = await startTestEngine(test.ctx);
  expect(engine.epoch()).toBe(2);
  await engine.stop();
});
