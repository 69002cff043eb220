// What PostgreSQL itself refuses the server's role, asked of the catalogue, so that no table is
// forgotten.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTestContext, type TestContext } from '../../testing/context.ts';
import { withDatabase } from '../../testing/database.ts';
import { trimLog, readBounds } from '../events/log.ts';
import { FUNCTION_GRANTS, TABLE_GRANTS } from './grants.ts';
import { migrate } from './migrate.ts';
import { findRoleProblems } from './role-check.ts';

const REFUSED = '42501';
/** Only called by other functions, or by the owner. */
const INTERNAL = [
  'oldest_event_partition()',
  'history_part_end(oid)',
  'remove_journal_part(smallint,bigint)',
];
const APPEND_ONLY = [
  'trading_journal',
  'ledger_entries',
  'trading_trades',
  'client_orders',
  'prevented_matches',
  'audit_log',
  'custody_evidence',
  'venue',
  'request_claims',
  'poisoned_commands',
];

let test: TestContext;
let server: pg.Pool;
beforeAll(async () => {
  test = await createTestContext();
  server = test.ctx.database.pool;
});
afterAll(() => test.close());

const codeOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: unknown) => (error as { code?: string }).code ?? String(error),
  );
const attempt = (statement: string) => codeOf(server.query(statement));

const TOGETHER = 10;

/** Runs some in parallel, since they are many; returns those that were not refused. */
async function notRefused(statements: readonly string[]): Promise<string[]> {
  const done: string[] = [];
  for (let from = 0; from < statements.length; from += TOGETHER) {
    const some = statements.slice(from, from + TOGETHER);
    const codes = await Promise.all(some.map(attempt));
    done.push(...some.flatMap((text, n) => (codes[n] === REFUSED ? [] : [`${text}: ${codes[n]}`])));
  }
  return done;
}

const column = async (statement: string): Promise<string[]> => {
  const { rows } = await test.owner.query<{ name: string }>(statement);
  return rows.map(({ name }) => name);
};
const listTables = (isPartition = false) =>
  column(`SELECT relname AS name FROM pg_class
           WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
             AND relispartition = ${isPartition} ORDER BY relname`);

describe('the list of grants', () => {
  it('has a line for every table, and no other lines', async () => {
    expect(Object.keys(TABLE_GRANTS).sort()).toEqual((await listTables()).sort());
  });

  it('has every function except triggers and internal ones', async () => {
    const known = await column(
      `SELECT oid::regprocedure::text AS name FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prorettype <> 'trigger'::regtype`,
    );
    const { rows } = await test.owner.query<{ name: string }>(
      'SELECT (to_regprocedure(name))::text AS name FROM unnest($1::text[]) AS name',
      [[...FUNCTION_GRANTS, ...INTERNAL]],
    );
    expect(rows.map(({ name }) => name).sort()).toEqual(known.sort());
  });

  it('matches what the database grants, and nothing more', async () => {
    expect(await findRoleProblems(server)).toEqual([]);
    const publicly = await column(
      `SELECT c.relname || ' ' || a.privilege_type AS name
         FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a
        WHERE c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) AND a.grantee = 0
       UNION ALL
       SELECT p.oid::regprocedure::text FROM pg_proc p
         CROSS JOIN LATERAL aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) AS a
        WHERE p.pronamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) AND a.grantee = 0`,
    );
    expect(publicly).toEqual([]);
  });

  it("prevents shadowing a table of a function that runs with the owner's rights", async () => {
    const loose = await column(
      `SELECT oid::regprocedure::text AS name FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace AND prosecdef
          AND NOT coalesce(proconfig, '{}') @> ARRAY['search_path=pg_catalog, public, pg_temp']`,
    );
    expect(loose).toEqual([]);
    const client = await server.connect();
    try {
      await client.query(
        `CREATE TEMP TABLE event_head AS SELECT true AS id, 10^9::bigint AS position, 10^9::bigint AS trimmed_through`,
      );
      await client.query(`SELECT public.raise_event_floor(now() + interval '1 day')`);
      const { rows } = await client.query(
        'SELECT public.drop_trimmed_event_partition() AS dropped',
      );
      expect(rows).toEqual([{ dropped: false }]);
    } finally {
      client.release(true);
    }
    expect(await readBounds(server)).toMatchObject({ trimmedThrough: 0 });
  });
});

describe("the server's role is refused by PostgreSQL itself", () => {
  it('to drop, empty, alter or lock any table, to switch its triggers off, or to add one', async () => {
    for (const table of [...(await listTables()), ...(await listTables(true))]) {
      const statements = [
        `DROP TABLE public.${table}`,
        `TRUNCATE public.${table}`,
        `ALTER TABLE public.${table} DISABLE TRIGGER ALL`,
        `ALTER TABLE public.${table} ADD COLUMN more int`,
        `ALTER TABLE public.${table} OWNER TO CURRENT_USER`,
        `ALTER TABLE public.${table} DISABLE ROW LEVEL SECURITY`,
        `ALTER TABLE public.${table} RENAME TO gone`,
        `CREATE INDEX ON public.${table} ((1))`,
        `CREATE TRIGGER t BEFORE INSERT ON public.${table} EXECUTE FUNCTION refuse_change()`,
        `CREATE RULE r AS ON INSERT TO public.${table} DO INSTEAD NOTHING`,
      ];
      expect(await notRefused(statements)).toEqual([]);
    }
  });

  it('to change or delete append-only rows', async () => {
    for (const table of APPEND_ONLY) {
      expect(TABLE_GRANTS[table], table).toEqual(['SELECT', 'INSERT']);
      const [name] = await column(
        `SELECT attname AS name FROM pg_attribute
          WHERE attrelid = 'public.${table}'::regclass AND attnum = 1`,
      );
      const statements = [
        `UPDATE public.${table} SET ${name} = DEFAULT`,
        `DELETE FROM public.${table}`,
        `SELECT FROM public.${table} FOR UPDATE`,
        `MERGE INTO public.${table} USING (SELECT 1) AS one ON true WHEN MATCHED THEN DELETE`,
        `DO 'BEGIN LOCK TABLE public.${table} IN EXCLUSIVE MODE; END'`,
      ];
      expect(await notRefused(statements)).toEqual([]);
    }
  });

  it('to change a column, or to delete a row, where the list does not say so', async () => {
    const refused: string[] = [];
    for (const [table, grant] of Object.entries(TABLE_GRANTS)) {
      if (!grant.includes('DELETE')) refused.push(`DELETE FROM public.${table}`);
      if (grant.includes('UPDATE')) continue;
      const named = grant.find((privilege) => privilege.startsWith('UPDATE (')) ?? '';
      const columns = await column(
        `SELECT attname AS name FROM pg_attribute
          WHERE attrelid = 'public.${table}'::regclass AND attnum > 0 AND NOT attisdropped`,
      );
      for (const name of columns) {
        if (named.slice('UPDATE ('.length, -1).split(', ').includes(name)) continue;
        refused.push(`UPDATE public.${table} SET ${name} = DEFAULT`);
      }
    }
    expect(refused.length).toBeGreaterThan(100);
    expect(await notRefused(refused)).toEqual([]);
  });

  it('to access a partition directly', async () => {
    const partitions = await listTables(true);
    expect(partitions.length).toBeGreaterThan(2);
    for (const table of partitions) {
      expect(await attempt(`SELECT FROM public.${table}`), table).toBe(REFUSED);
      expect(await attempt(`DELETE FROM public.${table}`), table).toBe(REFUSED);
    }
  });

  it.each([
    `SET session_replication_role = 'replica'`,
    'SET ROLE rialto',
    'SET SESSION AUTHORIZATION rialto',
    'CREATE TABLE public.mine (n int)',
    'CREATE TABLE graphile_worker.mine (n int)',
    'CREATE SCHEMA mine',
    `CREATE FUNCTION public.mine() RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    `CREATE OR REPLACE FUNCTION public.refuse_change() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'`,
    'ALTER FUNCTION public.drop_trimmed_event_partition() SECURITY INVOKER',
    'DROP FUNCTION public.refuse_change() CASCADE',
    'CREATE ROLE mine SUPERUSER',
    'ALTER ROLE rialto_server SUPERUSER',
    'ALTER ROLE rialto_server BYPASSRLS',
    'GRANT rialto TO rialto_server',
    'CREATE DATABASE mine',
    'CREATE EXTENSION dblink',
    'ALTER SYSTEM SET fsync = off',
    'CREATE EVENT TRIGGER mine ON ddl_command_start EXECUTE FUNCTION refuse_change()',
    'CREATE PUBLICATION mine FOR ALL TABLES',
    `COPY trading_journal TO PROGRAM 'cat'`,
    `COPY trading_journal TO '/tmp/journal'`,
    `COPY trading_journal FROM PROGRAM 'echo'`,
    `SELECT pg_read_file('/etc/passwd')`,
    `SELECT lo_import('/etc/passwd')`,
    'SELECT rolpassword FROM pg_authid',
    `SELECT setval('message_ids', 1)`,
    `SELECT setval('users_id_seq', 1)`,
    'ALTER SEQUENCE operator_commands_id_seq RESTART',
    'INSERT INTO event_log SELECT * FROM event_log',
    'UPDATE event_head SET position = 0',
    'DELETE FROM outbox',
    'UPDATE custody_assets SET amount = 0',
    `INSERT INTO custody_assets (coin, network, amount) VALUES ('btc', 'BTC', 1)`,
    'DELETE FROM migrations',
    'DELETE FROM graphile_worker.migrations',
    'SELECT oldest_event_partition()',
    'UPDATE operator_commands SET command = command',
    'UPDATE operator_commands SET requested_by_id = requested_by_id',
    'UPDATE trading_accounts SET user_id = user_id',
    'DELETE FROM users',
  ])('%s', async (statement) => {
    expect(await attempt(statement)).toBe(REFUSED);
  });
});

describe("the owner's functions refuse what is not due", () => {
  it('the event log’s partitions are created ahead within bounds', async () => {
    for (const ahead of ['-1', '1000001', 'NULL']) {
      expect(await attempt(`SELECT ensure_event_partitions(${ahead})`)).toBe('RJ006');
    }
    expect(await attempt('SELECT ensure_event_partitions(100000)')).toBe('done');
  });

  it('events of the last hour stay, and so does the partition that is written to', async () => {
    const { rows } = await server.query(
      `SELECT raise_event_floor('infinity') AS raised, drop_trimmed_event_partition() AS dropped`,
    );
    expect(rows).toEqual([{ raised: false, dropped: false }]);
    // A whole partition of events, of which the newest is a minute too young.
    await test.owner.query(
      `INSERT INTO event_log (position, xid, type, payload, audience, rights_of, at)
       VALUES (1, '1', 'test', '{}', '{"users":[]}', '{}', now() - interval '59 minutes');
       UPDATE event_head SET position = 60000`,
    );
    expect(await trimLog(server, new Date(Date.now() + 86_400_000))).toBe(0);
    await test.owner.query(`UPDATE event_log SET at = at - interval '2 minutes'`);
    expect(await trimLog(server, new Date(Date.now() - 86_400_000))).toBe(0);
    expect(await trimLog(server, new Date())).toBe(1);
    expect(await readBounds(server)).toMatchObject({ trimmedThrough: 49_999 });
    expect(await trimLog(server, new Date())).toBe(0);
  });

  it('a reader that holds the log is waited for briefly, again and again, and others read meanwhile', async () => {
    await test.owner.query(
      `UPDATE event_head SET position = 100001; SELECT ensure_event_partitions(50000);
       INSERT INTO event_log (position, xid, type, payload, audience, rights_of, at)
       VALUES (60000, '1', 'test', '{}', '{"users":[]}', '{}', now() - interval '1 day')`,
    );
    const reader = await server.connect();
    await reader.query('BEGIN');
    await reader.query('SELECT FROM event_log LIMIT 1');
    let isDone = false;
    const trimming = trimLog(server, new Date()).finally(() => (isDone = true));
    for (let n = 0; n < 20; n += 1) await server.query('SELECT count(*) FROM event_log');
    expect(isDone).toBe(false);
    await reader.query('COMMIT');
    reader.release();
    expect(await trimming).toBe(1);
  });

  it('claims of the last two minutes stay, and partitions are created within bounds', async () => {
    const nowMs = Date.now();
    await server.query('SELECT ensure_claim_partitions($1, 6)', [nowMs]);
    await server.query(
      `INSERT INTO request_claims (signed_ms, key_id, signature, method, path) VALUES ($1, 'k', '\\x00', 'POST', '/')`,
      [nowMs],
    );
    await server.query('SELECT drop_claim_partitions($1)', [2n ** 62n]);
    const { rows } = await server.query('SELECT key_id FROM request_claims');
    expect(rows).toEqual([{ key_id: 'k' }]);
    for (const call of [`${nowMs}, 145`, `${nowMs}, -1`, '-5, 1', `${2n ** 62n}, 1`, 'NULL, 1']) {
      expect(await attempt(`SELECT ensure_claim_partitions(${call})`), call).toBe('RJ006');
    }
    const codes = new Set<string>();
    for (let day = 1; day <= 30; day += 1) {
      codes.add(await attempt(`SELECT ensure_claim_partitions(${nowMs + day * 86_400_000}, 12)`));
    }
    expect([...codes]).toEqual(['done', 'RJ006']);
  });

  it('message partitions are created within bounds; no function drops any', async () => {
    expect(await attempt('SELECT ensure_message_partitions(10000000)')).toBe('done');
    for (const ahead of ['-1', '100000001', 'NULL']) {
      expect(await attempt(`SELECT ensure_message_partitions(${ahead})`)).toBe('RJ006');
    }
  });
});

describe('an owner who is no superuser', () => {
  const suffix = randomBytes(4).toString('hex');
  const names = {
    owner: `owner_${suffix}`,
    server: `server_${suffix}`,
    database: `plain_${suffix}`,
  };
  const superuser = inject('postgresUrl');
  const urlOf = (role: string) => {
    const url = new URL(withDatabase(superuser, names.database));
    [url.username, url.password] = [role, 'a secret'];
    return url.href;
  };
  let admin: pg.Client;

  beforeAll(async () => {
    admin = new pg.Client({ connectionString: superuser });
    await admin.connect();
    // As the README has it.
    await admin.query(`CREATE ROLE ${names.owner} LOGIN PASSWORD 'a secret'`);
    await admin.query(`CREATE DATABASE ${names.database} OWNER ${names.owner}`);
  });
  afterAll(async () => {
    await admin.query(`DROP DATABASE IF EXISTS ${names.database} WITH (FORCE)`);
    await admin.query(`DROP ROLE IF EXISTS ${names.owner}, ${names.server}`);
    await admin.end();
  });

  it('is told to create the server’s role, when there is none', async () => {
    await expect(migrate(urlOf(names.owner), urlOf(names.server))).rejects.toThrow(
      `CREATE ROLE "${names.server}" LOGIN PASSWORD '…'`,
    );
  });

  it('migrates, and the server works with a role that may do nothing else', async () => {
    await admin.query(`CREATE ROLE ${names.server} LOGIN PASSWORD 'a secret'`);
    const migrated = await migrate(urlOf(names.owner), urlOf(names.server));
    expect(migrated.roles).toEqual({ owner: names.owner, server: names.server });
    // Repeating it changes nothing.
    expect(await migrate(urlOf(names.owner), urlOf(names.server))).toMatchObject({ applied: [] });
    const client = new pg.Client({ connectionString: urlOf(names.server) });
    await client.connect();
    try {
      expect(await findRoleProblems(client)).toEqual([]);
      expect(await codeOf(client.query('CREATE TEMP TABLE mine (n int)'))).toBe(REFUSED);
      for (const call of [
        'ensure_event_partitions(100000)',
        'ensure_claim_partitions(1760000000000, 6)',
        'drop_claim_partitions(1790000000000)',
        'ensure_message_partitions(20000000)',
        `raise_event_floor(now())`,
        'drop_trimmed_event_partition()',
        `graphile_worker.add_job('nothing', '{}')`,
      ]) {
        expect([call, await codeOf(client.query(`SELECT ${call}`))]).toEqual([call, 'done']);
      }
      await client.query(
        `INSERT INTO outbox (type, payload, audience) VALUES ('t', '{}', '{"users":[]}')`,
      );
      const { rows: moved } = await client.query(
        `SELECT type FROM relay_events('r', 10, interval '1 s')`,
      );
      expect(moved).toEqual([{ type: 't' }]);
      await client.query(
        `INSERT INTO custody_evidence (cause, coin, network, amount, source, who)
         VALUES ('deposit:ETH:1', 'eth', 'ETH', 5, 'operator', 'ava')`,
      );
      const { rows: sums } = await client.query('SELECT coin, amount FROM custody_assets');
      expect(sums).toEqual([{ coin: 'eth', amount: '5' }]);
      const { rows: jobs } = await client.query('SELECT task_identifier FROM graphile_worker.jobs');
      expect(jobs).toEqual([{ task_identifier: 'nothing' }]);
    } finally {
      await client.end();
    }
  });

  it('is needed to migrate: the server’s role is told who owns the database', async () => {
    await expect(migrate(urlOf(names.server))).rejects.toThrow(
      `The database belongs to the role "${names.owner}", and "${names.server}" cannot migrate it. Set DATABASE_OWNER_URL`,
    );
  });

  it('revokes at the next migration what somebody granted the server meanwhile', async () => {
    const database = new pg.Client({ connectionString: withDatabase(superuser, names.database) });
    await database.connect();
    try {
      await database.query(
        `GRANT DELETE, TRUNCATE ON audit_log TO ${names.server}; GRANT UPDATE (amount) ON ledger_entries TO ${names.server};
         GRANT UPDATE ON trading_journal TO PUBLIC; GRANT CREATE ON SCHEMA public TO ${names.server}`,
      );
    } finally {
      await database.end();
    }
    const client = new pg.Client({ connectionString: urlOf(names.server) });
    await client.connect();
    try {
      const told = (await findRoleProblems(client)).map(({ what }) => what).join(' ');
      expect(told).toContain('DELETE, TRUNCATE on audit_log');
      expect(told).toContain('UPDATE of ledger_entries (amount)');
      expect(told).toContain('UPDATE on trading_journal');
      expect(told).toContain('may create in the schema public');
      await migrate(urlOf(names.owner), urlOf(names.server));
      expect(await findRoleProblems(client)).toEqual([]);
    } finally {
      await client.end();
    }
  });
});

it('a superuser who migrates creates the server’s role, whose password then works', async () => {
  const name = `made_${randomBytes(4).toString('hex')}`;
  const url = new URL(test.config.DATABASE_URL);
  [url.username, url.password] = [name, encodeURIComponent("it's 50% of a $ecret")];
  expect(await migrate(test.config.DATABASE_OWNER_URL, url.href)).toMatchObject({
    wasRoleMade: true,
  });
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  expect(await findRoleProblems(client)).toEqual([]);
  await client.end();
  await test.owner.query(`DROP OWNED BY ${name}; DROP ROLE ${name}`);
});
