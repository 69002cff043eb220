// What an attacker with the whole database learns, and what a copied or restored database is worth without the
// key.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { revealChatKey } from '../../accounts/chat-keys/verify.ts';
import { enrolOperator } from '../../accounts/operators/actions.ts';
import { ROLE } from '../../accounts/roles.ts';
import { rotate } from '../../ops/commands/admin/master-key.ts';
import { serve } from '../../ops/commands/serve.ts';
import { asOperator } from '../../ops/operator.ts';
import { openBrowser } from '../../testing/browser.ts';
import { TEST_MASTER_KEY, testEnvironment } from '../../testing/context.ts';
import { cloneDatabase } from '../../testing/database.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { exampleTrader, type Trader } from '../../testing/trader.ts';

const PASSWORD = 'correct horse battery staple';

let database: Awaited<ReturnType<typeof cloneDatabase>>;
let server: TestServer;
let person: Person;
let trader: Trader;
let other: Trader;
let operatorSecret: string;
let cookies: Map<string, string>;

const start = (settings: Record<string, string> = {}) =>
  startTestServer({ databaseUrl: database.url, settings });

const infoOf = (caller: Trader) =>
  caller.call(`${server.baseUrl}/private/account/info`).then(({ status, body }) => ({
    status,
    code: body.error?.code,
  }));

beforeAll(async () => {
  database = await cloneDatabase(inject('postgresUrl'));
  server = await start();
  const { ctx } = server;
  person = await examplePerson(ctx, { role: ROLE.owner, password: PASSWORD });
  trader = await exampleTrader(ctx, { userId: person.id });
  other = await exampleTrader(ctx);
  operatorSecret = (await enrolOperator(ctx, { email: 'host', via: 'test' }, person.email)).secret;
  const browser = openBrowser(server);
  await browser.signIn(person.email, PASSWORD);
  ({ cookies } = browser);
  const invited = await fetch(`${server.chatUrl}/invites/multiuse`, {
    method: 'POST',
    headers: { authorization: person.basic },
    body: new URLSearchParams({ invite_as: '400', stream_ids: '[]' }),
  });
  expect(invited.status).toBe(200);
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

/** Every row of every table, as a dump has them. */
async function dump(): Promise<string> {
  const client = new pg.Client({ connectionString: database.ownerUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM ${name} t`);
      texts.push(...rows.map(({ row }) => row));
    }
    expect(tables.length).toBeGreaterThan(50);
    return texts.join('\n');
  } finally {
    await client.end();
  }
}

describe('a dump of the database', () => {
  it('contains no secret, in any encoding', async () => {
    const text = await dump();
    // A check of the search itself: these are not secrets, and are found.
    for (const known of [person.email, trader.keyId]) expect(text).toContain(known);
    const secrets = {
      tradingSecret: trader.secret,
      chatKey: person.chatKey,
      password: PASSWORD,
      operatorSecret,
      session: cookies.get('sessionid') ?? '',
      masterKey: server.ctx.config.MASTER_KEY,
    };
    for (const [name, secret] of Object.entries(secrets)) {
      expect(secret.length, name).toBeGreaterThan(15);
      const bytes = Buffer.from(secret);
      for (const spelling of [
        secret,
        bytes.toString('hex'),
        bytes.toString('base64').replace(/=+$/, '').slice(0, -1),
        Buffer.from(secret, 'hex').toString('base64').slice(0, -4),
      ]) {
        if (spelling.length > 15) expect(text.includes(spelling), name).toBe(false);
      }
    }
  });
});

describe('a trading secret', () => {
  it('that was copied to another key or another account does not decrypt, and opens nothing', async () => {
    expect([await infoOf(trader), await infoOf(other)]).toMatchObject([
      { status: 200 },
      { status: 200 },
    ]);
    const swap = `UPDATE trading_keys k SET secret_sealed = o.secret_sealed FROM trading_keys o
                   WHERE (k.key_id, o.key_id) IN (($1, $2), ($2, $1))`;
    await server.ctx.database.pool.query(swap, [trader.keyId, other.keyId]);
    for (const [secretOf, keyOf] of [
      [trader, trader],
      [other, other],
      [trader, other],
      [other, trader],
    ] as const) {
      const { query, headers } = secretOf.prepare();
      const answer = await fetch(`${server.baseUrl}/private/account/info?${query}`, {
        headers: { ...headers, 'X-SVC-APIKEY': keyOf.keyId },
      });
      expect(answer.status).toBe(401);
    }
    await server.ctx.database.pool.query(swap, [trader.keyId, other.keyId]);
    expect((await infoOf(trader)).status).toBe(200);
    const move = 'UPDATE trading_keys SET account_id = $2 WHERE key_id = $1';
    // The server's own role may not move a key.
    await server.owner.query(move, [trader.keyId, String(other.accountId)]);
    await server.close();
    // Another process, which has not decrypted it before.
    server = await start();
    expect((await infoOf(trader)).status).toBe(401);
    await server.owner.query(move, [trader.keyId, String(trader.accountId)]);
    expect((await infoOf(trader)).status).toBe(200);
  });
});

describe('a database restored without its master key', () => {
  const OTHER = { MASTER_KEY: '0123456789abcdef'.repeat(4) };

  it('serves nobody: no process starts, no command runs, and the stored data stays unchanged', async () => {
    await server.close();
    await expect(start(OTHER)).rejects.toThrow('MASTER_KEY is not the one');
    for (const role of ['api', 'engine', 'relay', 'worker']) {
      const environment = testEnvironment(database.url, { ...OTHER, ROLES: role });
      await expect(serve(environment, {}), role).rejects.toThrow('MASTER_KEY is not the one');
    }
    await expect(
      asOperator(testEnvironment(database.url, OTHER), async () => 'done'),
    ).rejects.toThrow('MASTER_KEY is not the one');
    // With the key everything works as before.
    server = await start();
    expect(await infoOf(trader)).toMatchObject({ status: 200 });
    const headers = { authorization: person.basic };
    expect((await fetch(`${server.chatUrl}/users/me`, { headers })).status).toBe(200);
  });
});

describe('a database without a stored lookup key', () => {
  const environment = (settings: Record<string, string>) => testEnvironment(database.url, settings);
  const OTHER = { MASTER_KEY: '0123456789abcdef'.repeat(4) };
  const forget = () => server.owner.query('DELETE FROM lookup_key');
  const count = async () => (await server.owner.query('SELECT FROM lookup_key')).rowCount;
  const command = (settings: Record<string, string> = {}) =>
    asOperator(environment(settings), async () => 'done');

  it('is checked by its encrypted secrets, so that a wrong key cannot take over', async () => {
    await forget();
    await expect(command(OTHER)).rejects.toThrow('MASTER_KEY is not the one');
    expect(await count()).toBe(0);
    // Two concurrent starts store one, and both use it.
    expect(await Promise.all([command(), command()])).toEqual(['done', 'done']);
    expect(await count()).toBe(1);
    await expect(command(OTHER)).rejects.toThrow('MASTER_KEY is not the one');
    await expect(command({ ...OTHER, MASTER_KEY_PREVIOUS: TEST_MASTER_KEY })).resolves.toBe('done');
  });

  it('accepts a new key when the old one is lost and its secrets were given up', async () => {
    const client = await server.owner.connect();
    try {
      // As docs/operating/master-key.md says; undone, because the other tests need the secrets.
      const { rows: users } = await client.query('SELECT id, chat_key_sealed FROM users');
      const { rows: keys } = await client.query('SELECT * FROM trading_keys');
      const { rows: ring } = await client.query('SELECT sealed FROM lookup_key');
      await client.query(
        "DELETE FROM trading_keys; UPDATE users SET chat_key_sealed = ''; DELETE FROM lookup_key",
      );
      expect(await command(OTHER)).toBe('done');
      await expect(command()).rejects.toThrow('MASTER_KEY is not the one');
      await client.query('UPDATE lookup_key SET sealed = $1', [ring[0].sealed]);
      for (const { id, chat_key_sealed: sealed } of users) {
        await client.query('UPDATE users SET chat_key_sealed = $2 WHERE id = $1', [id, sealed]);
      }
      for (const key of keys) {
        await client.query(
          'INSERT INTO trading_keys SELECT * FROM json_populate_record(NULL::trading_keys, $1)',
          [JSON.stringify({ ...key, secret_sealed: `\\x${key.secret_sealed.toString('hex')}` })],
        );
      }
    } finally {
      client.release();
    }
    expect(await command()).toBe('done');
  });
});

describe('a master key', () => {
  const OLD = TEST_MASTER_KEY;
  const NEW = 'a1b2c3d4'.repeat(8);

  const isIn = async () => {
    const headers = { authorization: person.basic };
    const browser = openBrowser(server);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    return {
      signature: (await infoOf(trader)).status,
      chatKey: (await fetch(`${server.chatUrl}/users/me`, { headers })).status,
      session: (await browser.call('GET', '/users/me')).status,
      key: (await examplePersonKey()) === person.chatKey,
    };
  };
  const examplePersonKey = () => revealChatKey(server.ctx, server.ctx.db, person.id);
  const ALL = { signature: 200, chatKey: 200, session: 200, key: true };

  it('is changed without refusing anybody: before, during, and after everything is encrypted again', async () => {
    await server.close();
    server = await start({ MASTER_KEY: OLD, MASTER_KEY_PREVIOUS: NEW });
    expect(await isIn()).toEqual(ALL);
    await server.close();
    server = await start({ MASTER_KEY: NEW, MASTER_KEY_PREVIOUS: OLD });
    expect(await isIn()).toEqual(ALL);
    const made = await exampleTrader(server.ctx);
    // Halfway is no special state, and repeating it does no harm.
    const [first, second] = await Promise.all([rotate(server.ctx), isIn()]);
    expect(second).toEqual(ALL);
    expect(first.broken).toBe(0);
    expect(first.rewrapped).toBeGreaterThan(4);
    expect(await rotate(server.ctx)).toEqual({ rewrapped: 0, broken: 0 });
    expect(await isIn()).toEqual(ALL);
    await server.close();
    server = await start({ MASTER_KEY: NEW });
    expect(await isIn()).toEqual(ALL);
    expect((await infoOf(made)).status).toBe(200);
    await server.close();
    // The old one alone is worthless now.
    await expect(start({ MASTER_KEY: OLD })).rejects.toThrow('MASTER_KEY is not the one');
    server = await start({ MASTER_KEY: NEW });
  });
});
