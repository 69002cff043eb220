// The projections' tables as a set: created a second time in a separate schema, compared, and
// swapped.
import { TABLE_GRANTS } from '../../platform/db/grants.ts';
import { grantStatement, ident } from '../../platform/db/server-role.ts';
import { clientOrdersFrom, everyClientOrder, ORDERS_NAME, ordersFrom } from '../order-tables.ts';
import type { Queryable } from './bulk.ts';
import { TRADES_NAME, tradesFrom } from '../trade-tables.ts';
import { derivedLinesOf, everyLineOf } from './ledger/derive.ts';
import { ORDER_COLUMNS, REBUILT_TABLES, TRADES, ZERO_IS_NULL } from './tables.ts';

const NEXT = 'projections_next';
const OLD = 'projections_old';

export async function dropTables(db: Queryable): Promise<void> {
  await db.query(`DROP SCHEMA IF EXISTS ${NEXT} CASCADE`);
  await db.query(`DROP SCHEMA IF EXISTS ${OLD} CASCADE`);
}

/** Empty tables like the live ones, with indexes of the same names, so that later migrations find them. */
export async function createTables(db: Queryable): Promise<void> {
  await db.query(`CREATE SCHEMA ${NEXT}`);
  for (const table of REBUILT_TABLES) {
    // LIKE copies neither of them.
    const { rows: kinds } = await db.query<{ parts: string; options: string }>(
      `SELECT coalesce('PARTITION BY ' || pg_get_partkeydef(oid), '') AS parts,
              coalesce('WITH (' || array_to_string(reloptions, ', ') || ')', '') AS options
         FROM pg_class WHERE oid = $1::regclass`,
      [`public.${table}`],
    );
    await db.query(
      `CREATE TABLE ${NEXT}.${table} (LIKE public.${table} INCLUDING ALL EXCLUDING INDEXES)
       ${kinds[0]?.parts ?? ''} ${kinds[0]?.options ?? ''}`,
    );
    const { rows } = await db.query<{ name: string; definition: string; is_primary: boolean }>(
      `SELECT c.relname AS name, pg_get_indexdef(i.indexrelid) AS definition, i.indisprimary AS is_primary
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
        WHERE i.indrelid = $1::regclass ORDER BY i.indisprimary DESC, c.relname`,
      [`public.${table}`],
    );
    for (const { name, definition, is_primary: isPrimary } of rows) {
      await db.query(definition.replace(/ ON (?:ONLY )?public\.\w+ /, ` ON ${NEXT}.${table} `));
      if (!isPrimary) continue;
      await db.query(
        `ALTER TABLE ${NEXT}.${table} ADD CONSTRAINT ${name} PRIMARY KEY USING INDEX ${name}`,
      );
    }
    for (const { part, bound } of await listParts(db, `public.${table}`)) {
      await db.query(`CREATE TABLE ${NEXT}.${part} (LIKE public.${part} INCLUDING ALL)`);
      await db.query(`ALTER TABLE ${NEXT}.${table} ATTACH PARTITION ${NEXT}.${part} ${bound}`);
    }
    for (const { part, bound, id } of await listArchivedParts(db, table)) {
      await db.query(
        `CREATE TABLE ${NEXT}.${part} (LIKE public.${table} INCLUDING ALL, PRIMARY KEY (${id}))`,
      );
      await db.query(`ALTER TABLE ${NEXT}.${table} ATTACH PARTITION ${NEXT}.${part} ${bound}`);
    }
  }
}

/** Days whose rows are in files. A rebuild writes them into the table again, each into a part of its own. */
async function listArchivedParts(
  db: Queryable,
  table: string,
): Promise<{ readonly part: string; readonly bound: string; readonly id: string }[]> {
  const { rows } = await db.query<{ part: string; bound: string; id: string }>(
    `SELECT h.name || '_' || to_char(to_timestamp(a.day_ms / 1000) AT TIME ZONE 'UTC', 'YYYYMMDD') AS part,
            format('FOR VALUES FROM (%s) TO (%s)', a.day_ms, a.day_ms + 86400000) AS bound, h.id_column AS id
       FROM public.history_archives a JOIN public.history_tables h USING (name)
      WHERE a.name = $1 AND a.state = 'archived' ORDER BY a.day_ms`,
    [table],
  );
  return rows;
}

/** The parts of a table that is stored by days, and which days each has. */
async function listParts(
  db: Queryable,
  table: string,
): Promise<{ readonly part: string; readonly bound: string }[]> {
  const { rows } = await db.query<{ part: string; bound: string }>(
    `SELECT c.relname AS part, pg_get_expr(c.relpartbound, c.oid) AS bound
       FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
      WHERE i.inhparent = $1::regclass ORDER BY 1`,
    [table],
  );
  return rows;
}

/** The new tables get the same grants for the server as the old ones. */
export async function grantTables(db: Queryable, server: string): Promise<void> {
  for (const table of REBUILT_TABLES) {
    await db.query(grantStatement(`${NEXT}.${table}`, TABLE_GRANTS[table] ?? [], ident(server)));
  }
}

/** So that the first queries after the swap are planned as well as the last before it. */
export async function analyzeTables(db: Queryable): Promise<void> {
  for (const table of REBUILT_TABLES) await db.query(`ANALYZE ${NEXT}.${table}`);
}

export interface Fingerprint {
  readonly table: string;
  readonly rows: number;
  /** The same for the same rows in any order. */
  readonly hash: string;
}

/** Columns from which lines are derived: lines are compared instead. */
const DERIVED_FROM = [
  'first_entry_id',
  'buyer_quote_after',
  'buyer_base_after',
  'seller_base_after',
  'seller_quote_after',
];

const comparedOrders = (orders: string): string =>
  `(SELECT ${ORDER_COLUMNS.map(([column]) =>
    ZERO_IS_NULL.includes(column) ? `coalesce(${column}, 0)` : column,
  ).join(', ')} FROM ${orders} AS o)`;

/** What is compared of a table, where that is not every column as it stands. */
const COMPARED: Readonly<Record<string, (schema: string) => string>> = {
  // Unconfirmed amounts belong to custody, not to the engine; rows of zeros are not compared.
  balances: (schema) =>
    `(SELECT account_id, coin, available, held, pending_withdraw, updated_at FROM ${schema}.balances
       WHERE available + held + pending_withdraw > 0)`,
  // An older release stored the lines of trades that are derived now; they are the same lines.
  ledger_entries: everyLineOf,
  // An older release stored what was asked for here; it stands beside the order now.
  client_orders: everyClientOrder,
  order_client_ids: (schema) =>
    `(SELECT client_key, order_id FROM ${schema}.order_client_ids
      UNION ALL SELECT client_key(account_id, client_order_id), order_id FROM ${schema}.client_orders)`,
  trading_orders: (schema) => comparedOrders(`${schema}.${ORDERS_NAME}`),
  trading_live_orders: (schema) => comparedOrders(`${schema}.trading_live_orders`),
  trading_trades: (schema) => comparedTrades(`${schema}.${TRADES_NAME}`),
};

const comparedTrades = (trades: string): string =>
  `(SELECT ${TRADES.columns
    .map(([column]) => column)
    .filter((column) => !DERIVED_FROM.includes(column))
    .join(', ')} FROM ${trades} AS t)`;

/** What rows of archived days of a table add to the tables. */
const IN_FILES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [TRADES_NAME]: {
    [TRADES_NAME]: comparedTrades(tradesFrom('$1')),
    ledger_entries: derivedLinesOf('public', tradesFrom('$1')),
  },
  [ORDERS_NAME]: {
    [ORDERS_NAME]: comparedOrders(ordersFrom('$1')),
    client_orders: clientOrdersFrom('$1'),
  },
};

/** Some rows of an archived day. */
export interface ArchivedRows {
  /** The table that had them. */
  readonly name: string;
  /** As a JSON array. */
  readonly rows: string;
}

/** The prints of the live tables and of the days that are in files. */
export async function fingerprintWithFiles(
  db: Queryable,
  archived: AsyncIterable<ArchivedRows>,
): Promise<Fingerprint[]> {
  const prints = await fingerprint(db, 'public', { hashed: true });
  const sums = new Map(
    prints.map(({ table, rows, hash }) => [table, { rows, hash: BigInt(hash) }]),
  );
  for await (const { name, rows } of archived) {
    for (const [table, source] of Object.entries(IN_FILES[name] ?? {})) {
      const found = await printOf(db, source, true, [rows]);
      const sum = sums.get(table);
      if (sum === undefined) continue;
      sum.rows += found.rows;
      sum.hash += BigInt(found.hash);
    }
  }
  return [...sums].map(([table, { rows, hash }]) => ({ table, rows, hash: String(hash) }));
}

/** Hashes are summed, so that neither order nor repetition is lost; the sum of a billion is far from overflow. */
async function printOf(
  db: Queryable,
  source: string,
  isHashed: boolean,
  values: readonly unknown[] = [],
): Promise<{ readonly rows: number; readonly hash: string }> {
  const hash = isHashed ? 'coalesce(sum(hashtextextended(t::text, 0)::numeric), 0)::text' : "''";
  const { rows } = await db.query<{ rows: string; hash: string }>(
    `SELECT count(*)::text AS rows, ${hash} AS hash FROM ${source} AS t`,
    [...values],
  );
  return { rows: Number(rows[0]?.rows), hash: rows[0]?.hash ?? '' };
}

export async function fingerprint(
  db: Queryable,
  which: 'public' | 'next',
  { hashed }: { readonly hashed: boolean },
): Promise<Fingerprint[]> {
  const prints: Fingerprint[] = [];
  for (const table of REBUILT_TABLES) {
    const schema = which === 'next' ? NEXT : 'public';
    const source = (hashed && COMPARED[table]?.(schema)) || `${schema}.${table}`;
    prints.push({ table, ...(await printOf(db, source, hashed)) });
  }
  return prints;
}

/** Longer than readers take, but short enough for waiting requests. */
const LOCK_TIMEOUT_MS = 500;

export const swapTables = {
  /** Waits for the readers, and blocks everybody else until the transaction ends. */
  async lock(db: Queryable): Promise<void> {
    await db.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    const names = REBUILT_TABLES.map((table) => `public.${table}`).join(', ');
    await db.query(`LOCK TABLE ${names} IN ACCESS EXCLUSIVE MODE`);
  },
  async rename(db: Queryable): Promise<void> {
    // Unconfirmed deposits are not in the journal, so they are copied over.
    await db.query(
      `INSERT INTO ${NEXT}.balances AS n (account_id, coin, pending_deposit, updated_at)
       SELECT account_id, coin, pending_deposit, updated_at FROM public.balances WHERE pending_deposit > 0
       ON CONFLICT (account_id, coin) DO UPDATE SET pending_deposit = excluded.pending_deposit`,
    );
    // Every day is in the tables again. Its file is an attempt from now on, which the next run of the archive removes.
    await db.query("UPDATE public.history_archives SET state = 'writing' WHERE state <> 'writing'");
    await db.query('TRUNCATE public.ledger_closings, public.archived_fills');
    await db.query(`CREATE SCHEMA ${OLD}`);
    for (const table of REBUILT_TABLES) {
      await moveTable(db, table, 'public', OLD);
      await moveTable(db, table, NEXT, 'public');
    }
  },
};

/** With its parts, which do not follow it by themselves. */
async function moveTable(db: Queryable, table: string, from: string, to: string): Promise<void> {
  const parts = (await listParts(db, `${from}.${table}`)).map(({ part }) => part);
  for (const name of [table, ...parts]) {
    await db.query(`ALTER TABLE ${from}.${name} SET SCHEMA ${to}`);
  }
}
