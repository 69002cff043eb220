import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { clientKey, idsOfClientId } from '../order-tables.ts';
import { REBUILT_TABLES } from './tables.ts';

let test: TestContext;
beforeAll(async () => {
  test = await createTestContext();
});
afterAll(() => test.close());

const page = readFileSync(new URL('../../../../docs/scale.md', import.meta.url), 'utf8');
const listed = page
  .slice(page.indexOf("## The indices of the venue's tables"))
  .matchAll(/^\| `(?<name>\w+)` +\| `(?<columns>[\w, ]+)`/gm);

describe('the indices of the projections', () => {
  it('are those of docs/scale.md, which names their reads', async () => {
    const { rows } = await test.owner.query<{ name: string; columns: string }>(
      `SELECT c.relname AS name, string_agg(coalesce(a.attname, 'expression'), ', ' ORDER BY k.place) AS columns
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
         CROSS JOIN unnest(i.indkey::smallint[]) WITH ORDINALITY AS k (number, place)
         LEFT JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number
        WHERE i.indrelid = ANY($1::regclass[]) GROUP BY 1`,
      [[...REBUILT_TABLES, 'trading_stream_pages']],
    );
    const found = rows.map(({ name, columns }) => `${name}: ${columns}`);
    const named = [...listed].map(({ groups }) => `${groups?.name}: ${groups?.columns}`);
    expect(found.toSorted()).toEqual(named.toSorted());
  });

  it('are used by the lookup of a client id, of which the database computes the same number', async () => {
    const client = await test.owner.connect();
    try {
      // The tables are empty, and of an empty one everything is read at once.
      await client.query('SET enable_seqscan = off');
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN SELECT c.order_id FROM unnest($1::bigint[], $2::text[]) AS w (account_id, client_order_id)
           CROSS JOIN LATERAL ${idsOfClientId('w')} AS c`,
        [[1], ['desk-a-1']],
      );
      const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
      expect(plan).toContain('client_orders_pkey');
      expect(plan).toContain('order_client_ids_key');
      for (const [account, id] of [
        [1, 'desk-a-1'],
        [2 ** 31 - 1, ''],
        [40_000, 'größer 🦊'],
      ] as const) {
        const { rows: keys } = await client.query<{ key: string }>(
          'SELECT client_key($1, $2)::text AS key',
          [account, id],
        );
        expect(keys).toEqual([{ key: String(clientKey(account, id)) }]);
      }
    } finally {
      client.release(true);
    }
  });

  it('let no movement of money be posted twice', async () => {
    const post = (entryId: number, referenceType: string) =>
      test.owner.query(
        `INSERT INTO ledger_entries VALUES (1, $1, 'btc', 'deposit', 'in', 1, 0, 1, $2, 'd1', 'BTC', 1, 1)`,
        [entryId, referenceType],
      );
    await post(1, 'deposit');
    await expect(post(2, 'deposit')).rejects.toThrow('ledger_entries_movement');
    await post(3, 'trade');
    await expect(post(3, 'trade')).rejects.toThrow('ledger_entries_pkey');
  });
});
