// The doctor and the server's start name each fault of the server's database role, and their advice fixes it.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../platform/db/migrate.ts';
import { reportRole } from '../../platform/db/role-check.ts';
import type { Log } from '../../platform/observe/log.ts';
import { createTestContext, testEnvironment, type TestContext } from '../../testing/context.ts';
import type { Finding } from './finding.ts';
import { runDoctor } from './run.ts';
import { runMigrate } from '../commands/migrate.ts';

const ROLE = `checked_${randomBytes(4).toString('hex')}`;
const OTHER = `other_${randomBytes(4).toString('hex')}`;

let test: TestContext;
let serverUrl: string;
beforeAll(async () => {
  test = await createTestContext();
  const url = new URL(test.config.DATABASE_URL);
  [url.username, url.password] = [ROLE, 'secret'];
  serverUrl = url.href;
  await migrate(test.config.DATABASE_OWNER_URL, serverUrl);
  await test.owner.query(`CREATE ROLE ${OTHER}`);
});
afterAll(async () => {
  await test.owner.query(`DROP OWNED BY ${ROLE}, ${OTHER}; DROP ROLE ${ROLE}, ${OTHER}`);
  await test.close();
});

async function findings(url = serverUrl, money = 'simulated'): Promise<Finding[]> {
  const { text } = await runDoctor(testEnvironment(url, { MONEY: money }), true);
  const all = (JSON.parse(text) as { findings: Finding[] }).findings;
  return all.filter(({ check }) => check === 'database role');
}

it('a role that owns nothing and has exactly the listed rights passes', async () => {
  expect(await findings()).toEqual([expect.objectContaining({ status: 'ok' })]);
});

it('a superuser is reported, and is broken where money is real', async () => {
  const url = test.config.DATABASE_OWNER_URL;
  const [found, ...rest] = await findings(url);
  expect(rest).toEqual([]);
  expect(found).toMatchObject({
    status: 'warning',
    what: expect.stringContaining('is a superuser') as string,
    why: expect.stringContaining('audit log') as string,
    fix: expect.stringContaining('CREATE ROLE rialto_server LOGIN') as string,
  });
  expect((await findings(url, 'real')).map(({ status }) => status)).toEqual(['broken']);
});

describe('each of these is reported, with commands that fix it', () => {
  it.each([
    [`ALTER ROLE ${ROLE} BYPASSRLS CREATEROLE`, 'has BYPASSRLS, CREATEROLE'],
    [`ALTER ROLE ${ROLE} CREATEDB REPLICATION`, 'has CREATEDB, REPLICATION'],
    [`GRANT pg_write_all_data TO ${ROLE}`, 'is a member of pg_write_all_data'],
    [`GRANT pg_execute_server_program TO ${ROLE}`, 'is a member of pg_execute_server_program'],
    [`GRANT CREATE ON SCHEMA public TO ${ROLE}`, 'may create in the schema public'],
    ['GRANT CREATE ON SCHEMA public TO PUBLIC', 'may create in the schema public'],
    [
      `ALTER TABLE drafts OWNER TO ${OTHER}; GRANT ${OTHER} TO ${ROLE}`,
      `is a member of "${OTHER}", which owns 2 tables and sequences, drafts among them`,
    ],
  ])('%s', async (wrong, said) => {
    await test.owner.query(wrong);
    const found = await findings();
    const named = found.find(({ what }) => what.includes(said));
    expect(named, JSON.stringify(found)).toBeDefined();
    // "As a superuser: …" and "As the owner: …"
    await test.owner.query((named?.fix ?? '').replace(/^[^:]*: /, ''));
    await test.owner.query('ALTER TABLE drafts OWNER TO rialto');
    expect(await findings()).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it.each([
    ['GRANT DELETE ON trading_journal', 'DELETE on trading_journal'],
    ['GRANT TRUNCATE ON audit_log', 'TRUNCATE on audit_log'],
    ['GRANT TRIGGER ON ledger_entries', 'TRIGGER on ledger_entries'],
    ['GRANT UPDATE (amount) ON custody_evidence', 'UPDATE of custody_evidence (amount)'],
    [
      'GRANT ALL ON event_log',
      'INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER on event_log',
    ],
  ])('%s', async (wrong, said) => {
    await test.owner.query(`${wrong} TO ${ROLE}`);
    const [found] = await findings();
    expect(found?.what).toContain(`may do what it need not: ${said}.`);
    expect(found?.fix).toContain('Run `rialto migrate`');
    await migrate(test.config.DATABASE_OWNER_URL, serverUrl);
    expect(await findings()).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('a missing right is broken, whatever the money', async () => {
    await test.owner.query(`REVOKE INSERT ON messages FROM ${ROLE};
      REVOKE UPDATE (held) ON balances FROM ${ROLE}; REVOKE EXECUTE ON FUNCTION words_of FROM ${ROLE}`);
    const found = await findings();
    expect(found.map(({ status }) => status)).toEqual(['broken', 'broken']);
    expect(found[0]?.what).toContain('UPDATE (held) on balances; INSERT on messages');
    expect(found[1]?.what).toContain('may not call words_of(text)');
    await migrate(test.config.DATABASE_OWNER_URL, serverUrl);
    expect(await findings()).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('a table of its own', async () => {
    await test.owner.query(`ALTER TABLE drafts OWNER TO ${ROLE}`);
    const [found] = await findings();
    expect(found?.what).toContain(`"${ROLE}" owns 2 tables and sequences, drafts among them`);
    expect(found?.fix).toContain('set DATABASE_OWNER_URL');
    await test.owner.query('ALTER TABLE drafts OWNER TO rialto');
  });
});

it('the start of a server reports it: as a warning, and as an error where money is real', async () => {
  const said: [level: string, text: string][] = [];
  const log = {
    warn: (text: string) => said.push(['warn', text]),
    error: (text: string) => said.push(['error', text]),
  } as unknown as Log;
  await reportRole(test.ctx.database.pool, 'real', log);
  expect(said).toEqual([]);
  for (const money of ['simulated', 'real']) await reportRole(test.owner, money, log);
  expect(said.map(([level]) => level)).toEqual(['warn', 'error']);
  for (const [, text] of said)
    expect(text).toContain('is a superuser. An attacker who takes over the server');
});

describe('migrate', () => {
  const run = (settings: Record<string, string>) =>
    runMigrate({ ...testEnvironment(serverUrl), ...settings });

  it('names the role that the server works as', async () => {
    const lines = await run({});
    expect(lines).toEqual([
      'The database is up to date.',
      `The server works as "${ROLE}", which may do what it needs and owns nothing; the owner is "rialto".`,
    ]);
  });

  it('says what to do when the server has the owner’s role', async () => {
    const url = test.config.DATABASE_OWNER_URL;
    const lines = await run({ DATABASE_URL: url, DATABASE_OWNER_URL: '' });
    expect(lines.at(-1)).toContain('which owns the database');
    expect(lines.at(-1)).toContain('set DATABASE_OWNER_URL');
  });

  it('with only the server’s role says who has to migrate', async () => {
    await expect(run({ DATABASE_OWNER_URL: '' })).rejects.toThrow('belongs to the role "rialto"');
  });

  it('names the variable of an owner who cannot connect', async () => {
    const url = new URL(test.config.DATABASE_OWNER_URL);
    url.password = 'wrong';
    await expect(run({ DATABASE_OWNER_URL: url.href })).rejects.toMatchObject({
      trouble: { fix: expect.stringContaining('Correct them in DATABASE_OWNER_URL') as string },
    });
  });

  it('two concurrent runs wait for each other', async () => {
    const both = await Promise.allSettled([run({}), run({})]);
    // The library refuses the second while the first works; neither leaves half of the grants behind.
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    const client = new pg.Client({ connectionString: serverUrl });
    await client.connect();
    const { rows } = await client.query('SELECT count(*)::int AS count FROM messages');
    await client.end();
    expect(rows).toEqual([{ count: 0 }]);
    expect(await findings()).toEqual([expect.objectContaining({ status: 'ok' })]);
  });
});
