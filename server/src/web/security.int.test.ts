// Adding, replacing and removing a second factor: on the page, under /json, and while signing in.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { removeTotp } from '../accounts/second-factors/actions.ts';
import { noteFactorsDue } from '../accounts/second-factors/policy.ts';
import { setRole } from '../accounts/users/role-changes.ts';
import { chatClient } from '../testing/chat/client.ts';
import { hiddenFields, openBrowser, type Browser } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { codeShown, giveTotp, signInWithCode } from '../testing/factors.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { exampleTrader } from '../testing/trader.ts';

const PASSWORD = 'a long enough secret';
const SECURITY = '/accounts/security/';
const ENROL = '/accounts/login/enrol/';

let server: TestServer;
let ada: Person;

beforeAll(async () => {
  server = await startTestServer({ settings: { CHAT_RATE_LIMIT_ANONYMOUS: '100000' } });
});
beforeEach(async () => {
  await query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: PASSWORD });
});
afterAll(() => server.close());

const query = (text: string, values: unknown[] = []) =>
  server.ctx.database.pool.query(text, values);

async function browserOf(person: Person): Promise<Browser> {
  const browser = openBrowser(server);
  expect((await browser.signIn(person.email, PASSWORD)).status).toBe(302);
  return browser;
}

const withFactor = async (person: Person): Promise<Browser> => {
  const app = await giveTotp(server.ctx, person);
  return signInWithCode(server, person.email, PASSWORD, await app.next());
};

async function send(browser: Browser, form: Record<string, string>, lang = 'en') {
  const fields = hiddenFields((await browser.get(`${SECURITY}?lang=${lang}`)).text);
  return browser.post(SECURITY, { ...fields, ...form });
}

const keyWorks = async (person: Person) =>
  (await chatClient(server, person).get('/users/me')).status === 200;

describe('the page about security', () => {
  it('adds an app by a picture and a key, shows recovery codes once, and takes it away again', async () => {
    const browser = await browserOf(ada);
    const offered = await send(browser, { do: 'begin' });
    expect(offered.status).toBe(200);
    expect(offered.text).toContain('<svg');
    expect(offered.headers.get('content-security-policy')).not.toContain('script-src');
    const wrong = await send(browser, { do: 'confirm', code: '000000' });
    expect(wrong.status).toBe(400);
    // The same secret again: what was scanned stays right.
    const code = await codeShown(server.ctx, wrong.text);
    expect(code).toBe(await codeShown(server.ctx, offered.text));
    const added = await send(browser, { do: 'confirm', code });
    expect(added.status).toBe(200);
    expect(added.text.match(/[A-Z2-7]{5}-[A-Z2-7]{5}/g)).toHaveLength(10);
    expect((await browser.get(SECURITY)).text).not.toMatch(/[A-Z2-7]{5}-[A-Z2-7]{5}/);
    // The first factor ends the key that was given for the password alone.
    expect(await keyWorks(ada)).toBe(false);
    const renewed = await send(browser, { do: 'renew' }, 'fa');
    expect(renewed.text.match(/[A-Z2-7]{5}-[A-Z2-7]{5}/g)).toHaveLength(10);
    expect(renewed.text).toContain('dir="rtl"');
    expect((await send(browser, { do: 'remove' })).text).toContain('The app is removed.');
    const { rows } = await query(
      'SELECT FROM totp_secrets WHERE user_id = $1 UNION ALL SELECT FROM recovery_codes WHERE user_id = $1',
      [ada.id],
    );
    expect(rows).toHaveLength(0);
  });

  it('keeps the key if its owner wants that', async () => {
    const browser = await browserOf(ada);
    const { text } = await send(browser, { do: 'begin' });
    const code = await codeShown(server.ctx, text);
    await send(browser, { do: 'confirm', code, keep_key: 'true' });
    expect(await keyWorks(ada)).toBe(true);
  });

  it('changes nothing without a fresh proof, nor for another site', async () => {
    const browser = await withFactor(ada);
    await query("UPDATE sessions SET factor_at = now() - interval '11 minutes'");
    const old = await send(browser, { do: 'remove' });
    expect(old.status).toBe(303);
    expect(old.headers.get('location')).toContain('/accounts/step_up/');
    expect((await browser.post(SECURITY, { do: 'remove' })).status).toBe(403);
    expect((await browser.call('DELETE', '/second_factors/totp')).status).toBe(403);
    expect((await browser.call('GET', '/second_factors')).body).toMatchObject({ totp: true });
  });

  it('leads to everything else that protects the account, in both languages, and is found from the own page', async () => {
    const browser = await browserOf(ada);
    for (const language of ['en', 'fa']) {
      const home = await browser.get(`/?lang=${language}`);
      expect(home.text).toContain(`href="${SECURITY}?lang=${language}"`);
      const { text } = await browser.get(`${SECURITY}?lang=${language}`);
      for (const path of [
        '/accounts/sessions/',
        '/account/phrase/',
        '/account/key/',
        '/accounts/keys/',
        '/accounts/security/passkeys/',
      ]) {
        expect(text).toContain(`href="${path}?lang=${language}"`);
        const page = await browser.get(`${path}?lang=${language}`);
        expect(page.status, path).toBe(200);
        expect(page.text).toContain(`<html lang="${language}"`);
      }
      // There is none here.
      expect(text).not.toContain('/account/identities/');
    }
  });

  it('is not shown to strangers, and keys have no such routes', async () => {
    const { status, headers } = await openBrowser(server).get(SECURITY);
    expect([status, headers.get('location')]).toEqual([303, expect.stringContaining('/login/')]);
    expect((await chatClient(server, ada).get('/second_factors')).status).toBe(404);
    expect((await chatClient(server, ada).delete('/second_factors/totp')).status).toBe(404);
  });
});

describe('/json/second_factors', () => {
  it('adds, lists, replaces and removes', async () => {
    const browser = await browserOf(ada);
    expect((await browser.call('GET', '/second_factors')).body).toMatchObject({
      totp: false,
      passkeys: [],
      recovery_codes_left: 0,
      required: false,
      due_at: null,
    });
    const first = await browser.call('POST', '/second_factors/totp/confirm', { code: '000000' });
    expect(first.body).toMatchObject({ code: 'BAD_REQUEST' });
    const { body } = await browser.call('POST', '/second_factors/totp');
    expect(body).toMatchObject({
      secret: expect.stringMatching(/^[A-Z2-7]{32}$/),
      uri: expect.stringContaining('otpauth://totp/'),
      qr_svg: expect.stringContaining('<svg'),
    });
    const code = await codeShown(server.ctx, String(body['secret']));
    const added = await browser.call('POST', '/second_factors/totp/confirm', { code });
    expect(added.body['recovery_codes']).toHaveLength(10);
    const again = await browser.call('POST', '/second_factors/totp/confirm', { code });
    expect(again.status).toBe(400);
    expect((await browser.call('GET', '/second_factors')).body).toMatchObject({
      totp: true,
      recovery_codes_left: 10,
    });
  });

  it('a factor freezes withdrawals for a day when it is added and when it is removed', async () => {
    await exampleTrader(server.ctx, { userId: ada.id });
    const frozenFor = async () => {
      const { rows } = await query(
        `SELECT extract(epoch FROM max(withdraw_freeze_until) - now())::float8 AS seconds
           FROM trading_accounts WHERE user_id = $1`,
        [ada.id],
      );
      return ((rows[0] as { seconds: number | null }).seconds ?? 0) / 3600;
    };
    await giveTotp(server.ctx, ada);
    expect(await frozenFor()).toBeGreaterThan(23.9);
    await query('UPDATE trading_accounts SET withdraw_freeze_until = NULL');
    await removeTotp(server.ctx, ada, '127.0.0.1');
    expect(await frozenFor()).toBeGreaterThan(23.9);
  });

  it('the last factor of somebody who has to have one stays', async () => {
    const owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
    const browser = await withFactor(owner);
    const refused = await browser.call('DELETE', '/second_factors/totp');
    expect(refused.status).toBe(400);
    expect(refused.body).toMatchObject({ code: 'FACTOR_REQUIRED' });
    expect((await send(browser, { do: 'remove' })).status).toBe(400);
    // Another phone is possible all the same.
    const { body } = await browser.call('POST', '/second_factors/totp');
    const code = await codeShown(server.ctx, String(body['secret']));
    const { status } = await browser.call('POST', '/second_factors/totp/confirm', { code });
    expect(status).toBe(200);
  });
});

describe('an organization that asks for a second factor', () => {
  const dueOf = async ({ id }: Person): Promise<number | null> => {
    const { rows } = await query(
      'SELECT extract(epoch FROM factor_due_at - now())::float8 / 86400 AS days FROM users WHERE id = $1',
      [id],
    );
    return (rows[0] as { days: number | null }).days;
  };

  it('gives owners seven days, counted from the sign-in or the job', async () => {
    const [one, two] = [
      await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD }),
      await examplePerson(server.ctx, { role: ROLE.owner }),
    ];
    await browserOf(one);
    await browserOf(ada);
    expect(await dueOf(one)).toBeCloseTo(7, 1);
    expect(await dueOf(ada)).toBeNull();
    await noteFactorsDue(server.ctx);
    expect(await dueOf(two)).toBeCloseTo(7, 1);
    expect(await dueOf(ada)).toBeNull();
    // Those who have one have no date.
    await giveTotp(server.ctx, two);
    expect(await dueOf(two)).toBeNull();
    await noteFactorsDue(server.ctx);
    expect(await dueOf(two)).toBeNull();
  });

  it('gives another role its own time', async () => {
    await query("UPDATE users SET factor_due_at = now() - interval '1 day' WHERE id = $1", [
      ada.id,
    ]);
    await server.ctx.inTransaction((tx) => setRole(tx, ada, ROLE.owner));
    await browserOf(ada);
    expect(await dueOf(ada)).toBeCloseTo(7, 1);
  });

  it('after that, signing in stops until one is added, and then goes on', async () => {
    const owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
    await query('UPDATE users SET factor_due_at = now() WHERE id = $1', [owner.id]);
    const browser = openBrowser(server);
    const stopped = await browser.signIn(owner.email, PASSWORD, { next: '/account/key/' });
    expect(stopped.status).toBe(303);
    expect(stopped.headers.get('location')).toContain(ENROL);
    expect((await browser.call('GET', '/users/me')).status).toBe(401);
    // The stage for a factor is not the one for adding one.
    expect((await browser.get('/accounts/login/factor/')).status).toBe(303);
    const { text } = await browser.get(ENROL);
    expect((await browser.get(`${ENROL}?lang=fa`)).text).toContain('dir="rtl"');
    const wrong = await browser.post(ENROL, { ...hiddenFields(text), code: '000000' });
    expect(wrong.status).toBe(400);
    expect((await browser.post(ENROL, { code: '000000' })).status).toBe(403);
    const code = await codeShown(server.ctx, text);
    const added = await browser.post(ENROL, { ...hiddenFields(text), code });
    expect(added.status).toBe(200);
    expect(added.text).toContain('href="/account/key/"');
    expect(added.text.match(/[A-Z2-7]{5}-[A-Z2-7]{5}/g)).toHaveLength(10);
    expect((await browser.call('GET', '/users/me')).status).toBe(200);
    expect((await browser.get(ENROL)).status).toBe(303);
  });

  it('answers programs in JSON', async () => {
    const owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
    await query('UPDATE users SET factor_due_at = now() WHERE id = $1', [owner.id]);
    const browser = openBrowser(server);
    const fields = hiddenFields((await browser.get('/login/')).text);
    const form = { ...fields, username: owner.email, password: PASSWORD };
    const json = { accept: 'application/json' };
    const half = await browser.post('/accounts/login/', form, json);
    expect(half.body).toMatchObject({ stage: 'enrol' });
    const { body } = await browser.get(ENROL, json);
    expect(body).toMatchObject({ stage: 'enrol', qr_svg: expect.stringContaining('<svg') });
    const code = await codeShown(server.ctx, String(body['secret']));
    const done = await browser.post(ENROL, { ...fields, code }, json);
    expect(done.body).toMatchObject({ stage: 'done', recovery_codes: expect.any(Array) });
  });
});

describe('[I19] fetch_api_key', () => {
  const fetchKey = (person: Person, password = PASSWORD) =>
    chatClient(server).post('/fetch_api_key', { username: person.email, password });

  it('gives the key as before without a factor, and explains what to do with one', async () => {
    expect((await fetchKey(ada)).body).toMatchObject({ api_key: ada.chatKey });
    await giveTotp(server.ctx, ada);
    const { status, body } = await fetchKey(ada);
    expect(status).toBe(401);
    expect(body).toEqual({
      result: 'error',
      code: 'SECOND_FACTOR_REQUIRED',
      msg: 'This account needs a second step: sign in with the browser, or use a key from your settings.',
    });
    // Somebody without the password learns nothing.
    expect((await fetchKey(ada, 'wrong')).body).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    // A key that its owner has works.
    expect(await keyWorks(ada)).toBe(true);
  });

  it('gives none to somebody who should have a factor by now', async () => {
    const owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
    expect((await fetchKey(owner)).status).toBe(200);
    await query('UPDATE users SET factor_due_at = now() WHERE id = $1', [owner.id]);
    expect((await fetchKey(owner)).body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED' });
  });
});
