import pg from 'pg';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { isVisibleIn, parseDatabaseSnapshot } from './snapshot.ts';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: inject('postgresUrl') });
  await client.connect();
});
afterAll(() => client.end());

it('agrees with pg_visible_in_snapshot for every transaction id around the snapshot', async () => {
  for (const text of ['10:20:10,14,15', '5:5:', '3:9:3', '100:105:101,102,103,104']) {
    const snapshot = parseDatabaseSnapshot(text);
    const { rows } = await client.query<{ xid: string; visible: boolean }>(
      `SELECT x::text AS xid, pg_visible_in_snapshot(x::text::xid8, $1::pg_snapshot) AS visible
         FROM generate_series(1, 110) x`,
      [text],
    );
    for (const { xid, visible } of rows)
      expect(isVisibleIn(snapshot, BigInt(xid)), `${xid} in ${text}`).toBe(visible);
  }
});

it('refuses what is not a snapshot', () => {
  expect(() => parseDatabaseSnapshot('10')).toThrow('Expected a snapshot');
});
