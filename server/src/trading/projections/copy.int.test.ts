import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { writeRows, type Table } from './bulk.ts';
import { copyRows } from './copy.ts';
import { inTransactionOf } from './store.ts';

let test: TestContext;
beforeEach(async () => {
  test = await createTestContext();
});
afterEach(() => test.close());

interface Row {
  readonly id: number;
  readonly word: string | null;
  readonly units: bigint | null;
  readonly isSet: boolean | null;
}

const ROWS: Row[] = [
  { id: 1, word: 'plain', units: 10n ** 37n, isSet: true },
  { id: 2, word: '', units: -1n, isSet: false },
  { id: 3, word: 'tab\tline\nreturn\rback\\slash', units: 0n, isSet: true },
  { id: 4, word: '\\N', units: 7n, isSet: false },
  { id: 5, word: '\\.', units: 7n, isSet: false },
  { id: 6, word: '“é” {,"x"} 🙂', units: 8n, isSet: true },
  { id: 7, word: 'NULL', units: null, isSet: null },
  { id: 8, word: null, units: 0n, isSet: false },
];

const tableNamed = (name: string): Table<Row> => ({
  name,
  columns: [
    ['id', 'bigint', ({ id }) => id],
    ['word', 'text', ({ word }) => word],
    ['units', 'numeric', ({ units }) => units],
    ['is_set', 'boolean', ({ isSet }) => isSet],
  ],
});

/** A connection with two tables that exist only there. */
async function connect() {
  const client = await test.ctx.database.pool.connect();
  for (const name of ['copied', 'inserted']) {
    await client.query(
      `CREATE TEMP TABLE ${name} (id bigint PRIMARY KEY, word text, units numeric(38, 0), is_set boolean)`,
    );
  }
  return client;
}

describe('rows by COPY', () => {
  it('are those that an insert writes, whatever signs they have', async () => {
    const client = await connect();
    try {
      await copyRows(client, tableNamed('copied'), ROWS);
      await writeRows(client, tableNamed('inserted'), ROWS);
      const { rows } = await client.query(
        '(TABLE copied EXCEPT TABLE inserted) UNION ALL (TABLE inserted EXCEPT TABLE copied)',
      );
      expect(rows).toEqual([]);
      const { rows: words } = await client.query<{ word: string }>(
        'SELECT word FROM copied ORDER BY id',
      );
      expect(words.map(({ word }) => word)).toEqual(ROWS.map(({ word }) => word));
    } finally {
      client.release(true);
    }
  });

  it('fail as a whole if one exists, and leave the connection usable', async () => {
    const client = await connect();
    try {
      await copyRows(client, tableNamed('copied'), ROWS.slice(0, 1));
      const again = inTransactionOf(client, () => copyRows(client, tableNamed('copied'), ROWS));
      await expect(again).rejects.toMatchObject({ code: '23505' });
      await copyRows(client, tableNamed('copied'), ROWS.slice(1));
      await copyRows(client, tableNamed('copied'), []);
      const { rows } = await client.query('SELECT count(*)::int AS count FROM copied');
      expect(rows).toEqual([{ count: ROWS.length }]);
    } finally {
      client.release(true);
    }
  });

  it('are of many megabytes', async () => {
    const client = await connect();
    try {
      const word = 'x'.repeat(1000);
      const many = Array.from({ length: 20_000 }, (_, id) => ({
        id,
        word,
        units: 1n,
        isSet: true,
      }));
      await copyRows(client, tableNamed('copied'), many);
      const { rows } = await client.query('SELECT sum(length(word))::int AS length FROM copied');
      expect(rows).toEqual([{ length: 20_000_000 }]);
    } finally {
      client.release(true);
    }
  });
});
