// Signing in with a password, and the key that it gives.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deactivatePerson } from '../users/actions.ts';
import { ROLE } from '../../../accounts/roles.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { chatClient, type Answer } from '../../../testing/chat/client.ts';
import { MEASURED } from '../../../testing/measured.ts';

const PASSWORD = 'a long enough secret';

let server: TestServer;
let owner: Person;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000' } });
  owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
});
afterAll(() => server.close());

const logIn = (username: string, password: string): Promise<Answer> =>
  chatClient(server).post('/fetch_api_key', { username, password });

/** Keeps tests apart: one test's failures and known places must not count in another. */
const forgetFailures = () =>
  server.ctx.database.pool.query('DELETE FROM sign_in_buckets; DELETE FROM known_addresses');

const FAILED = {
  result: 'error',
  msg: 'Your username or password is incorrect',
  code: 'AUTHENTICATION_FAILED',
};

describe('[M183] [M198] POST /fetch_api_key', () => {
  it('[M184] [M185] [M186] gives key, address and id for address and password, without credentials', async () => {
    const { status, body } = await logIn(owner.email.toUpperCase(), PASSWORD);
    expect(status).toBe(200);
    expect(body).toEqual({
      result: 'success',
      msg: '',
      api_key: owner.chatKey,
      email: owner.email,
      user_id: owner.id,
    });
    expect((await logIn(owner.email, PASSWORD)).body['api_key']).toBe(owner.chatKey);
  });

  it('takes a multipart body, as the JavaScript client sends it', async () => {
    const body = new FormData();
    body.set('username', owner.email);
    body.set('password', PASSWORD);
    const answer = await chatClient(server).raw('/fetch_api_key', { method: 'POST', body });
    expect(answer.body['api_key']).toBe(owner.chatKey);
  });

  it('needs both parameters, and names the first missing one', async () => {
    const client = chatClient(server);
    expect((await client.post('/fetch_api_key')).body).toMatchObject({ var_name: 'username' });
    expect((await client.post('/fetch_api_key', { username: 'x' })).body).toMatchObject({
      var_name: 'password',
      code: 'BAD_REQUEST',
    });
  });

  it('refuses an invalid address', async () => {
    const { status, body } = await logIn('ada', 'x');
    expect(status).toBe(400);
    expect(body).toMatchObject({ msg: 'Enter a valid email address.', code: 'BAD_REQUEST' });
  });

  it('gives the same answer for a wrong password, an unknown account, a bot and a person without password', async () => {
    const bot = await examplePerson(server.ctx, { botType: 1, password: PASSWORD });
    const plain = await examplePerson(server.ctx);
    const answers = [
      await logIn(owner.email, 'wrong'),
      await logIn('nobody@example.com', PASSWORD),
      await logIn(bot.email, PASSWORD),
      await logIn(plain.email, PASSWORD),
    ];
    for (const { status, body, headers } of answers) {
      expect(status).toBe(401);
      expect(body).toEqual(FAILED);
      expect(headers.get('www-authenticate')).toBeNull();
    }
    await forgetFailures();
  });

  it('tells deactivated people so, but only after the right password', async () => {
    const gone = await examplePerson(server.ctx, { password: PASSWORD });
    await deactivatePerson(server.ctx, owner, gone.id);
    expect((await logIn(gone.email, 'wrong')).body).toEqual(FAILED);
    const { status, body } = await logIn(gone.email, PASSWORD);
    expect(status).toBe(401);
    expect(body).toEqual({
      result: 'error',
      msg: 'Account is deactivated',
      code: 'USER_DEACTIVATED',
    });
  });

  it('after five failures, makes sign-ins from unknown places wait, whether or not the account exists', async () => {
    await forgetFailures();
    for (const name of [owner.email, 'nobody@example.com']) {
      for (let failure = 0; failure < 5; failure += 1) {
        expect((await logIn(name, 'wrong')).status).toBe(401);
      }
      const { status, body, headers } = await logIn(name, PASSWORD);
      expect(status).toBe(429);
      expect(body).toMatchObject({ code: 'RATE_LIMIT_HIT', msg: 'API usage exceeded rate limit' });
      expect(body['retry-after']).toBeGreaterThan(4 * 60);
      expect(Number(headers.get('retry-after'))).toBeLessThanOrEqual(6 * 60);
    }
    // The limit is on signing in, so requests with a key go on.
    expect((await chatClient(server, owner).get('/users/me')).status).toBe(200);
    await server.ctx.database.pool.query(
      "UPDATE sign_in_buckets SET at = at - interval '6 minutes'",
    );
    expect((await logIn(owner.email, PASSWORD)).status).toBe(200);
    await forgetFailures();
  });

  it('forgets failures after a success', async () => {
    await forgetFailures();
    for (let round = 0; round < 2; round += 1) {
      for (let failure = 0; failure < 4; failure += 1) await logIn(owner.email, 'wrong');
      expect((await logIn(owner.email, PASSWORD)).status).toBe(200);
    }
  });

  it('checks at most five of many guesses that arrive at once', async () => {
    await forgetFailures();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_value, i) => logIn(owner.email, `guess ${i}`)),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(15);
    await forgetFailures();
  });

  it('accepts many right passwords at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => logIn(owner.email, PASSWORD)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(200));
  });
});

describe('POST /users/me/api_key/regenerate', () => {
  it(
    'gives a new key; the old one stops working at once, also for a waiting poll',
    MEASURED,
    async () => {
      const person = await examplePerson(server.ctx, { password: PASSWORD });
      const client = chatClient(server, person);
      const { body: queue } = await client.post('/register', { fetch_event_types: [] });
      const waiting = client.get('/events', {
        queue_id: queue['queue_id'],
        last_event_id: queue['last_event_id'],
      });
      const { status, body } = await client.post('/users/me/api_key/regenerate');
      expect(status).toBe(200);
      const key = String(body['api_key']);
      expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
      expect(key).not.toBe(person.chatKey);
      expect((await client.get('/users/me')).body).toMatchObject({ msg: 'Invalid API key' });
      const startedMs = performance.now();
      expect((await waiting).body).toMatchObject({ events: [] });
      expect(performance.now() - startedMs).toBeLessThan(1000);

      const basic = `Basic ${Buffer.from(`${person.email}:${key}`).toString('base64')}`;
      expect((await chatClient(server, { basic }).get('/users/me')).status).toBe(200);
      expect((await logIn(person.email, PASSWORD)).body['api_key']).toBe(key);
    },
  );

  it('stores no key in the clear', async () => {
    const { rows } = await server.ctx.database.pool.query<{ text: string }>(
      "SELECT encode(chat_key_sealed, 'escape') || encode(chat_key_lookup, 'escape') AS text FROM users",
    );
    expect(rows.some(({ text }) => text.includes(owner.chatKey))).toBe(false);
  });
});
