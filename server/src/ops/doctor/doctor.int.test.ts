import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createTradingKey } from '../../accounts/trading-keys/actions.ts';
import { migrate } from '../../platform/db/migrate.ts';
import { startNats } from '../../platform/engines/nats.ts';
import {
  serverUrlOf,
  startPostgres,
  type PrivatePostgres,
} from '../../platform/engines/postgres.ts';
import { clusterSettings, createTestContext, testEnvironment } from '../../testing/context.ts';
import type { TestContext } from '../../testing/context.ts';
import { withDatabase } from '../../testing/database.ts';
import { examplePerson } from '../../testing/example.ts';
import { startMailCatcher } from '../../testing/mail-catcher.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run.ts';

interface Report {
  healthy: boolean;
  findings: Finding[];
}

async function examine(environment: Record<string, string>): Promise<Report> {
  const { text, isHealthy } = await runDoctor(environment, true);
  const report = JSON.parse(text) as Report;
  expect(report.healthy).toBe(isHealthy);
  return report;
}

/** Every problem must say what is wrong, why it matters and what to do. */
function troubleWith(report: Report, check: string): Required<Finding> {
  const found = report.findings.find(
    (finding) => finding.check === check && finding.status !== 'ok',
  );
  expect(found, `a finding about ${check}`).toBeDefined();
  const { what = '', why = '', fix = '' } = found ?? {};
  for (const text of [what, why, fix]) expect(text.length).toBeGreaterThan(10);
  return found as Required<Finding>;
}

let context: TestContext;
let environment: Record<string, string>;

beforeAll(async () => {
  context = await createTestContext(clusterSettings());
  environment = testEnvironment(context.config.DATABASE_URL, clusterSettings());
  const owner = await examplePerson(context.ctx, { role: 100 });
  await createTradingKey(context.ctx, { userId: owner.id, permissions: ['read'] });
});

afterAll(() => context.close());

describe('a healthy deployment', () => {
  it('is found healthy, and every service is named with its version', async () => {
    // This context has a row among the processes, with every role.
    const { healthy, findings } = await examine(environment);
    expect(findings.filter(({ status }) => status === 'broken')).toEqual([]);
    expect(healthy).toBe(true);
    for (const check of ['PostgreSQL', 'NATS', 'Redis']) {
      const found = findings.find((finding) => finding.check === check);
      expect(found).toMatchObject({ status: 'ok', what: expect.stringMatching(/Version \d/) });
    }
    expect(findings.find(({ check }) => check === 'master key')?.what).toContain('opens');
    expect(findings.find(({ check }) => check === 'processes')?.status).toBe('ok');
  });

  it('needs nobody for custody, unless it follows networks', async () => {
    const { owner } = context;
    await owner.query("UPDATE processes SET roles = array_remove(roles, 'custody')");
    const find = async (more: Record<string, string> = {}) =>
      (await examine({ ...environment, ...more })).findings.find(
        ({ check }) => check === 'processes',
      );
    expect((await find())?.status).toBe('ok');
    await owner.query(
      `INSERT INTO custody_networks
         (network, identity, scanned_height, scanned_hash, tip_height, tip_hash)
       VALUES ('LTC', 'test', 1, 'a', 1, 'a')`,
    );
    expect(await find()).toMatchObject({
      status: 'broken',
      what: expect.stringContaining('Nobody runs custody'),
    });
    await owner.query('DELETE FROM custody_networks');
    await owner.query("UPDATE processes SET roles = array_append(roles, 'custody')");
  });

  it('is shown with words beside the symbols, and without any secret', async () => {
    const { text } = await runDoctor(environment, false);
    expect(text).toContain('✓ ok');
    expect(text).toContain('Nothing is broken.');
    expect(text).not.toContain(new URL(context.config.DATABASE_URL).password);
    expect(text).not.toContain(context.config.MASTER_KEY);
  });
});

describe('what is broken', () => {
  it('a wrong password', async () => {
    const url = new URL(environment['DATABASE_URL'] ?? '');
    url.password = 'not-the-password';
    const report = await examine({ ...environment, DATABASE_URL: url.href });
    expect(report.healthy).toBe(false);
    const trouble = troubleWith(report, 'PostgreSQL');
    expect(trouble.what).toContain('refused the user name or password');
    expect(trouble.fix).toContain('DATABASE_URL');
    expect(JSON.stringify(report)).not.toContain('not-the-password');
  });

  it('a database that does not exist', async () => {
    const url = withDatabase(inject('postgresUrl'), 'no_such_database');
    const report = await examine({ ...environment, DATABASE_URL: url });
    expect(troubleWith(report, 'PostgreSQL').what).toContain('no_such_database');
  });

  it('NATS that is down', async () => {
    const nats = await startNats();
    await nats.stop();
    const report = await examine({ ...environment, NATS_URL: nats.url });
    await nats.remove();
    expect(report.healthy).toBe(false);
    const trouble = troubleWith(report, 'NATS');
    expect(trouble.what).toContain(`127.0.0.1:${nats.port}`);
    expect(trouble.why).toContain('polling');
    expect(trouble.fix).toContain('NATS_URL');
  });

  it('wrong credentials of NATS and of Redis', async () => {
    const nats = new URL(environment['NATS_URL'] ?? '');
    nats.password = 'wrong';
    const redis = new URL(environment['REDIS_URL'] ?? '');
    redis.password = 'wrong';
    const report = await examine({ ...environment, NATS_URL: nats.href, REDIS_URL: redis.href });
    for (const check of ['NATS', 'Redis']) {
      const trouble = troubleWith(report, check);
      expect(trouble.what).toContain('refused');
      expect(trouble.fix).toContain(`${check.toUpperCase()}_URL`);
    }
  });

  it('a master key that does not open what is stored', async () => {
    const report = await examine({ ...environment, MASTER_KEY: '0123456789abcdef'.repeat(4) });
    expect(report.healthy).toBe(false);
    expect(troubleWith(report, 'master key').fix).toContain('MASTER_KEY');
  });

  it('settings that do not parse, all of them at once', async () => {
    const report = await examine({ PORT: 'eighty', MASTER_KEY: 'short' });
    const problems = report.findings.filter(({ status }) => status === 'broken');
    expect(problems.map(({ what }) => what).join(' ')).toMatch(/DATABASE_URL.*MASTER_KEY.*PORT/s);
  });

  it('a mail server that is missing, down, or there', async () => {
    expect(troubleWith(await examine(environment), 'mail')).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('SMTP_URL'),
    });
    const catcher = await startMailCatcher();
    const withMail = { ...environment, ...catcher.settings, SMTP_PASSWORD: 'canary-of-the-mail' };
    const report = await examine(withMail);
    expect(report.findings.find(({ check }) => check === 'mail')).toMatchObject({ status: 'ok' });
    await catcher.close();
    const down = await examine(withMail);
    expect(troubleWith(down, 'mail').status).toBe('broken');
    expect(JSON.stringify([report, down])).not.toContain('canary-of-the-mail');
  });

  it('emails that were given up', async () => {
    const { ctx } = context;
    await ctx.database.pool.query(
      "SELECT graphile_worker.add_job('deliver-letter', '{}'::json, max_attempts => 1)",
    );
    await ctx.database.pool.query('UPDATE graphile_worker._private_jobs SET attempts = 1');
    expect(troubleWith(await examine(environment), 'emails').what).toContain('1 could not be sent');
  });

  it('fee tiers that were not computed today, or that the engine refused', async () => {
    const { owner } = context;
    const today = Math.floor(Date.now() / 86_400_000);
    const feeTiers = async () =>
      (await examine(environment)).findings.find(({ check }) => check === 'fee tiers')?.status;
    await owner.query("UPDATE trading_accounts SET created_at = now() - interval '3 days'");
    // In the first hour of a day they are not late yet.
    expect(await feeTiers()).toBe(new Date().getUTCHours() === 0 ? 'ok' : 'warning');
    await owner.query('INSERT INTO fee_days (day, finished_at) VALUES ($1, now())', [today]);
    expect(await feeTiers()).toBe('ok');
    await owner.query(
      `INSERT INTO operator_commands (command, requested_by, status)
       VALUES ('{"type":"set_fee_tiers"}', 'fee day', 'refused')`,
    );
    expect(troubleWith(await examine(environment), 'fee tiers').status).toBe('broken');
    await owner.query("DELETE FROM operator_commands WHERE requested_by = 'fee day'");
  });

  it('a port that another program has', async () => {
    const taken = new URL(environment['NATS_URL'] ?? '').port;
    const report = await examine({ ...environment, PORT: taken });
    expect(troubleWith(report, 'port').what).toContain(taken);
  });
});

describe('a database whose locale knows only English letters', () => {
  const name = `plain_letters_${randomBytes(4).toString('hex')}`;
  const serverUrl = () => withDatabase(serverUrlOf(inject('postgresUrl')), name);
  const administer = async (url: string, statement: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };
  beforeAll(() =>
    administer(
      inject('postgresUrl'),
      `CREATE DATABASE ${name} TEMPLATE template0 ENCODING UTF8 LC_COLLATE 'C' LC_CTYPE 'C'`,
    ),
  );
  afterAll(() => administer(inject('postgresUrl'), `DROP DATABASE ${name} WITH (FORCE)`));

  it('is broken, and no migration begins on it; one in use keeps working', async () => {
    const trouble = troubleWith(await examine(testEnvironment(serverUrl())), 'alphabet');
    expect(trouble).toMatchObject({ status: 'broken' });
    expect(trouble.what).toContain('LC_CTYPE is C');
    expect(trouble.fix).toContain("LOCALE 'C.UTF-8'");
    const ownerUrl = withDatabase(inject('postgresUrl'), name);
    await expect(migrate(ownerUrl, serverUrl())).rejects.toThrow('LC_CTYPE is C');
    // As it is after an upgrade of such an installation.
    await administer(
      ownerUrl,
      `CREATE TABLE migrations (id serial PRIMARY KEY, name text NOT NULL, run_on timestamp NOT NULL)`,
    );
    expect((await migrate(ownerUrl, serverUrl())).applied.length).toBeGreaterThan(30);
  });
});

describe('a PostgreSQL that may lose data', () => {
  let postgres: PrivatePostgres;
  beforeAll(async () => {
    postgres = await startPostgres({ settings: { fsync: 'off', max_connections: '15' } });
  });
  afterAll(() => postgres.remove());

  it('is broken, names the setting and the fix, and reports missing migrations', async () => {
    const report = await examine(testEnvironment(postgres.serverUrl));
    expect(report.healthy).toBe(false);
    const trouble = troubleWith(report, 'durability');
    expect(trouble.what).toBe('fsync is off.');
    expect(trouble.why).toContain('power cut');
    expect(trouble.fix).toContain('ALTER SYSTEM SET fsync = on');
    expect(troubleWith(report, 'connections').fix).toContain('max_connections');
    expect(troubleWith(report, 'migrations').fix).toContain('rialto migrate');
  });

  it('warns, once migrated, that no process serves it, and that it has neither owner nor operators', async () => {
    await migrate(postgres.ownerUrl, postgres.serverUrl);
    const report = await examine(testEnvironment(postgres.serverUrl));
    expect(troubleWith(report, 'processes').status).toBe('warning');
    expect(troubleWith(report, 'people').fix).toContain('rialto admin create-user');
    expect(troubleWith(report, 'operators').fix).toContain('rialto admin operator enrol');
  });
});
