// The server's database role: created if it is missing, and granted what grants.ts lists. Only the
// owner may do that, so it is part of `rialto migrate`.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import pg from 'pg';
import { FUNCTION_GRANTS, TABLE_GRANTS, type Grant } from './grants.ts';

type Queryable = Pick<pg.ClientBase, 'query'>;

export interface RoleNames {
  /** Who owns the database's objects. */
  readonly owner: string;
  /** The role that the server connects as. */
  readonly server: string;
}

/**
 * The migrating role lacks rights, or the server's role is missing; the message says what to do.
 */
export class DatabaseRoleError extends Error {
  override name = 'DatabaseRoleError';
}

export const ident = (name: string): string => pg.escapeIdentifier(name);

/** The role that a URL connects as, by the driver's own rules. */
export function roleOf(url: string): { name: string; password: string } {
  const { user = '', password } = new pg.Client({ connectionString: url });
  return { name: user, password: password ?? '' };
}

/**
 * Throws unless the connection's role may migrate: it owns what is there, or may begin on an empty
 * database.
 */
export async function requireOwner(client: Queryable): Promise<void> {
  const { rows } = await client.query<{ me: string; owner: string | null; may_create: boolean }>(
    `SELECT current_user AS me, has_schema_privilege('public', 'CREATE') AS may_create,
            (SELECT pg_get_userbyid(relowner) FROM pg_class
              WHERE oid = to_regclass('public.migrations')
                AND NOT pg_has_role(relowner, 'USAGE')) AS owner`,
  );
  const { me = '', owner = null, may_create: mayCreate = false } = rows[0] ?? {};
  if (owner !== null) {
    throw new DatabaseRoleError(
      `The database belongs to the role "${owner}", and "${me}" cannot migrate it. ` +
        `Set DATABASE_OWNER_URL to a URL of "${owner}", for this command only; the server keeps DATABASE_URL.`,
    );
  }
  if (!mayCreate) {
    throw new DatabaseRoleError(
      `The role "${me}" may not create tables in this database. Let it own the database ` +
        `(as a superuser: ALTER DATABASE ${ident(await databaseOf(client))} OWNER TO ${ident(me)}), or set DATABASE_OWNER_URL to a URL of the owner.`,
    );
  }
}

async function databaseOf(client: Queryable): Promise<string> {
  const { rows } = await client.query<{ name: string }>('SELECT current_database() AS name');
  return rows[0]?.name ?? '';
}

/** Creates the server's role if it is missing and the owner may; returns whether it did. */
export async function ensureServerRole(client: Queryable, serverUrl: string): Promise<boolean> {
  const { name, password } = roleOf(serverUrl);
  const { rows } = await client.query<{ exists: boolean; may: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = $1) AS exists,
            rolsuper OR rolcreaterole AS may FROM pg_roles WHERE rolname = current_user`,
    [name],
  );
  if (rows[0]?.exists === true) return false;
  if (rows[0]?.may !== true || !/^[ -~]+$/.test(password)) {
    throw new DatabaseRoleError(
      `The role "${name}" of DATABASE_URL does not exist. Make it as a superuser: ` +
        `CREATE ROLE ${ident(name)} LOGIN PASSWORD '…'; then run this again.`,
    );
  }
  // As a verifier, so that the password is in no log of the database.
  await client.query(
    `CREATE ROLE ${ident(name)} LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
       PASSWORD ${pg.escapeLiteral(scramVerifier(password))}`,
  );
  return true;
}

const SCRAM_ITERATIONS = 4096;

/** What PostgreSQL keeps of a password (RFC 5803). */
function scramVerifier(password: string): string {
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, SCRAM_ITERATIONS, 32, 'sha256');
  const hmac = (text: string) => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(hmac('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${SCRAM_ITERATIONS}:${salt.toString('base64')}$${stored}:${hmac('Server Key').toString('base64')}`;
}

/** The job library's schema, whose tables and functions we do not list. */
export const JOBS_SCHEMA = 'graphile_worker';

/** Grants the server's role what the list says, and revokes everything else, in one transaction. */
export async function applyGrants(client: Queryable, server: string): Promise<void> {
  const role = ident(server);
  const tables = await listOwned(client, 'public', ['r', 'p', 'v', 'm']);
  const sequences = await listOwned(client, 'public', ['S']);
  const functions = await listFunctions(client);
  const statements = [
    `REVOKE CREATE ON SCHEMA public FROM PUBLIC, ${role}`,
    `GRANT USAGE ON SCHEMA public TO ${role}`,
    ...tables.map((table) => `REVOKE ALL ON TABLE public.${ident(table)} FROM PUBLIC, ${role}`),
    ...tables.flatMap((table) => {
      const grant = TABLE_GRANTS[table];
      return grant === undefined ? [] : [grantStatement(`public.${ident(table)}`, grant, role)];
    }),
    ...functions.map((name) => `REVOKE ALL ON FUNCTION ${name} FROM PUBLIC, ${role}`),
    ...FUNCTION_GRANTS.map((name) => `GRANT EXECUTE ON FUNCTION public.${name} TO ${role}`),
    // Values may be drawn from every sequence, but no sequence may be reset.
    ...sequences.map((name) => `REVOKE ALL ON SEQUENCE public.${ident(name)} FROM PUBLIC, ${role}`),
    ...sequences.map((name) => `GRANT USAGE ON SEQUENCE public.${ident(name)} TO ${role}`),
    ...(await jobStatements(client, role)),
    ...(await databaseStatements(client, role)),
  ];
  await client.query('BEGIN');
  try {
    await client.query(statements.join(';\n'));
    await client.query('COMMIT');
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}

/** For tables that are built beside the live ones and replace them. */
export function grantStatement(table: string, grant: Grant, role: string): string {
  return `GRANT ${grant.join(', ')} ON TABLE ${table} TO ${role}`;
}

/** Row security hides its tables' rows from all but the owner unless a policy allows them. */
async function jobStatements(client: Queryable, role: string): Promise<string[]> {
  const tables = await listOwned(client, JOBS_SCHEMA, ['r', 'p']);
  const name = (table: string) => `${JOBS_SCHEMA}.${ident(table)}`;
  return [
    `GRANT USAGE ON SCHEMA ${JOBS_SCHEMA} TO ${role}`,
    `REVOKE ALL ON ALL TABLES IN SCHEMA ${JOBS_SCHEMA} FROM PUBLIC, ${role}`,
    `GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${JOBS_SCHEMA} TO ${role}`,
    `REVOKE INSERT, UPDATE, DELETE ON TABLE ${JOBS_SCHEMA}.migrations FROM ${role}`,
    `GRANT USAGE ON ALL SEQUENCES IN SCHEMA ${JOBS_SCHEMA} TO ${role}`,
    `REVOKE ALL ON ALL FUNCTIONS IN SCHEMA ${JOBS_SCHEMA} FROM PUBLIC`,
    `GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA ${JOBS_SCHEMA} TO ${role}`,
    ...tables.flatMap((table) => [
      `DROP POLICY IF EXISTS rialto_server ON ${name(table)}`,
      `CREATE POLICY rialto_server ON ${name(table)} TO ${role} USING (true) WITH CHECK (true)`,
    ]),
  ];
}

/** In our deployments the owner owns the database itself, but it need not. */
async function databaseStatements(client: Queryable, role: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; mine: boolean }>(
    `SELECT datname AS name, pg_has_role(datdba, 'USAGE') AS mine
       FROM pg_database WHERE datname = current_database()`,
  );
  const database = rows[0];
  if (database?.mine !== true) return [];
  const name = ident(database.name);
  return [
    `REVOKE CREATE, TEMPORARY ON DATABASE ${name} FROM PUBLIC, ${role}`,
    `GRANT CONNECT ON DATABASE ${name} TO ${role}`,
  ];
}

async function listOwned(
  client: Queryable,
  schema: string,
  kinds: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
      WHERE relnamespace = to_regnamespace($1) AND relkind = ANY ($2) AND pg_has_role(relowner, 'USAGE')
      ORDER BY relname`,
    [schema, kinds],
  );
  return rows.map(({ name }) => name);
}

async function listFunctions(client: Queryable): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT oid::regprocedure::text AS name FROM pg_proc
      WHERE pronamespace = 'public'::regnamespace AND prokind = 'f' AND pg_has_role(proowner, 'USAGE')`,
  );
  return rows.map(({ name }) => name);
}
