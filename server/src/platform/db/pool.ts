// Connections to PostgreSQL. Everything else receives the pool or a transaction as an argument.
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { preparing } from './prepared.ts';
import type { DB } from './schema.generated.ts';

/** What a store takes: the database itself, or a transaction on it. */
export type Db = Kysely<DB>;

export interface Database {
  readonly pool: pg.Pool;
  readonly db: Db;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  poolMax: number;
  name: string;
  onError(error: Error): void;
}

// bigint columns arrive as BigInt; a store turns them into numbers only where it can say why they fit.
// Set for this pool and not for the whole library, which the job runner uses in its own way.
const INT8: number = pg.types.builtins.INT8;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text') =>
    oid === INT8 && format === 'text' ? BigInt : pg.types.getTypeParser(oid, format),
};

const CONNECT_TIMEOUT_MS = 2000;
const STATEMENT_TIMEOUT_MS = 5000;
/** A snapshot held open keeps dead rows of the outbox alive and slows the relay. */
const IDLE_IN_TRANSACTION_MS = 60_000;

export function openDatabase({ url, poolMax, name, onError }: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    types,
    max: poolMax,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
  });
  // Without a listener a lost idle connection would end the process; the pool replaces it by itself.
  pool.on('error', (error) => {
    // The pool hangs the whole client on its error; a log line needs none of it.
    Object.defineProperty(error, 'client', { enumerable: false });
    onError(error);
  });
  // The same for one that is in use and waits between two statements: whoever uses it sees it at the next.
  pool.on('connect', (client) => client.on('error', () => {}));
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool: preparing(pool) }),
    plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
  });
  return {
    pool,
    db,
    async close() {
      await db.destroy();
      // The query builder ends the pool only if it has used it.
      if (!pool.ending) await pool.end();
    },
  };
}
