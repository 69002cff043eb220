// The contents of the database: migrations, the event log, processes, owners, encrypted secrets.
import type pg from 'pg';
import { ROLE } from '../../accounts/roles.ts';
import { ROLES, type Config } from '../../platform/config/schema.ts';
import { readMigrationState } from '../../platform/db/migrate.ts';
import { createSecrets } from '../../platform/secrets/secrets.ts';
import { opensStored } from '../master-key.ts';
import { checkAudit, checkMoneyKind } from './audit.ts';
import { checkEngine } from './engine.ts';
import { checkJournal } from './journal.ts';
import { broken, ok, skipped, warning, type Finding } from './finding.ts';
import { checkLedger } from './ledger.ts';
import { checkEmails } from './mail.ts';
import { checkPublicLog } from './public-log.ts';
import { checkDatabaseRole } from './role.ts';
import { checkSchema } from './schema.ts';

const OUTBOX_WARNING_SECONDS = 5;
const OUTBOX_BROKEN_SECONDS = 60;
const TRANSACTION_SECONDS_MAX = 60;

export async function checkContents(client: pg.Client, config: Config): Promise<Finding[]> {
  const { pending, unknown } = await readMigrationState(client);
  if (pending.length > 0) {
    return [
      broken('migrations', {
        what: `The database has not had ${pending.join(', ')}.`,
        why: 'The server refuses to start on a database that lacks what it writes to.',
        fix: 'Run `rialto migrate`.',
      }),
      skipped('contents', 'Events, secrets and processes need an up-to-date database.'),
    ];
  }
  const migrations =
    unknown.length === 0
      ? ok('migrations', 'The database is up to date.')
      : warning('migrations', {
          what: `The database has had ${unknown.join(', ')}, which this release does not know.`,
          why: 'A newer release was here, and this one may not understand what it wrote.',
          fix: 'Run the newer release, or restore the backup from before the upgrade.',
        });
  const processes = await listProcesses(client);
  return [
    migrations,
    // Objects of a newer release cannot be compared.
    ...(unknown.length === 0 ? await checkSchema(client) : []),
    ...(await checkDatabaseRole(client, config.MONEY)),
    checkProcesses(processes, await takesCoins(client, config)),
    await checkOutbox(client, processes.length > 0),
    await checkTransactions(client),
    await checkOwner(client),
    await checkOperators(client),
    await checkSecrets(client, config),
    await checkEmails(client),
    await checkAudit(client, config),
    await checkMoneyKind(client, config.MONEY),
    ...(await checkEngine(client, config)),
    await checkJournal(client, config),
    await checkPublicLog(client, config),
    ...(await checkLedger(client)),
  ];
}

interface ProcessRow {
  roles: string[];
}

async function listProcesses(client: pg.Client): Promise<ProcessRow[]> {
  const { rows } = await client.query<ProcessRow>(
    `SELECT roles FROM processes WHERE seen_at > now() - interval '15 seconds' ORDER BY started_at`,
  );
  return rows;
}

/** Whether networks are followed here, or were. */
async function takesCoins(client: pg.Client, config: Config): Promise<boolean> {
  if (config.CUSTODY_NETWORKS_FILE !== '') return true;
  const { rows } = await client.query<{ known: boolean }>(
    'SELECT EXISTS (SELECT FROM custody_networks) AS known',
  );
  return rows[0]?.known === true;
}

function checkProcesses(processes: readonly ProcessRow[], hasNetworks: boolean): Finding {
  if (processes.length === 0) {
    return warning('processes', {
      what: 'No Rialto process was seen in the last 15 seconds.',
      why: 'Nobody serves this deployment now.',
      fix: 'Start one with `rialto serve`; if one should be running, look at its log.',
    });
  }
  const running = new Set(processes.flatMap((row) => row.roles));
  // A venue without networks has nothing for custody to do.
  const needed = ROLES.filter((role) => role !== 'custody' || hasNetworks);
  const missing = needed.filter((role) => !running.has(role));
  const what = `${processes.length} alive: ${processes.map((row) => row.roles.join('+')).join('; ')}.`;
  if (missing.length === 0) return ok('processes', what);
  return broken('processes', {
    what: `${what} Nobody runs ${missing.join(' or ')}.`,
    why: 'Each role does work that no other does: without engine orders are refused, without relay events reach nobody.',
    fix: `Start a process with \`rialto serve --roles ${missing.join(',')}\`.`,
  });
}

/** While no process runs at all, waiting events are expected. */
async function checkOutbox(client: pg.Client, isRunning: boolean): Promise<Finding> {
  const { rows } = await client.query<{ waiting: string; age: number; position: string }>(
    `SELECT (SELECT count(*) FROM outbox)::text AS waiting,
            (SELECT coalesce(extract(epoch FROM clock_timestamp() - min(at)), 0)::float8
               FROM outbox) AS age,
            (SELECT position FROM event_head)::text AS position`,
  );
  const { waiting, age, position } = rows[0] ?? { waiting: '0', age: 0, position: '0' };
  if (age < OUTBOX_WARNING_SECONDS) {
    return ok('events', `The log is at position ${position}; waiting to be numbered: ${waiting}.`);
  }
  const trouble = {
    what: `Events waiting to be numbered: ${waiting}, the oldest for ${Math.round(age)} s.`,
    why: 'Until then no client receives them.',
    fix: 'See that a process with the role relay runs and reaches PostgreSQL; its log says what stops it.',
  };
  const isBroken = isRunning && age >= OUTBOX_BROKEN_SECONDS;
  return isBroken ? broken('events', trouble) : warning('events', trouble);
}

async function checkTransactions(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ pid: number; name: string; seconds: number }>(
    `SELECT pid, application_name AS name,
            extract(epoch FROM clock_timestamp() - xact_start)::float8 AS seconds
       FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid()
        AND xact_start < clock_timestamp() - $1 * interval '1 second'
        AND backend_type = 'client backend'
      ORDER BY xact_start LIMIT 1`,
    [TRANSACTION_SECONDS_MAX],
  );
  const oldest = rows[0];
  if (oldest === undefined) return ok('transactions', 'None is open for more than a minute.');
  return warning('transactions', {
    what: `"${oldest.name}" (pid ${oldest.pid}) has a transaction open for ${Math.round(oldest.seconds)} s.`,
    why: 'It keeps dead rows of the outbox from being cleared, and the relay slows down.',
    fix: `Let it finish, or end it with: SELECT pg_terminate_backend(${oldest.pid});`,
  });
}

async function checkOwner(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ owners: number; people: number }>(
    `SELECT count(*) FILTER (WHERE role = $1 AND is_active)::int AS owners, count(*)::int AS people
       FROM users WHERE NOT is_system`,
    [ROLE.owner],
  );
  const { owners, people } = rows[0] ?? { owners: 0, people: 0 };
  if (owners > 0) return ok('people', `${people} in all, ${owners} active owner(s).`);
  return warning('people', {
    what: 'There is no active owner.',
    why: 'Nobody can make administrators or change the organization.',
    fix: 'Make one: rialto admin create-user --role owner --email you@example.com --name "Your name"',
  });
}

const OPERATORS_MIN = 2;

async function checkOperators(client: pg.Client): Promise<Finding> {
  const { rows } = await client.query<{ operators: number }>(
    'SELECT count(*)::int AS operators FROM operator_secrets WHERE is_operator(user_id)',
  );
  const operators = rows[0]?.operators ?? 0;
  if (operators >= OPERATORS_MIN) return ok('operators', `${operators} are enrolled.`);
  return warning('operators', {
    what: operators === 0 ? 'Nobody is enrolled as an operator.' : 'One operator is enrolled.',
    why: 'What takes two operators cannot be done, and the host of the deployment can make a second one of anybody.',
    fix: 'Enrol at least two people, better three: rialto admin operator enrol THEIR_ADDRESS',
  });
}

async function checkSecrets(client: pg.Client, config: Config): Promise<Finding> {
  const opens = await opensStored(
    client,
    createSecrets(config.MASTER_KEY, config.MASTER_KEY_PREVIOUS),
  );
  if (opens === undefined) return ok('master key', 'No secret is stored yet.');
  if (opens) return ok('master key', 'It opens the stored secrets.');
  return broken('master key', {
    what: 'MASTER_KEY does not open a secret that is stored in this database.',
    why: 'Keys of the chat and of the trading API cannot be checked: no process starts with it.',
    fix: 'Put back the MASTER_KEY that this database was used with; if it is lost, see docs/operating/master-key.md.',
  });
}
