// Checks that the server's role has no more rights than it needs. A role with more is no reason to
// refuse service, but an attacker who takes the server over then has those rights too.
import type pg from 'pg';
import type { Log } from '../observe/log.ts';
import { FUNCTION_GRANTS, TABLE_GRANTS, type Grant } from './grants.ts';
import { ident, JOBS_SCHEMA } from './server-role.ts';

export interface RoleProblem {
  /**
   * Missing rights stop the server's work; surplus rights do harm only once an attacker takes the
   * server over.
   */
  readonly kind: 'too much' | 'too little';
  readonly what: string;
  readonly fix: string;
}

export const WHY_TOO_MUCH =
  'An attacker who takes over the server could change the journal, the ledger and the audit log unnoticed.';

/** These rows are what the venue owes and who did what. */
const PRECIOUS = ['trading_journal', 'ledger_entries', 'audit_log', 'custody_evidence', 'venue'];
/** Attributes that let a role extend its own rights. */
const ATTRIBUTES = {
  rolsuper: 'SUPERUSER',
  rolbypassrls: 'BYPASSRLS',
  rolcreaterole: 'CREATEROLE',
  rolcreatedb: 'CREATEDB',
  rolreplication: 'REPLICATION',
} as const;
/** Predefined PostgreSQL roles that bypass the grants of tables. */
const MIGHTY_ROLES = [
  'pg_read_all_data',
  'pg_write_all_data',
  'pg_read_server_files',
  'pg_write_server_files',
  'pg_execute_server_program',
];

type Queryable = Pick<pg.ClientBase, 'query'>;
type Attributes = Readonly<Record<keyof typeof ATTRIBUTES, boolean>>;

/** Logs at the start of a server what is wrong with its role: as an error where money is real. */
export async function reportRole(db: Queryable, money: string, log: Log): Promise<void> {
  for (const { kind, what, fix } of await findRoleProblems(db)) {
    const isError = kind === 'too little' || money === 'real';
    log[isError ? 'error' : 'warn'](
      `${what} ${kind === 'too much' ? `${WHY_TOO_MUCH} ` : ''}${fix}`,
    );
  }
}

/**
 * The surplus and missing rights of the connection's role; empty when all is well. On a migrated
 * database.
 */
export async function findRoleProblems(db: Queryable): Promise<RoleProblem[]> {
  const { rows } = await db.query<Attributes & { name: string }>(
    `SELECT rolname AS name, ${Object.keys(ATTRIBUTES).join(', ')} FROM pg_roles WHERE rolname = current_user`,
  );
  const role = rows[0];
  if (role === undefined) return [];
  const tooMuch = findAttributes(role);
  // A superuser passes every check, so nothing else can be said about it.
  if (role.rolsuper) return tooMuch;
  const owned = await findOwned(db, role.name);
  if (owned.length > 0) return [...tooMuch, ...owned];
  return [
    ...tooMuch,
    ...(await findMemberships(db, role.name)),
    ...(await findCreation(db, role.name)),
    ...(await findTableProblems(db, role.name)),
    ...(await findFunctionProblems(db, role.name)),
    ...(await findOtherProblems(db, role.name)),
  ];
}

const OWN_ROLE =
  'Give the server a role of its own: set DATABASE_OWNER_URL to what DATABASE_URL is now, for `rialto migrate` only; ' +
  "CREATE ROLE rialto_server LOGIN PASSWORD '…'; name that in DATABASE_URL; run `rialto migrate`.";

function findAttributes(role: Attributes & { name: string }): RoleProblem[] {
  if (role.rolsuper) {
    return [
      { kind: 'too much', what: `The server's role "${role.name}" is a superuser.`, fix: OWN_ROLE },
    ];
  }
  const names = (Object.keys(ATTRIBUTES) as (keyof Attributes)[])
    .filter((column) => role[column])
    .map((column) => ATTRIBUTES[column]);
  if (names.length === 0) return [];
  return [
    {
      kind: 'too much',
      what: `The server's role "${role.name}" has ${names.join(', ')}.`,
      fix: `As a superuser: ALTER ROLE ${ident(role.name)} ${names.map((name) => `NO${name}`).join(' ')};`,
    },
  ];
}

async function findOwned(db: Queryable, role: string): Promise<RoleProblem[]> {
  const { rows } = await db.query<{ count: number; example: string; owner: string }>(
    `SELECT count(*)::int AS count, min(c.oid::regclass::text) AS example,
            min(pg_get_userbyid(c.relowner)) AS owner
       FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'
        AND c.relkind IN ('r', 'p', 'v', 'm', 'S') AND pg_has_role(c.relowner, 'MEMBER')`,
  );
  const { count = 0, example = '', owner = '' } = rows[0] ?? {};
  if (count === 0) return [];
  const isItself = owner === role;
  return [
    {
      kind: 'too much',
      what: `The server's role "${role}" ${isItself ? 'owns' : `is a member of "${owner}", which owns`} ${count} tables and sequences, ${example} among them: it can drop and empty them, and switch their triggers off.`,
      fix: isItself ? OWN_ROLE : `As a superuser: REVOKE ${ident(owner)} FROM ${ident(role)};`,
    },
  ];
}

async function findMemberships(db: Queryable, role: string): Promise<RoleProblem[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT rolname AS name FROM pg_roles WHERE (rolname = ANY ($1) OR rolsuper) AND pg_has_role(oid, 'MEMBER')`,
    [MIGHTY_ROLES],
  );
  return rows.map(({ name }) => ({
    kind: 'too much',
    what: `The server's role "${role}" is a member of ${name}.`,
    fix: `As a superuser: REVOKE ${name} FROM ${ident(role)};`,
  }));
}

async function findCreation(db: Queryable, role: string): Promise<RoleProblem[]> {
  const { rows } = await db.query<{ name: string; type: string }>(
    `SELECT nspname AS name, 'SCHEMA' AS type FROM pg_namespace
      WHERE nspname NOT LIKE 'pg\\_%' AND has_schema_privilege(oid, 'CREATE')
     UNION ALL
     SELECT datname, 'DATABASE' FROM pg_database
      WHERE datname = current_database() AND has_database_privilege(oid, 'CREATE')`,
  );
  return rows.map(({ name, type }) => ({
    kind: 'too much',
    what: `The server's role "${role}" may create in the ${type.toLowerCase()} ${name}.`,
    fix: `As the owner: REVOKE CREATE ON ${type} ${ident(name)} FROM ${ident(role)}, PUBLIC;`,
  }));
}

const PRIVILEGES = ['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER'];

/** Rights on each table that are not in the list, and the reverse. */
async function findTableProblems(db: Queryable, role: string): Promise<RoleProblem[]> {
  const { rows } = await db.query<{ table: string; held: string[]; columns: string[] }>(
    `SELECT c.relname AS table,
            ARRAY(SELECT p FROM unnest($1::text[]) AS p WHERE has_table_privilege(c.oid, p)) AS held,
            ARRAY(SELECT a.attname::text FROM pg_attribute a
                   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
                     AND has_column_privilege(c.oid, a.attnum, 'UPDATE')) AS columns
       FROM pg_class c
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm')
      ORDER BY NOT c.relname = ANY ($2), c.relname`,
    [PRIVILEGES, PRECIOUS],
  );
  const excess: string[] = [];
  const missing: string[] = [];
  for (const { table, held, columns } of rows) {
    const { privileges, columns: allowed } = allowedOn(TABLE_GRANTS[table] ?? []);
    const isWhole = privileges.includes('UPDATE');
    const more = held.filter((name) => !privileges.includes(name));
    const moreColumns =
      isWhole || more.includes('UPDATE') ? [] : columns.filter((name) => !allowed.includes(name));
    if (more.length > 0) excess.push(`${more.join(', ')} on ${table}`);
    if (moreColumns.length > 0) excess.push(`UPDATE of ${table} (${moreColumns.join(', ')})`);
    const lacking = [
      ...privileges.filter((name) => !held.includes(name)),
      ...allowed.filter((name) => !columns.includes(name)).map((name) => `UPDATE (${name})`),
    ];
    if (lacking.length > 0) missing.push(`${lacking.join(', ')} on ${table}`);
  }
  return [
    ...listed(excess, (list) => ({
      kind: 'too much',
      what: `The server's role "${role}" may do what it need not: ${list}.`,
      fix: 'Run `rialto migrate`: it takes back what the list does not have. What comes back is granted to PUBLIC or through another role: \\dp in psql shows it.',
    })),
    ...listed(missing, (list) => ({
      kind: 'too little',
      what: `The server's role "${role}" may not do what it needs: ${list}.`,
      fix: 'Run `rialto migrate` with DATABASE_OWNER_URL, and with DATABASE_URL as the server has it.',
    })),
  ];
}

function allowedOn(grant: Grant): { privileges: string[]; columns: string[] } {
  const isColumns = (privilege: string) => privilege.startsWith('UPDATE (');
  return {
    privileges: grant.filter((privilege) => !isColumns(privilege)),
    columns: grant
      .filter(isColumns)
      .flatMap((privilege) => privilege.slice('UPDATE ('.length, -1).split(', ')),
  };
}

async function findFunctionProblems(db: Queryable, role: string): Promise<RoleProblem[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT name FROM unnest($1::text[]) AS name
      WHERE to_regprocedure('public.' || name) IS NULL
         OR NOT has_function_privilege(to_regprocedure('public.' || name), 'EXECUTE')`,
    [FUNCTION_GRANTS],
  );
  return listed(
    rows.map(({ name }) => name),
    (list) => ({
      kind: 'too little',
      what: `The server's role "${role}" may not call ${list}.`,
      fix: 'Run `rialto migrate` with DATABASE_OWNER_URL, and with DATABASE_URL as the server has it.',
    }),
  );
}

/** Schemas, sequences, and the tables and functions of the jobs. */
async function findOtherProblems(db: Queryable, role: string): Promise<RoleProblem[]> {
  const { rows } = await db.query<{ name: string }>(
    `SELECT 'USAGE on schema ' || nspname AS name FROM pg_namespace
      WHERE nspname IN ('public', $1) AND NOT has_schema_privilege(oid, 'USAGE')
     UNION ALL
     SELECT 'USAGE on sequence ' || c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname IN ('public', $1)
        AND CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege(c.oid, 'USAGE') ELSE false END
     UNION ALL
     SELECT p || ' on ' || $1 || '.' || c.relname
       FROM pg_class c CROSS JOIN unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS p
      WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p')
        AND (p = 'SELECT' OR c.relname <> 'migrations') AND NOT has_table_privilege(c.oid, p)
     UNION ALL
     SELECT 'EXECUTE on ' || f.oid::regprocedure::text FROM pg_proc f
      WHERE f.pronamespace = to_regnamespace($1) AND NOT has_function_privilege(f.oid, 'EXECUTE')`,
    [JOBS_SCHEMA],
  );
  return listed(
    rows.map(({ name }) => name),
    (list) => ({
      kind: 'too little',
      what: `The server's role "${role}" lacks ${list}.`,
      fix: 'Run `rialto migrate` with DATABASE_OWNER_URL, and with DATABASE_URL as the server has it.',
    }),
  );
}

/** How many are named; the rest of a long list adds nothing. */
const NAMED_MAX = 6;

function listed(items: readonly string[], problem: (list: string) => RoleProblem): RoleProblem[] {
  if (items.length === 0) return [];
  const rest = items.length - NAMED_MAX;
  const list = items.slice(0, NAMED_MAX).join('; ') + (rest > 0 ? `; and ${rest} more` : '');
  return [problem(list)];
}
