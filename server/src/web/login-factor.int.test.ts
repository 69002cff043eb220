// Signing in with a password and a second factor, in a browser and by a program.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hiddenFields, openBrowser, type Browser } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { giveTotp, type Authenticator } from '../testing/factors.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret';
const JSON_ONLY = { accept: 'application/json' };
const FACTOR = '/accounts/login/factor/';

let mail: MailCatcher;
let server: TestServer;
let ada: Person;
let app: Authenticator;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    withJobs: true,
    settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000', ...mail.settings },
  });
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: PASSWORD });
  app = await giveTotp(server.ctx, ada);
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.call('GET', '/users/me')).status === 200;

/** A browser whose owner has given the password. */
async function halfWay(person = ada, more: Record<string, string> = {}): Promise<Browser> {
  const browser = openBrowser(server);
  const answer = await browser.signIn(person.email, PASSWORD, more);
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toMatch(/^\/accounts\/login\/factor\//);
  return browser;
}

async function show(browser: Browser, answer: Record<string, string>, path = FACTOR) {
  const fields = hiddenFields((await browser.get(path)).text);
  return browser.post(FACTOR, { ...fields, ...answer });
}

describe('signing in with a second factor', () => {
  it('the password opens nothing but the next stage, and the code opens a session', async () => {
    const browser = await halfWay(ada, { next: '/account/key/' });
    expect(browser.cookies.has('sessionid')).toBe(false);
    expect(await isSignedIn(browser)).toBe(false);
    const answer = await show(browser, { code: await app.next() });
    expect(answer.status).toBe(302);
    expect(answer.headers.get('location')).toBe('/account/key/');
    expect(await isSignedIn(browser)).toBe(true);
    expect(browser.cookies.has('signin')).toBe(false);
    expect(browser.cookies.has('device')).toBe(true);
    const { rows } = await server.ctx.database.pool.query(
      'SELECT methods, factor_at IS NOT NULL AS fresh FROM sessions WHERE user_id = $1',
      [ada.id],
    );
    expect(rows).toEqual([{ methods: ['password', 'totp'], fresh: true }]);
  });

  it('a wrong code says so, in both languages, and the right one still works', async () => {
    const browser = await halfWay();
    const wrong = await show(browser, { code: '000000' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('That did not match.');
    const persian = await show(browser, { code: '000000' }, `${FACTOR}?lang=fa`);
    expect(persian.text).toContain('dir="rtl"');
    expect(persian.text).toContain('درست نبود.');
    expect((await show(browser, { code: await app.next() })).status).toBe(302);
  });

  it('a recovery code replaces a lost factor once, and its owner is told', async () => {
    const [code = ''] = app.recoveryCodes;
    expect((await show(await halfWay(), { recovery_code: code.toLowerCase() })).status).toBe(302);
    let subject = '';
    while (!subject.includes('recovery code')) {
      ({ subject = '' } = await mail.next(ada.email));
    }
    expect((await show(await halfWay(), { recovery_code: code })).status).toBe(401);
  });

  it('answers programs in JSON', async () => {
    const browser = openBrowser(server);
    const fields = hiddenFields((await browser.get('/login/')).text);
    const login = (password: string) =>
      browser.post('/accounts/login/', { ...fields, username: ada.email, password }, JSON_ONLY);
    expect((await login('wrong')).body).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    const half = await login(PASSWORD);
    expect(half.status).toBe(200);
    expect(half.body).toEqual({
      result: 'success',
      msg: '',
      stage: 'factor',
      methods: ['totp', 'recovery'],
      next: `${FACTOR}?lang=en`,
    });
    const wrong = await browser.post(FACTOR, { ...fields, code: '000000' }, JSON_ONLY);
    expect(wrong.status).toBe(401);
    expect(wrong.body).toMatchObject({ result: 'error', code: 'WRONG_FACTOR' });
    const forged = await browser.post(FACTOR, { code: '000000' }, JSON_ONLY);
    expect(forged.status).toBe(403);
    expect(forged.body).toMatchObject({ code: 'CSRF_FAILED' });
    const right = await browser.post(FACTOR, { ...fields, code: await app.next() }, JSON_ONLY);
    expect(right.body).toMatchObject({ stage: 'done' });
    expect(await isSignedIn(browser)).toBe(true);
    const again = await browser.post(FACTOR, { ...fields, code: await app.next() }, JSON_ONLY);
    expect(again.status).toBe(401);
    expect(again.body).toMatchObject({ code: 'SIGN_IN_OVER' });
  });

  it('answers people without a factor in JSON too', async () => {
    const bob = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = openBrowser(server);
    const fields = hiddenFields((await browser.get('/login/')).text);
    const form = { ...fields, username: bob.email, password: PASSWORD };
    const answer = await browser.post('/accounts/login/', form, JSON_ONLY);
    expect(answer.body).toEqual({ result: 'success', msg: '', stage: 'done', next: '/?lang=en' });
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('three wrong codes after the right password tell the owner, once a day', async () => {
    for (let count = 0; count < 5; count += 1) {
      // Each in a sign-in of its own, as somebody would do who wants to stay unseen.
      expect((await show(await halfWay(), { code: '000000' })).status).toBe(401);
    }
    const limited = await show(await halfWay(), { code: '000000' });
    expect(limited.status).toBe(429);
    expect(limited.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(limited.text).toContain('/accounts/login/device/');
    const subjects = async () =>
      mail.emails.filter(({ recipients }) => recipients.includes(ada.email)).map((e) => e.subject);
    await expect
      .poll(subjects, { timeout: 30_000 })
      .toContainEqual(expect.stringContaining('knows your password'));
    const told = (await subjects()).filter((one) => one?.includes('knows your password'));
    expect(told).toHaveLength(1);
  });

  it('ends after ten minutes, after ten wrong answers, and when the password changes', async () => {
    const { pool } = server.ctx.database;
    const late = await halfWay();
    await pool.query('UPDATE sign_ins SET expires_at = now() WHERE user_id = $1', [ada.id]);
    const over = await show(late, { code: await app.next() });
    expect(over.headers.get('location')).toBe('/login/?lang=en&stage=over');
    expect((await late.get('/login/?stage=over')).text).toContain('Sign in again.');

    const wrong = await halfWay();
    await pool.query('UPDATE sign_ins SET tries = 9 WHERE user_id = $1', [ada.id]);
    await show(wrong, { code: '000000' });
    const form = { csrfmiddlewaretoken: wrong.cookies.get('csrftoken') ?? '' };
    expect((await wrong.post(FACTOR, { ...form, code: await app.next() })).status).toBe(303);
    expect(await isSignedIn(wrong)).toBe(false);
  });

  it('keeps no more than twenty sign-ins of one person under way', async () => {
    const first = await halfWay();
    for (let count = 0; count < 20; count += 1) await halfWay();
    const { rows } = await server.ctx.database.pool.query(
      'SELECT FROM sign_ins WHERE user_id = $1 AND used_at IS NULL',
      [ada.id],
    );
    expect(rows).toHaveLength(20);
    expect((await first.get(FACTOR)).status).toBe(303);
  });

  it('a passkey that may be a copy opens nothing, and the password alone does not either', async () => {
    const bob = await examplePerson(server.ctx, { password: PASSWORD });
    await server.ctx.database.pool.query(
      `INSERT INTO passkeys (credential, user_id, public_key, counter, alone, backed_up, label, suspected_at)
       VALUES ('\\x01', $1, '\\x02', 7, true, false, 'key', now())`,
      [bob.id],
    );
    const browser = await halfWay(bob);
    expect((await browser.get(FACTOR)).text).not.toContain('name="code"');
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('a person who was deactivated meanwhile does not get in', async () => {
    const browser = await halfWay();
    await server.ctx.database.pool.query('UPDATE users SET is_active = false WHERE id = $1', [
      ada.id,
    ]);
    await show(browser, { code: await app.next() });
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('an unknown browser gets no page, and hostile answers get no further', async () => {
    const stranger = openBrowser(server);
    expect((await stranger.get(FACTOR)).headers.get('location')).toContain('/login/');
    const browser = await halfWay();
    for (const answer of [
      {},
      { code: '' },
      { assertion: '{' },
      { assertion: 'null' },
      { assertion: '{"id":1}' },
      { code: 'x'.repeat(10_000) },
    ] as Record<string, string>[]) {
      const { status } = await show(browser, answer);
      expect([401, 429]).toContain(status);
    }
    expect(await isSignedIn(browser)).toBe(false);
    expect((await browser.post(FACTOR, { code: 'x'.repeat(20_000) })).status).toBe(413);
  });
});

describe('[I3] what was planted in a browser before signing in is worthless after', () => {
  it('a session', async () => {
    const eve = await examplePerson(server.ctx, { password: PASSWORD });
    const attacker = openBrowser(server);
    await attacker.signIn(eve.email, PASSWORD);
    const planted = attacker.cookies.get('sessionid') ?? '';
    const victim = openBrowser(server);
    victim.cookies.set('sessionid', planted);
    victim.cookies.set('csrftoken', attacker.cookies.get('csrftoken') ?? '');
    await victim.signIn(ada.email, PASSWORD);
    // Until the second stage the browser still has the session that it had, and nothing of Ada's.
    expect((await victim.call('GET', '/users/me')).body).toMatchObject({ user_id: eve.id });
    await show(victim, { code: await app.next() });
    expect(victim.cookies.get('sessionid')).not.toBe(planted);
    expect((await victim.call('GET', '/users/me')).body).toMatchObject({ user_id: ada.id });
    expect(await isSignedIn(attacker)).toBe(false);
  });

  it('a session token that nobody was given', async () => {
    const planted = 'A'.repeat(43);
    const victim = openBrowser(server);
    victim.cookies.set('sessionid', planted);
    await victim.signIn(ada.email, PASSWORD);
    await show(victim, { code: await app.next() });
    const attacker = openBrowser(server);
    attacker.cookies.set('sessionid', planted);
    expect(await isSignedIn(attacker)).toBe(false);
  });

  it('a sign-in of the attacker', async () => {
    const eve = await examplePerson(server.ctx, { password: PASSWORD });
    await giveTotp(server.ctx, eve);
    const attacker = await halfWay(eve);
    const planted = attacker.cookies.get('signin') ?? '';
    // Planted before the password: the browser gets another one.
    const victim = openBrowser(server);
    victim.cookies.set('signin', planted);
    await victim.signIn(ada.email, PASSWORD);
    expect(victim.cookies.get('signin')).not.toBe(planted);
    // Planted after the password: Ada's code does not fit Eve's account.
    const own = victim.cookies.get('signin') ?? '';
    victim.cookies.set('signin', planted);
    expect((await show(victim, { code: await app.next() })).status).toBe(401);
    victim.cookies.set('signin', own);
    expect((await show(victim, { code: await app.next() })).status).toBe(302);
    // And the token of a finished sign-in opens nothing.
    const thief = openBrowser(server);
    thief.cookies.set('signin', own);
    expect((await thief.get(FACTOR)).status).toBe(303);
  });

  it('a CSRF token', async () => {
    const planted = 'B'.repeat(43);
    const victim = openBrowser(server);
    victim.cookies.set('csrftoken', planted);
    await victim.signIn(ada.email, PASSWORD);
    await show(victim, { code: await app.next() });
    expect(victim.cookies.get('csrftoken')).not.toBe(planted);
    const own = victim.cookies.get('csrftoken') ?? '';
    victim.cookies.set('csrftoken', planted);
    const forged = await victim.call('POST', '/users/me/presence', { status: 'active' });
    expect(forged.status).toBe(403);
    victim.cookies.set('csrftoken', own);
    const right = await victim.call('POST', '/users/me/presence', { status: 'active' });
    expect(right.status).toBe(200);
  });
});
