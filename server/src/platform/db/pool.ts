// Connections to PostgreSQL. Everything else receives the pool or a transaction as an argument.
import { CamelCasePlugin, Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isOverWithin } from '../std/wait.ts';
import { preparing, StatementNames } from './prepared.ts';
import type { DB } from './schema.generated.ts';

/** What a store takes: the database itself, or a transaction on it. */
export type Db = Kysely<DB>;

export interface Database {
  readonly pool: pg.Pool;
  readonly db: Db;
  /** The query builder on one connection, which the caller takes and gives back. */
  on(client: Pick<pg.PoolClient, 'query'>): Db;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  url: string;
  poolMax: number;
  name: string;
  /** How long one statement may take. */
  statementMs?: number;
  onError(error: Error): void;
  /** Called for each caller that is refused because too many wait. */
  onFull?(): void;
}

// bigint columns arrive as BigInt; a store converts them to numbers only where it can say why they
// fit. Set for this pool only, because the job runner uses the library in its own way.
const INT8: number = pg.types.builtins.INT8;
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format: 'text' | 'binary' = 'text') =>
    oid === INT8 && format === 'text' ? BigInt : pg.types.getTypeParser(oid, format),
};

/** How long a caller waits for a connection, whether one must be opened or all are in use. */
const CONNECT_TIMEOUT_MS = 2000;
/**
 * Callers that may wait, per connection. A waiting caller holds a request in memory, and at a
 * millisecond per statement more than these would time out anyway.
 */
export const WAITING_PER_CONNECTION = 100;
const STATEMENT_TIMEOUT_MS = 5000;
/**
 * How long closing waits for running statements before it cancels them, and then for those to end.
 */
const LAST_STATEMENTS_MS = 250;
/** An open snapshot keeps dead rows of the outbox alive and slows the relay. */
const IDLE_IN_TRANSACTION_MS = 60_000;

/** Every connection is in use and too many callers wait already. Nothing was done. */
export class PoolFullError extends Error {
  override name = 'PoolFullError';
  constructor() {
    super('Too many callers wait for a database connection already. Nothing was done.');
  }
}

/**
 * PostgreSQL would compile a statement that it expects to be long, for most of a second. Ours end
 * early, at the limit of a page, which that estimate does not see.
 */
const NO_COMPILER = '-c jit=off';

type OnConnect = Parameters<pg.Pool['connect']>[0];

/**
 * The library lets any number of callers wait; here the number is bounded and the rest are refused
 * at once.
 */
class BoundedPool extends pg.Pool {
  readonly #onFull: () => void;

  constructor(config: pg.PoolConfig, onFull: () => void) {
    super(config);
    this.#onFull = onFull;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: OnConnect): void;
  override connect(callback?: OnConnect): Promise<pg.PoolClient> | void {
    // A caller that gets an idle connection is in the queue for a moment as well.
    if (this.waitingCount - this.idleCount >= this.options.max * WAITING_PER_CONNECTION) {
      this.#onFull();
      const full = new PoolFullError();
      if (callback === undefined) return Promise.reject(full);
      process.nextTick(callback, full, undefined, () => {});
      return;
    }
    return callback === undefined ? super.connect() : super.connect(callback);
  }
}

export function openDatabase(options: DatabaseOptions): Database {
  const { url, poolMax, name, statementMs = STATEMENT_TIMEOUT_MS, onError, onFull } = options;
  const config: pg.PoolConfig = {
    connectionString: url,
    types,
    max: poolMax,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 30_000,
    statement_timeout: statementMs,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
    keepAlive: true,
    options: NO_COMPILER,
  };
  const pool = new BoundedPool(config, onFull ?? (() => {}));
  const inUse = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => inUse.delete(client));
  pool.on('remove', (client) => inUse.delete(client));
  // Without a listener a lost idle connection would end the process; the pool replaces it by
  // itself.
  pool.on('error', (error) => {
    // The pool attaches the whole client to its error; a log line does not need it.
    Object.defineProperty(error, 'client', { enumerable: false });
    onError(error);
  });
  // The same for one that is in use between two statements: its user gets the error at the next.
  pool.on('connect', (client) => client.on('error', () => {}));
  const names = new StatementNames();
  const build = (source: Pick<pg.Pool, 'options' | 'connect' | 'end'>): Db =>
    new Kysely<DB>({
      dialect: new PostgresDialect({ pool: preparing(source, names) }),
      plugins: [new CamelCasePlugin({ maintainNestedObjectKeys: true })],
    });
  const db = build(pool);
  return {
    pool,
    db,
    on: (client) => build(lending(pool.options, client)),
    async close() {
      const ended = pool.ending ? Promise.resolve() : pool.end();
      if (await isOverWithin(ended, LAST_STATEMENTS_MS)) return;
      // Nobody waits for these results any more. A pool that waited for them would wait as long as
      // they take, and for ever if a connection was never given back.
      await cancelAll(url, inUse);
      if (await isOverWithin(ended, LAST_STATEMENTS_MS)) return;
      const left = inUse.size;
      for (const client of inUse) client.release(true);
      onError(new Error(`${left} connections of "${name}" were never given back; they are cut.`));
    },
  };
}

async function cancelAll(url: string, clients: Iterable<pg.PoolClient>): Promise<void> {
  const pids = [...clients].map((client) => processIdOf(client));
  const canceller = new pg.Client({
    connectionString: url,
    application_name: 'rialto stop',
    connectionTimeoutMillis: LAST_STATEMENTS_MS,
    query_timeout: LAST_STATEMENTS_MS,
  });
  canceller.on('error', () => {});
  try {
    await canceller.connect();
    await canceller.query('SELECT pg_cancel_backend(pid) FROM unnest($1::int[]) AS pid', [pids]);
  } catch {
    // Then they end at their time limit.
  }
  void canceller.end().catch(() => {});
}

/** The PostgreSQL process that serves a connection. */
export const processIdOf = (client: pg.PoolClient): number | null =>
  (client as pg.PoolClient & { readonly processID: number | null }).processID;

/** A pool of one connection that still belongs to the caller. */
function lending(
  options: pg.PoolOptions,
  client: Pick<pg.PoolClient, 'query'>,
): Pick<pg.Pool, 'options' | 'connect' | 'end'> {
  const lent = { query: client.query.bind(client), release: () => {} };
  // The query builder uses nothing else of a connection.
  const connect = (async () => lent) as unknown as pg.Pool['connect'];
  return { options, connect, end: async () => {} };
}
