// The list of one's own sessions, and ending them from elsewhere.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { hiddenFields, openBrowser, type Browser } from '../../../testing/browser.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../../../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

const PASSWORD = 'a long enough secret';
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';

let server: TestServer;
let catcher: MailCatcher;

beforeAll(async () => {
  catcher = await startMailCatcher();
  server = await startTestServer({
    withJobs: true,
    settings: {
      ...catcher.settings,
      CHAT_RATE_LIMIT: '100000',
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
    },
  });
});
afterAll(async () => {
  await server.close();
  await catcher.close();
});

const newPerson = () => examplePerson(server.ctx, { password: PASSWORD, role: ROLE.member });

async function signedIn(person: Person, browser = openBrowser(server)): Promise<Browser> {
  const { text } = await browser.get('/login/');
  const form = { ...hiddenFields(text), username: person.email, password: PASSWORD };
  const answer = await browser.post('/accounts/login/', form, { 'user-agent': FIREFOX });
  expect(answer.status).toBe(302);
  return browser;
}

interface Listed {
  readonly id: number;
  readonly is_current: boolean;
}

const list = async (browser: Browser): Promise<Listed[]> =>
  (await browser.call('GET', '/sessions')).body['sessions'] as Listed[];

const query = (text: string, values: unknown[]) => server.ctx.database.pool.query(text, values);

describe('GET /json/sessions', () => {
  it('tells where one is signed in, and which is this one', async () => {
    const person = await newPerson();
    const first = await signedIn(person);
    const second = await signedIn(person);
    const now = expect.any(Number);
    const row = {
      id: now,
      kind: 'browser',
      device: 'Firefox on Linux',
      address: '127.0.0.1',
      network: 'same',
      methods: ['password'],
      created_at: now,
      last_seen_at: now,
    };
    expect(await list(second)).toEqual([
      { ...row, is_current: true },
      { ...row, is_current: false },
    ]);
    await query(`UPDATE sessions SET address = $2 WHERE user_id = $1 AND id = $3`, [
      person.id,
      '203.0.113.9',
      (await list(first)).find(({ is_current }) => !is_current)?.id,
    ]);
    expect(await list(first)).toMatchObject([{ network: 'other' }, { network: 'same' }]);
    // Nobody sees those of others.
    expect(await list(await signedIn(await newPerson()))).toHaveLength(1);
  });

  it('leaves out what can be used no more, and those of operators last 12 hours', async () => {
    const person = await newPerson();
    const browser = await signedIn(person);
    const old = await signedIn(person);
    await query(
      `UPDATE sessions SET created_at = created_at - interval '13 hours'
        WHERE user_id = $1 AND id = $2`,
      [person.id, (await list(old))[0]?.id],
    );
    expect((await old.call('GET', '/users/me')).status).toBe(200);
    await server.owner.query(
      `INSERT INTO operator_secrets (user_id, secret_hash) VALUES ($1, 'x')`,
      [person.id],
    );
    expect((await old.call('GET', '/users/me')).status).toBe(401);
    expect(await list(browser)).toHaveLength(1);
  });
});

describe('[I2] a session that is ended elsewhere', () => {
  const poll = async (browser: Browser, types: string[] = ['message']) => {
    const { body } = await browser.call('POST', '/register', {
      event_types: JSON.stringify(types),
    });
    return {
      queue: String(body['queue_id']),
      last: Number(body['last_event_id']),
      wait: (last = Number(body['last_event_id'])) =>
        browser.call('GET', '/events', {
          queue_id: String(body['queue_id']),
          last_event_id: String(last),
        }),
    };
  };

  it('lets its polls go at once, and opens nothing any more', async () => {
    const person = await newPerson();
    const here = await signedIn(person);
    const there = await signedIn(person);
    const queue = await poll(there);
    const waiting = queue.wait();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const [, other] = (await list(here)).map(({ id }) => id).sort((a, b) => a - b);
    const startedMs = performance.now();
    expect((await here.call('DELETE', `/sessions/${other}`)).status).toBe(200);
    const { body } = await waiting;
    const tookMs = performance.now() - startedMs;
    expect(body['events'] ?? []).toEqual([]);
    // Far below the heartbeat; the limit of a second is measured on a machine that is not busy.
    expect(tookMs).toBeLessThan(10_000);
    expect((await queue.wait()).status).toBe(401);
    expect((await there.call('GET', '/users/me')).status).toBe(401);
    expect((await here.call('GET', '/users/me')).status).toBe(200);
    const { rows } = await query(`SELECT end_reason FROM sessions WHERE id = $1`, [other]);
    expect(rows).toEqual([{ end_reason: 'ended by its owner' }]);
    // Twice, somebody else's, and none.
    expect((await here.call('DELETE', `/sessions/${other}`)).status).toBe(404);
    const foreign = (await list(await signedIn(await newPerson())))[0]?.id;
    expect((await here.call('DELETE', `/sessions/${foreign}`)).status).toBe(404);
    expect((await here.call('DELETE', '/sessions/999999999')).status).toBe(404);
  });

  it('all others, or all', async () => {
    const person = await newPerson();
    const browsers = [await signedIn(person), await signedIn(person), await signedIn(person)];
    const [here] = browsers as [Browser];
    expect((await here.call('DELETE', '/sessions', { except_current: 'true' })).status).toBe(200);
    expect(await list(here)).toHaveLength(1);
    expect((await here.call('DELETE', '/sessions')).status).toBe(200);
    expect((await here.call('GET', '/users/me')).status).toBe(401);
  });

  it('is told to queues that name the type security, and to no other', async () => {
    const person = await newPerson();
    const here = await signedIn(person);
    const naming = await poll(here, ['security']);
    const { body } = await here.call('POST', '/register', {});
    const silent = { queue_id: String(body['queue_id']), last_event_id: '-1', dont_block: 'true' };
    const stranger = await signedIn(await newPerson());
    const foreign = await poll(stranger, ['security']);
    const there = await signedIn(person);
    const heard = (await naming.wait()).body['events'] as { id: number; type: string }[];
    expect(heard).toEqual([{ type: 'security', op: 'session', id: expect.any(Number) }]);
    await there.call('DELETE', '/sessions', { except_current: 'true' });
    expect((await here.call('GET', '/users/me')).status).toBe(401);
    const again = await signedIn(person, here);
    const all = (await again.call('GET', '/events', silent)).body['events'] as { type: string }[];
    expect(all.filter(({ type }) => type === 'security')).toEqual([]);
    const others = await stranger.call('GET', '/events', {
      queue_id: foreign.queue,
      last_event_id: String(foreign.last),
      dont_block: 'true',
    });
    expect(others.body['events']).toEqual([]);
  });
});

it('the page shows them and ends them, in both languages', async () => {
  const person = await newPerson();
  const here = await signedIn(person);
  const there = await signedIn(person);
  const { text, status } = await here.get('/accounts/sessions/?lang=fa');
  expect(status).toBe(200);
  expect(text).toContain('dir="rtl"');
  expect(text).toContain('Firefox on Linux');
  // Persian has a comma and a semicolon of its own.
  expect(text).toMatch(/<\/bdi>، [^,;<]+؛ گذرواژه<\/p>/);
  const form = hiddenFields(text);
  for (const end of ['0', 'x', '999999999', '']) {
    const answer = await here.post('/accounts/sessions/', { ...form, end });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.text).toContain('role="alert"');
  }
  expect((await here.post('/accounts/sessions/', { end: 'others' })).status).toBe(403);
  expect((await there.call('GET', '/users/me')).status).toBe(200);
  expect((await here.post('/accounts/sessions/', { ...form, end: 'others' })).status).toBe(303);
  expect((await there.call('GET', '/users/me')).status).toBe(401);
});

it('a new device is told by email; the first one and a known one are not', async () => {
  const person = await newPerson();
  const first = await signedIn(person);
  await signedIn(person, first);
  await signedIn(person);
  const mail = await catcher.next(person.email);
  expect(mail.subject).toBe('New sign-in');
  expect(mail.text).toContain('Firefox on Linux');
  expect(mail.text).toContain('127.0.0.1');
  // One more is sent after everything before it.
  await signedIn(person);
  await catcher.next(person.email);
  expect(catcher.emails.filter(({ recipients }) => recipients.includes(person.email))).toHaveLength(
    2,
  );
});
