// Acts that could do harm ask a session to prove itself again.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../../../accounts/roles.ts';
import { actOf } from '../../../accounts/second-factors/act.ts';
import { requireStepUp } from '../../../accounts/second-factors/step-up.ts';
import { findSession } from '../../../accounts/sessions/access.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { hiddenFields, openBrowser, type Browser } from '../../../testing/browser.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';
import { chatRoutes, sessionRoutes } from '../../routes.ts';

const PASSWORD = 'a long enough secret';

/** Stands still unless a test moves it. */
const nowMs = Date.now();
let server: TestServer;
let member: Person;

beforeAll(async () => {
  server = await startTestServer({
    settings: { CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    clock: { now: () => nowMs },
  });
  member = await examplePerson(server.ctx);
});
afterAll(() => server.close());

const query = (text: string, values: unknown[]) => server.ctx.database.pool.query(text, values);

async function signedIn(person: Person): Promise<Browser> {
  const browser = openBrowser(server);
  expect((await browser.signIn(person.email, PASSWORD)).status).toBe(302);
  return browser;
}

const newOwner = () => examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });

/** Lets the last proof of this person's sessions be so long ago. */
const proveAgo = (person: Person, seconds: number) =>
  query(
    `UPDATE sessions SET factor_at = to_timestamp($2::double precision / 1000) WHERE user_id = $1`,
    [person.id, nowMs - seconds * 1000],
  );

const addTotp = (person: Person) =>
  query(`INSERT INTO totp_secrets (user_id, sealed, confirmed_at) VALUES ($1, 'sealed', now())`, [
    person.id,
  ]);

const setRole = (browser: Browser) =>
  browser.call('PATCH', `/users/${member.id}`, { role: String(ROLE.moderator) });

/** Of the right form, and worth nothing. */
const REGISTRATION = {
  id: 'AAAA',
  rawId: 'AAAA',
  type: 'public-key',
  response: { clientDataJSON: 'AAAA', attestationObject: 'AAAA' },
};

describe('[I7] an act that asks for a fresh session', () => {
  it('goes on 9:59 minutes after the password, and not after 10:01', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    await proveAgo(owner, 599);
    expect((await setRole(browser)).status).toBe(200);
    await proveAgo(owner, 601);
    const { status, body } = await setRole(browser);
    expect(status).toBe(403);
    expect(body).toEqual({
      result: 'error',
      code: 'SECOND_FACTOR_REQUIRED',
      msg: 'Prove again that it is you: send your password as `password` to POST /json/step_up, then repeat this.',
      methods: ['password'],
      enrol: false,
      level: 'fresh',
    });
    // What does not ask for it goes on.
    expect((await browser.call('GET', '/users/me')).status).toBe(200);
    expect((await browser.call('PATCH', `/users/${owner.id}`, { full_name: 'Ada L' })).status).toBe(
      200,
    );
    const proved = await browser.call('POST', '/step_up', { password: PASSWORD });
    expect(proved.status).toBe(200);
    expect(proved.body['fresh_until']).toBe(Math.floor(nowMs / 1000) + 600);
    expect((await setRole(browser)).status).toBe(200);
  });

  it('is not satisfied by a password where there is a factor', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    expect((await setRole(browser)).status).toBe(200);
    await addTotp(owner);
    const { status, body } = await setRole(browser);
    expect([status, body['methods'], body['enrol']]).toEqual([403, ['totp'], false]);
    const tried = await browser.call('POST', '/step_up', { password: PASSWORD });
    expect([tried.status, tried.body['code']]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
    expect((await browser.call('GET', '/step_up')).body).toMatchObject({
      methods: ['totp'],
      fresh_until: null,
    });
    // A factor was shown: 9:59 and 10:01.
    await query(`UPDATE sessions SET methods = '{password,totp}' WHERE user_id = $1`, [owner.id]);
    await proveAgo(owner, 599);
    expect((await setRole(browser)).status).toBe(200);
    await proveAgo(owner, 601);
    expect((await setRole(browser)).status).toBe(403);
  });

  it('every such route refuses a session that is not fresh, whatever its parameters', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    await proveAgo(owner, 3600);
    const forms: Record<string, Record<string, string>> = {
      'create-api-key': { label: 'x' },
      'create-passkey': { label: 'x', response: JSON.stringify(REGISTRATION) },
      'create-bot-api-key': { label: 'x' },
      'update-phrase': { phrase: 'x' },
      'confirm-totp': { code: '000000' },
      'update-user': { role: '400' },
      'update-user-by-email': { role: '400' },
      'update-bot': { role: '400' },
      'update-realm': { waiting_period_threshold: '1' },
      'update-settings': { new_password: 'x', old_password: 'y' },
      'update-display-settings': { new_password: 'x', old_password: 'y' },
      'update-notification-settings': { new_password: 'x', old_password: 'y' },
    };
    const always = sessionRoutes.filter((route) => route.stepUpOf({}) !== undefined);
    const names = new Set([...always.map(({ name }) => name), ...Object.keys(forms)]);
    expect(names.size).toBeGreaterThan(12);
    for (const { name, method, path, params } of sessionRoutes.filter((one) =>
      names.has(one.name),
    )) {
      const needed = Object.fromEntries((params.required ?? []).map((one) => [one, '1']));
      const url = path.replaceAll(/\{\w+(:int)?\}/g, (_part, int?: string) =>
        int === undefined ? member.email : String(member.id),
      );
      const { status, body } = await browser.call(method, url, forms[name] ?? needed);
      expect([name, status, body['code']]).toEqual([name, 403, 'SECOND_FACTOR_REQUIRED']);
    }
  });
});

describe('[I7] proving again', () => {
  it('five wrong answers end the session, also many at once', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    const other = await signedIn(owner);
    const wrong = () => browser.call('POST', '/step_up', { password: 'wrong' });
    for (let index = 0; index < 4; index += 1) {
      const { status, body } = await wrong();
      expect([status, body['code']]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
    }
    expect((await wrong()).status).toBe(401);
    expect((await browser.call('GET', '/users/me')).status).toBe(401);
    const { rows } = await query(
      'SELECT end_reason FROM sessions WHERE user_id = $1 AND ended_at IS NOT NULL',
      [owner.id],
    );
    expect(rows).toEqual([{ end_reason: 'wrong answers' }]);
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => other.call('POST', '/step_up', { password: 'wrong' })),
    );
    expect(answers.filter(({ status }) => status === 403).length).toBeLessThanOrEqual(4);
    expect((await other.call('GET', '/users/me')).status).toBe(401);
  });

  it('a right answer makes the tries whole again', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    for (const password of ['wrong', 'wrong', 'wrong', 'wrong', PASSWORD, 'wrong']) {
      const { status } = await browser.call('POST', '/step_up', { password });
      expect(status).toBe(password === PASSWORD ? 200 : 403);
    }
    expect((await browser.call('GET', '/users/me')).status).toBe(200);
  });

  it('takes exactly one answer, and one that this account has', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    for (const form of [{}, { code: '1', password: 'x' }]) {
      const { status, body } = await browser.call('POST', '/step_up', form);
      expect([status, body['msg']]).toEqual([
        400,
        'Send exactly one of code, assertion and password.',
      ]);
    }
    expect((await browser.call('POST', '/step_up', { code: '123456' })).status).toBe(403);
  });

  it('has a page, which leads on to what asked for it and nowhere else', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    await proveAgo(owner, 3600);
    for (const [next, target] of [
      ['/account/key/', '/account/key/'],
      ['https://evil.example/', '/?lang=fa'],
    ] as const) {
      const shown = await browser.get(
        `/accounts/step_up/?lang=fa&next=${encodeURIComponent(next)}`,
      );
      expect(shown.status).toBe(200);
      expect(shown.text).toContain('dir="rtl"');
      const form = hiddenFields(shown.text);
      const wrong = await browser.post('/accounts/step_up/', { ...form, password: 'no' });
      expect(wrong.status).toBe(403);
      expect(wrong.text).toContain('role="alert"');
      const right = await browser.post('/accounts/step_up/', { ...form, password: PASSWORD });
      expect([right.status, right.headers.get('location')]).toEqual([303, target]);
    }
    const foreign = await browser.post('/accounts/step_up/', { password: PASSWORD });
    expect(foreign.status).toBe(403);
    const stranger = await openBrowser(server).get('/accounts/step_up/');
    expect(stranger.headers.get('location')).toContain('/login/');
  });
});

describe('a key of an account with factors', () => {
  it('does nothing that asks for a factor, and everything else', async () => {
    const owner = await newOwner();
    const client = chatClient(server, owner);
    const change = () => client.patch(`/users/${member.id}`, { role: ROLE.member });
    expect((await change()).status).toBe(200);
    await addTotp(owner);
    const { status, body } = await change();
    expect([status, body['code'], body['level']]).toEqual([400, 'SECOND_FACTOR_REQUIRED', 'fresh']);
    expect((await client.get('/users/me')).status).toBe(200);
    const always = chatRoutes.filter(({ stepUpOf }) => stepUpOf({}) !== undefined);
    for (const { name, method, path } of always) {
      const url = path.replaceAll(/\{\w+(:int)?\}/g, String(member.id));
      const answer = await client.raw(url, { method });
      expect([name, answer.body['code']]).toEqual([name, 'SECOND_FACTOR_REQUIRED']);
    }
  });
});

describe('keys in a browser', () => {
  it('are shown and replaced by a session that is fresh', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    const renewed = await browser.call('POST', '/users/me/api_key/regenerate');
    expect(renewed.body['api_key']).toMatch(/^[A-Za-z0-9]{32}$/);
    await addTotp(owner);
    const reveal = () => browser.call('POST', '/fetch_api_key', { password: PASSWORD });
    expect((await reveal()).status).toBe(403);
    const page = await browser.get('/account/key/');
    expect(page.headers.get('location')).toBe(
      '/accounts/step_up/?lang=en&next=%2Faccount%2Fkey%2F%3Flang%3Den',
    );
    const persian = await browser.get('/account/key/?lang=fa');
    expect(persian.headers.get('location')).toBe(
      '/accounts/step_up/?lang=fa&next=%2Faccount%2Fkey%2F%3Flang%3Dfa',
    );
    await query(`UPDATE sessions SET methods = '{password,totp}' WHERE user_id = $1`, [owner.id]);
    expect((await reveal()).body['api_key']).toBe(renewed.body['api_key']);
    const form = await browser.get('/account/key/');
    expect(form.status).toBe(200);
    expect(form.text).not.toContain('type="password"');
    const shown = await browser.post('/account/key/', {
      ...hiddenFields(form.text),
      do: 'show',
    });
    expect(shown.text).toContain(String(renewed.body['api_key']));
  });
});

describe('[I7] an act that asks for a factor of its own', () => {
  it('is refused without one, and tells what can be shown or that one has to be added', async () => {
    const owner = await newOwner();
    const browser = await signedIn(owner);
    const cookie = `sessionid=${browser.cookies.get('sessionid') ?? ''}`;
    const ask = async (headers: Record<string, string>) => {
      const found = await findSession(server.ctx, cookie);
      if (found.kind !== 'live') return found.kind;
      const request = { url: '/json/v1/private/x', caller: '127.0.0.1', headers };
      const act = actOf(server.ctx.config, request, 'POST', []);
      return requireStepUp(server.ctx, found.session, 'each', act).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
        return { status: error.status, code: error.code, ...error.fields };
      });
    };
    const refused = { status: 403, code: 'SECOND_FACTOR_REQUIRED', level: 'each' };
    // The session is fresh, and that is not enough.
    expect(await ask({})).toEqual({ ...refused, methods: [], enrol: true });
    expect(await ask({ 'x-svc-otp': '123456' })).toEqual({ ...refused, methods: [], enrol: true });
    await addTotp(owner);
    expect(await ask({})).toEqual({ ...refused, methods: ['totp'], enrol: false });
  });
});
