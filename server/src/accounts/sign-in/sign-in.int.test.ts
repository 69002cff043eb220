// How often a password may be tried, by whom and from where; and that nobody can lock somebody else
// out.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chatClient } from '../../testing/chat/client.ts';
import { signIn } from '../../chat/administration/keys/sign-in.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { hiddenFields, openBrowser, type Browser } from '../../testing/browser.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { nameSubject, nameTake } from './lanes.ts';
import { addFailure, readBucket, takeToken } from './store.ts';

const PASSWORD = 'a long enough secret';
/** Where tests over HTTP come from. */
const HERE = '127.0.0.1';

let server: TestServer;
let ada: Person;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000' } });
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: PASSWORD });
});
afterAll(() => server.close());

/** An attempt from any address; returns the status of its answer. */
async function tryFrom(address: string, username: string, password: string): Promise<number> {
  try {
    await signIn(server.ctx, { username, password, place: { address } });
    return 200;
  } catch (error) {
    if (error instanceof Refusal) return error.status;
    throw error;
  }
}

const fetchKey = async (username: string, password: string) =>
  (await chatClient(server).post('/fetch_api_key', { username, password })).status;

async function knownBrowser(person = ada): Promise<Browser> {
  const browser = openBrowser(server);
  expect((await browser.signIn(person.email, PASSWORD)).status).toBe(302);
  await browser.post('/accounts/logout/', hiddenFields((await browser.get('/login/')).text));
  return browser;
}

const bucketOf = (name: string) =>
  readBucket(server.ctx.db, nameTake(server.ctx.config, nameSubject(server.ctx.secrets, name)));

const rewind = (interval: string) =>
  server.ctx.database.pool.query('UPDATE sign_in_buckets SET at = at - $1::interval', [interval]);

describe('nobody locks another out', () => {
  it('wrong passwords of others, even from the same address, do not lock the owner out of a known browser', async () => {
    const browser = await knownBrowser();
    for (let count = 0; count < 12; count += 1) await fetchKey(ada.email, 'wrong');
    expect(await fetchKey(ada.email, PASSWORD)).toBe(429);
    expect((await openBrowser(server).signIn(ada.email, PASSWORD)).status).toBe(429);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
  });

  it('[I14] 10,000 wrong passwords from 1,000 addresses lock the owner out of no known place', async () => {
    const browser = await knownBrowser();
    const statuses = new Map<number, number>();
    const attack = async (from: number) => {
      for (let count = 0; count < 625; count += 1) {
        const address = `198.51.${from % 4}.${(from * 625 + count) % 250}`;
        const status = await tryFrom(address, ada.email, `guess ${count}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    };
    const attackers = Array.from({ length: 16 }, (_value, from) => attack(from));
    // Meanwhile: the browser, and a program from an address where the owner has signed in.
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    expect(await fetchKey(ada.email, PASSWORD)).toBe(200);
    await Promise.all(attackers);
    expect((statuses.get(401) ?? 0) + (statuses.get(429) ?? 0)).toBe(10_000);
    // One token comes back every six minutes.
    expect(statuses.get(401)).toBeLessThanOrEqual(6);
    expect(await tryFrom('203.0.113.7', ada.email, PASSWORD)).toBe(429);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    expect(await fetchKey(ada.email, PASSWORD)).toBe(200);
  }, 300_000);

  it('an attack on all names at once locks out only strangers', async () => {
    const browser = await knownBrowser();
    await server.ctx.database.pool.query(`UPDATE sign_in_buckets SET tokens = 0, at = now()`);
    const crowd = Array.from({ length: 140 }, (_value, i) =>
      tryFrom(`203.0.113.${i}`, `nobody${i}@example.com`, 'guess'),
    );
    const refused = (await Promise.all(crowd)).filter((status) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
  });
});

describe('a stranger', () => {
  it('has five attempts for a name, known or not, and one more every six minutes', async () => {
    const sequences = [];
    for (const name of [ada.email, 'nobody@example.com']) {
      const statuses = [];
      for (let count = 0; count < 7; count += 1) {
        statuses.push(await tryFrom(`192.0.2.${count}`, name, 'wrong'));
      }
      sequences.push(statuses);
    }
    const expected = [401, 401, 401, 401, 401, 429, 429];
    expect(sequences).toEqual([expected, expected]);
    await rewind('6 minutes');
    expect(await tryFrom('192.0.2.1', ada.email, 'wrong')).toBe(401);
    expect(await tryFrom('192.0.2.1', ada.email, PASSWORD)).toBe(429);
    await rewind('24 hours');
    for (const status of [401, 401, 401, 401, 401, 429]) {
      expect(await tryFrom('192.0.2.1', ada.email, 'wrong')).toBe(status);
    }
  });

  it('has fifty attempts from one address, for all names together; success returns no more than it took', async () => {
    for (let count = 0; count < 49; count += 1) {
      expect(await tryFrom('192.0.2.9', `nobody${count}@example.com`, 'x')).toBe(401);
      await server.ctx.database.pool.query(`DELETE FROM sign_in_buckets WHERE subject = $1`, [
        server.ctx.secrets.lookup('sign-in', 'all strangers'),
      ]);
    }
    // A person with an account here does not get fifty new attempts by signing in.
    expect(await tryFrom('192.0.2.9', ada.email, PASSWORD)).toBe(200);
    expect(await tryFrom('192.0.2.9', 'another@example.com', 'x')).toBe(401);
    expect(await tryFrom('192.0.2.9', 'onemore@example.com', 'x')).toBe(429);
    // Ada is known from there now, and is not counted with the others.
    expect(await tryFrom('192.0.2.9', ada.email, PASSWORD)).toBe(200);
    await rewind('72 seconds');
    expect(await tryFrom('192.0.2.9', 'onemore@example.com', 'x')).toBe(401);
  });

  it('a refused attempt takes nothing: an empty name costs the address nothing', async () => {
    for (let count = 0; count < 5; count += 1) await tryFrom('192.0.2.1', ada.email, 'wrong');
    for (let count = 0; count < 60; count += 1) {
      expect(await tryFrom('192.0.2.2', ada.email, 'wrong')).toBe(429);
    }
    expect(await tryFrom('192.0.2.2', 'nobody@example.com', 'wrong')).toBe(401);
    expect(await bucketOf(ada.email)).toMatchObject({ streak: 5 });
  });

  it('many concurrent attempts, on separate connections, get only the existing tokens', async () => {
    const take = nameTake(server.ctx.config, nameSubject(server.ctx.secrets, 'crowd'));
    const taken = await Promise.all(
      Array.from({ length: 60 }, () => server.ctx.inTransaction((tx) => takeToken(tx, take))),
    );
    expect(taken.filter(Boolean)).toHaveLength(5);
  });

  it('leaves no name in the database', async () => {
    await tryFrom('192.0.2.77', 'very.secret@example.com', 'x');
    const { rows } = await server.ctx.database.pool.query<{ row: string }>(
      "SELECT encode(subject, 'escape') AS row FROM sign_in_buckets",
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toMatch(/secret|192\.0/);
  });
});

describe('a known place', () => {
  it('has its own ten attempts, and one more every three minutes', async () => {
    const browser = await knownBrowser();
    for (let count = 0; count < 10; count += 1) {
      expect((await browser.signIn(ada.email, 'wrong')).status).toBe(401);
    }
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(429);
    // None of that was taken from the address, from which programs sign in.
    expect(await fetchKey(ada.email, PASSWORD)).toBe(200);
    await rewind('3 minutes');
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    expect((await browser.signIn(ada.email, 'wrong')).status).toBe(401);
  });

  it('of one person is no known place of another', async () => {
    const browser = await knownBrowser();
    const bob = await examplePerson(server.ctx, { password: PASSWORD });
    for (let count = 0; count < 5; count += 1) await tryFrom('192.0.2.1', bob.email, 'wrong');
    expect((await browser.signIn(bob.email, PASSWORD)).status).toBe(429);
  });

  it('is forgotten after its time', async () => {
    const browser = await knownBrowser();
    for (let count = 0; count < 5; count += 1) await tryFrom('192.0.2.1', ada.email, 'wrong');
    const { pool } = server.ctx.database;
    await pool.query("UPDATE known_addresses SET last_success_at = now() - interval '31 days'");
    expect(await fetchKey(ada.email, PASSWORD)).toBe(429);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    await pool.query("UPDATE known_addresses SET last_success_at = now() - interval '31 days'");
    await pool.query("UPDATE known_devices SET last_used_at = now() - interval '401 days'");
    for (let count = 0; count < 5; count += 1) await tryFrom('192.0.2.1', ada.email, 'wrong');
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(429);
  });

  it('a token planted in a browser does not become known to the attacker', async () => {
    const eve = await examplePerson(server.ctx, { password: PASSWORD });
    const planted = (await knownBrowser(eve)).cookies.get('device') ?? '';
    const browser = openBrowser(server);
    browser.cookies.set('device', planted);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    expect(browser.cookies.get('device')).not.toBe(planted);
    const own = browser.cookies.get('device');
    // From then on the browser keeps its own, and earlier users are still known in it.
    expect((await browser.signIn(ada.email, PASSWORD)).status).not.toBe(429);
    expect(browser.cookies.get('device')).toBe(own);
    await server.ctx.database.pool.query('DELETE FROM known_addresses');
    for (const { email } of [ada, eve]) {
      for (let count = 0; count < 5; count += 1) await tryFrom('192.0.2.1', email, 'wrong');
    }
    const attacker = openBrowser(server);
    attacker.cookies.set('device', planted);
    expect((await attacker.signIn(ada.email, PASSWORD)).status).toBe(429);
    const shared = openBrowser(server);
    shared.cookies.set('device', own ?? '');
    expect((await shared.signIn(eve.email, PASSWORD)).status).toBe(302);
  });

  it('stores no token in plain text, and accepts nothing that is not a token', async () => {
    const browser = await knownBrowser();
    const { rows } = await server.ctx.database.pool.query<{ row: string }>(
      "SELECT encode(token_lookup, 'escape') AS row FROM known_devices",
    );
    expect(JSON.stringify(rows)).not.toContain(browser.cookies.get('device') ?? 'none');
    for (const device of ['', 'x', 'A'.repeat(43), 'A'.repeat(5000), "' OR 1=1 --"]) {
      const stranger = openBrowser(server);
      stranger.cookies.set('device', device);
      expect((await stranger.signIn(ada.email, PASSWORD)).status).toBe(302);
      expect(stranger.cookies.get('device')).toMatch(/^[\w-]{43}$/);
      expect(stranger.cookies.get('device')).not.toBe(device);
    }
  });

  it('of a person are at most fifty: a new one replaces the one unused for longest', async () => {
    const first = await knownBrowser();
    await server.ctx.database.pool.query(
      `UPDATE known_devices SET last_used_at = now() - interval '1 hour' WHERE user_id = ${ada.id};
       INSERT INTO known_devices (token_lookup, user_id)
       SELECT ('\\x' || lpad(to_hex(n), 4, '0'))::bytea, ${ada.id} FROM generate_series(1, 49) AS n`,
    );
    await knownBrowser();
    const { rows } = await server.ctx.database.pool.query(
      `SELECT FROM known_devices WHERE user_id = ${ada.id}`,
    );
    expect(rows).toHaveLength(50);
    for (let count = 0; count < 5; count += 1) await tryFrom('192.0.2.1', ada.email, 'wrong');
    await server.ctx.database.pool.query('DELETE FROM known_addresses');
    expect((await first.signIn(ada.email, PASSWORD)).status).toBe(429);
  });
});

describe('a hundred failures in a row', () => {
  const closeName = async (name: string) => {
    await tryFrom('192.0.2.1', name, 'wrong');
    for (let count = 0; count < 99; count += 1) {
      await addFailure(server.ctx.db, [nameSubject(server.ctx.secrets, name)]);
    }
    await rewind('1 hour');
  };

  it('close a name to strangers, known or not, until its owner signs in with a known browser', async () => {
    const browser = await knownBrowser();
    for (const name of [ada.email, 'nobody@example.com']) {
      await closeName(name);
      expect(await tryFrom('192.0.2.50', name, PASSWORD)).toBe(429);
    }
    // A program at a known place keeps working, but opens nothing.
    expect(await fetchKey(ada.email, PASSWORD)).toBe(200);
    expect(await tryFrom('192.0.2.50', ada.email, PASSWORD)).toBe(429);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    expect(await tryFrom('192.0.2.50', ada.email, PASSWORD)).toBe(200);
    expect(await tryFrom('192.0.2.50', 'nobody@example.com', PASSWORD)).toBe(429);
  });

  it('are not in a row when a right password comes between', async () => {
    await closeName(ada.email);
    await server.ctx.database.pool.query(
      'UPDATE sign_in_buckets SET streak = 99 WHERE streak > 99',
    );
    expect(await tryFrom('192.0.2.51', ada.email, PASSWORD)).toBe(200);
    expect(await tryFrom('192.0.2.52', ada.email, 'wrong')).toBe(401);
    expect(await bucketOf(ada.email)).toMatchObject({ streak: 1 });
  });

  it('at a known address close only that address', async () => {
    const browser = await knownBrowser();
    expect(await tryFrom(HERE, ada.email, 'wrong')).toBe(401);
    await server.ctx.database.pool.query('UPDATE sign_in_buckets SET streak = 99 WHERE streak = 1');
    expect(await tryFrom(HERE, ada.email, 'wrong')).toBe(401);
    expect(await fetchKey(ada.email, PASSWORD)).toBe(429);
    expect(await tryFrom('192.0.2.53', ada.email, PASSWORD)).toBe(200);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    expect(await fetchKey(ada.email, PASSWORD)).toBe(200);
  });
});

describe('a person who is signed in', () => {
  it('can change the password, and see the key, while strangers try it', async () => {
    const browser = openBrowser(server);
    await browser.signIn(ada.email, PASSWORD);
    await server.ctx.database.pool.query('DELETE FROM known_addresses; DELETE FROM known_devices');
    for (let count = 0; count < 6; count += 1) await tryFrom('192.0.2.1', ada.email, 'wrong');
    expect((await browser.call('POST', '/fetch_api_key', { password: PASSWORD })).status).toBe(200);
    await server.ctx.database.pool.query('DELETE FROM known_addresses; DELETE FROM known_devices');
    const change = { old_password: PASSWORD, new_password: 'quite another secret' };
    expect((await chatClient(server, ada).patch('/settings', change)).status).toBe(200);
  });

  it('cannot guess the password with a stolen session or key for long', async () => {
    const browser = openBrowser(server);
    await browser.signIn(ada.email, PASSWORD);
    await server.ctx.database.pool.query('DELETE FROM known_addresses; DELETE FROM known_devices');
    const statuses = { session: [] as number[], key: [] as number[] };
    for (let count = 0; count < 12; count += 1) {
      const password = `guess ${count}`;
      const asked = await browser.call('POST', '/fetch_api_key', { password });
      statuses.session.push(asked.status);
      const change = { old_password: password, new_password: 'quite another secret' };
      statuses.key.push((await chatClient(server, ada).patch('/settings', change)).status);
    }
    const expected = [...Array.from({ length: 10 }, () => 400), 429, 429];
    expect(statuses).toEqual({ session: expected, key: expected });
  });
});
