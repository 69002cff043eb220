// Makes a backup with PostgreSQL's own tools while people trade and write, and restores it into an empty database;
// also checks what the doctor says of an incomplete database.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { ROLE } from '../../accounts/roles.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { serverUrlOf } from '../../platform/engines/postgres.ts';
import { testEnvironment } from '../../testing/context.ts';
import { cloneDatabase, withDatabase, type ClonedDatabase } from '../../testing/database.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { liveVenue } from '../../testing/live-venue.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import type { Trader } from '../../testing/trader.ts';
import { rebuildProjections } from '../../trading/projections/rebuild.ts';
import type { Finding } from './finding.ts';
import { checkDatabaseRole } from './role.ts';
import { runDoctor } from './run.ts';
import { checkSchema } from './schema.ts';

const run = promisify(execFile);
const MIGRATION = new URL('../../../migrations/0051_restore.sql', import.meta.url);
const LATER_MIGRATION = new URL('../../../migrations/0099_signs_and_brackets.sql', import.meta.url);

async function examine(url: string): Promise<Finding[]> {
  const { text } = await runDoctor(testEnvironment(url), true);
  return (JSON.parse(text) as { findings: Finding[] }).findings;
}

const schemaOf = async (url: string): Promise<Finding[]> =>
  (await examine(url)).filter(({ check }) => check === 'schema');

async function asOwner(url: string, ...statements: string[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    let result: pg.QueryResult | undefined;
    for (const statement of statements) result = await client.query(statement);
    return result as pg.QueryResult;
  } finally {
    await client.end();
  }
}

const owner = inject('postgresUrl');
const made: string[] = [];

async function emptyDatabase(): Promise<string> {
  const name = `restored_${randomBytes(6).toString('hex')}`;
  await asOwner(owner, `CREATE DATABASE ${name}`);
  made.push(name);
  return withDatabase(owner, name);
}

afterAll(() =>
  asOwner(owner, ...made.map((name) => `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)),
);

describe('a dump made under load', () => {
  let folder: string;
  let server: TestServer;
  let person: Person;
  let traders: readonly [Trader, Trader];
  let restored: TestServer | undefined;
  const place = (on: TestServer, trader: Trader, side: string) =>
    trader.call(`${on.baseUrl}/private/order/create`, {
      method: 'POST',
      params: { symbol: 'btcusdt', side, type: 'limit', price: '64000', volume: '0.01' },
    });
  const write = (on: TestServer, content: string) =>
    chatClient(on, person).post('/messages', {
      type: 'channel',
      to: 'harbour',
      topic: 'Lighthouses',
      content,
    });
  const poll = (on: TestServer, queue: string) =>
    chatClient(on, person).get('/events', {
      queue_id: queue,
      last_event_id: -1,
      dont_block: true,
    });
  const find = async (on: TestServer, word: string) => {
    const answer = await chatClient(on, person).get('/messages', {
      anchor: 'newest',
      num_before: 100,
      narrow: [{ operator: 'search', operand: word }],
    });
    expect(answer.status).toBe(200);
    return (answer.body['messages'] as { content: string }[]).length;
  };

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'rialto-dump-'));
    server = await startTestServer({ withEngine: true });
    person = await examplePerson(server.ctx, { role: ROLE.owner });
    const venue = await liveVenue(server, { phase: 'continuous' });
    traders = [await venue.trader(), await venue.trader()];
    const channel = { name: 'harbour', subscribers: [person.id] };
    expect((await chatClient(server, person).post('/channels/create', channel)).status).toBe(200);
  });
  afterAll(async () => {
    await restored?.close();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  it(
    'has everything that was answered before it began, in either format, and the server starts on it',
    {
      // Four programs of PostgreSQL and two servers, on a machine that may be busy.
      timeout: 180_000,
    },
    async () => {
      const registered = await chatClient(server, person).post('/register', {
        event_types: ['message'],
      });
      const queue = String(registered.body['queue_id']);
      const acknowledged = { orders: [] as number[], messages: [] as number[] };
      let isOver = false;
      const load = [
        (async () => {
          for (let n = 0; !isOver; n += 1) {
            const { body } = await place(
              server,
              n % 2 === 0 ? traders[0] : traders[1],
              n % 2 ? 'buy' : 'sell',
            );
            const order = body.result as { orderId?: string } | undefined;
            if (order?.orderId !== undefined) acknowledged.orders.push(Number(order.orderId));
          }
        })(),
        (async () => {
          while (!isOver) {
            const { status, body } = await write(server, 'the lamps are lit');
            if (status === 200) acknowledged.messages.push(Number(body['id']));
          }
        })(),
      ];
      while (acknowledged.orders.length < 5 || acknowledged.messages.length < 5) {
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      // Orders are answered from the journal, and their rows follow later: the present tables are compared.
      const source = new URL(server.databaseUrl).pathname.slice(1);
      const sourceUrl = withDatabase(owner, source);
      const before = {
        orders: [...acknowledged.orders],
        messages: [...acknowledged.messages],
      };
      const [byRestore, byPsql] = [await emptyDatabase(), await emptyDatabase()];
      try {
        const [custom, plain] = [join(folder, 'dump'), join(folder, 'dump.sql')];
        await run('pg_dump', ['-Fc', '-f', custom, sourceUrl]);
        await run('pg_dump', ['-f', plain, sourceUrl]);
        await run('pg_restore', ['--exit-on-error', '-d', byRestore, custom]);
        await run('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-f', plain, byPsql]);
      } finally {
        isOver = true;
        await Promise.all(load);
      }

      for (const url of [byRestore, byPsql]) {
        const { rows } = await asOwner(
          url,
          `SELECT (SELECT count(*)::int FROM messages WHERE id IN (${before.messages.join(',')})) AS messages,
                (SELECT count(*)::int FROM ledger_entries) AS entries`,
        );
        expect(rows[0]).toMatchObject({ messages: before.messages.length });
        expect(Number(rows[0].entries)).toBeGreaterThan(0);
        const name = new URL(url).pathname.slice(1);
        const findings = await examine(withDatabase(serverUrlOf(owner), name));
        // No engine runs on it yet, which shows once the heartbeat in the dump is old.
        const broken = findings.filter(({ status }) => status === 'broken');
        expect(broken.filter(({ check }) => check !== 'engine')).toEqual([]);
        const named = (check: string) => findings.find((finding) => finding.check === check);
        expect(named('schema')).toMatchObject({ status: 'ok' });
        expect(named('database role')).toMatchObject({ status: 'ok' });
        expect(named('ledger')).toMatchObject({ status: 'ok' });
      }

      const database = withDatabase(serverUrlOf(owner), new URL(byRestore).pathname.slice(1));
      restored = await startTestServer({ withEngine: true, databaseUrl: database });
      // Its positions belong to the other database, so the client must register again.
      expect((await poll(server, queue)).status).toBe(200);
      expect((await poll(restored, queue)).body).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
      // By a word of the content, and by another form of a word of the topic.
      const found = await find(restored, 'lamp');
      expect(found).toBeGreaterThanOrEqual(Math.min(100, before.messages.length));
      expect(await find(restored, 'lighthouse')).toBe(found);
      // The engine has replayed the journal, so it knows every order that was answered before the dump began.
      const journaled = await place(restored, traders[0], 'sell');
      expect(journaled.status, journaled.text).toBe(200);
      expect(Number((journaled.body.result as { orderId: string }).orderId)).toBeGreaterThan(
        Math.max(...before.orders),
      );
      expect((await write(restored, 'the lamps are out')).status).toBe(200);
      expect(await find(restored, 'lamp')).toBe(Math.min(101, found + 1));
      await expect
        .poll(async () => (await restored?.ctx.metrics.render())?.body, { timeout: 20_000 })
        .toMatch(/^rialto_orders_total\{market="btcusdt".*\} [1-9]/m);
      // Rebuilt and swapped tables are as the migrations made them.
      await rebuildProjections(restored.ctx);
      expect(await schemaOf(database)).toEqual([expect.objectContaining({ status: 'ok' })]);
    },
  );
});

describe('an incomplete database', () => {
  let database: ClonedDatabase;
  beforeAll(async () => {
    database = await cloneDatabase(owner);
  });
  afterAll(() => database.drop());

  it('lacks an index and a trigger: both are named, and the doctor’s advice repairs them', async () => {
    await asOwner(
      database.ownerUrl,
      'DROP INDEX messages_words',
      'DROP TRIGGER journal_append_only ON trading_journal',
    );
    const [found, ...others] = await schemaOf(database.url);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      status: 'broken',
      what: 'The database lacks index public.messages_words; trigger journal_append_only of public.trading_journal.',
      fix: expect.stringContaining('docs/operating/backups.md') as string,
    });
    await asOwner(database.ownerUrl, /run: (CREATE .*;) If much/.exec(found?.fix ?? '')?.[1] ?? '');
    expect(await schemaOf(database.url)).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('differs in many ways: each is named', async () => {
    const own = await cloneDatabase(owner);
    const wrongs = {
      'DROP FUNCTION ensure_event_partitions(bigint)':
        'function public.ensure_event_partitions(bigint)',
      'ALTER TABLE saved_snippets DROP COLUMN content': 'column public.saved_snippets.content',
      'ALTER TABLE daily_allowances DROP CONSTRAINT daily_allowances_spent_check':
        'constraint daily_allowances_spent_check of public.daily_allowances',
      'DROP POLICY rialto_server ON graphile_worker._private_jobs':
        'policy rialto_server of graphile_worker._private_jobs',
      'DROP TABLE bot_storage': 'table public.bot_storage',
      'ALTER TABLE audit_log DISABLE TRIGGER audit_append_only':
        'trigger audit_append_only of public.audit_log',
      'ALTER TABLE users ALTER email DROP NOT NULL': 'column public.users.email',
      'CREATE OR REPLACE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$':
        'function public.refuse_change()',
      'CREATE TRIGGER spy AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION refuse_change()':
        'No migration made trigger spy of public.users',
      'REVOKE USAGE ON SEQUENCE outbox_id_seq FROM rialto_server':
        'lacks USAGE on sequence outbox_id_seq',
      'REVOKE INSERT ON messages FROM rialto_server':
        'may not do what it needs: INSERT on messages',
    };
    try {
      await asOwner(own.ownerUrl, ...Object.keys(wrongs));
      const client = new pg.Client({ connectionString: own.url });
      await client.connect();
      const findings = [
        ...(await checkSchema(client)),
        ...(await checkDatabaseRole(client, 'simulated')),
      ];
      await client.end();
      const told = findings.map(({ what }) => what).join('\n');
      for (const [statement, said] of Object.entries(wrongs))
        expect(told, statement).toContain(said);
      for (const { status, why = '', fix = '' } of findings) {
        expect(status).not.toBe('ok');
        expect(Math.min(why.length, fix.length)).toBeGreaterThan(10);
      }
    } finally {
      await own.drop();
    }
  });

  it('lacks the index of phrases in a large part: a warning says so, and the guide puts it right', async () => {
    const { ownerUrl, url } = database;
    const on = 'USING gin (seams_of(content || \' \' || topic) COLLATE "C")';
    const log = 'event_log USING gin (concerns_of(audience, rights_of))';
    await asOwner(
      ownerUrl,
      'DROP INDEX messages_seams, event_log_concerns',
      `CREATE INDEX messages_seams ON ONLY messages ${on}`,
      `CREATE INDEX event_log_concerns ON ONLY ${log}
         WITH (gin_pending_list_limit = 256) WHERE type <> 'trading_batch'`,
    );
    const [found, ...others] = await schemaOf(url);
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      status: 'warning',
      fix: expect.stringContaining('docs/operating/upgrades.md') as string,
    });
    for (const part of ['messages_from_0', 'messages_from_10000000']) {
      await asOwner(
        ownerUrl,
        `CREATE INDEX CONCURRENTLY ${part}_seams ON ${part} ${on}`,
        `ALTER INDEX messages_seams ATTACH PARTITION ${part}_seams`,
      );
    }
    expect(await schemaOf(url)).toEqual([expect.objectContaining({ status: 'ok' })]);
  });

  it('restored by an earlier release without the search index: its migration brings it back', async () => {
    const { ownerUrl, url } = database;
    const half =
      'CREATE INDEX messages_words ON ONLY messages USING gin ((content_words || words_of(topic)))';
    // As such a restore left it: the index without its parts, or no index at all.
    for (const left of [[half], []]) {
      await asOwner(ownerUrl, 'DROP INDEX messages_words', ...left);
      expect((await schemaOf(url))[0]?.status).toBe('broken');
      await asOwner(
        ownerUrl,
        'ALTER TABLE event_queues DROP COLUMN database; DROP FUNCTION database_identity()',
        readFileSync(MIGRATION, 'utf8'),
        // A later migration replaces two of its functions.
        readFileSync(LATER_MIGRATION, 'utf8').split('-- Only messages')[0] ?? '',
      );
      expect((await schemaOf(url))[0]?.status).toBe('ok');
    }
  });

  it('calls functions with an empty search_path: each finds what it names', async () => {
    // Three of the seven without their own path are inlined into queries, and four are called for every message or event; all
    // others set theirs.
    const { rows } = await asOwner(
      database.ownerUrl,
      `SELECT proname AS name FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace
          AND NOT coalesce(proconfig::text LIKE '%search_path=%', false) ORDER BY 1`,
    );
    const advice = 'give new functions SET search_path = pg_catalog, public, pg_temp';
    expect(
      rows.map(({ name }) => name),
      advice,
    ).toEqual([
      'client_key',
      'concerns_of',
      'query_of',
      'same_spelling',
      'seams_of',
      'sign_pairs',
      'words_of',
    ]);
    const { rows: words } = await asOwner(
      database.ownerUrl,
      "SET search_path = ''",
      "SELECT public.words_of(U&'\\0643\\062A\\0627\\0628\\200C\\0647\\0627 lamps') @@ public.query_of('lamp') AS found, public.sign_pairs('a %% b') AS pairs, public.seams_of('كم two') AS seams, public.concerns_of('{\"users\": [7]}', '{0}') AS concerns, public.client_key(0, '')::int8::text AS key",
    );
    expect(words).toEqual([
      { found: true, pairs: ['%%'], seams: ['کم tw'], concerns: [0, 7], key: '3820012610' },
    ]);
  });
});
