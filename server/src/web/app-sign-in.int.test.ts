// Apps that are signed in through the browser, and the ways to sign in that owners switch off.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { chatClient } from '../testing/chat/client.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { providerSettings, startProvider, type TestProvider } from '../testing/oidc-provider.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret 7';

let acme: TestProvider;
let server: TestServer;
let owner: Person;
let removeFile: () => void;

beforeAll(async () => {
  acme = await startProvider('acme');
  const file = providerSettings([acme.entry({ icon: 'https://acme.example/icon.png' })]);
  removeFile = file.remove;
  server = await startTestServer({
    settings: { ...file.settings, CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
  });
  await acme.register(server.origin);
  owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
}, 300_000);
afterAll(async () => {
  await server.close();
  await acme.close();
  removeFile();
});

const makePad = (): string => randomBytes(32).toString('hex');

/** What the app does with the address that the browser gives it. */
function decode(page: Page, pad: string): { key: string; query: URLSearchParams } {
  expect(page.status, page.text).toBe(302);
  const location = page.headers.get('location') ?? '';
  expect(location).toMatch(/^zulip:\/\/login\?/);
  const query = new URL(location).searchParams;
  const hidden = Buffer.from(query.get('otp_encrypted_api_key') ?? '', 'hex');
  const padBytes = Buffer.from(pad, 'hex');
  return {
    key: Buffer.from(hidden.map((byte, at) => byte ^ (padBytes[at] ?? 0))).toString(),
    query,
  };
}

async function link(person: Person): Promise<void> {
  await server.owner.query(
    'INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ($1, $2, $3)',
    [acme.issuer, `subject of ${person.id}`, person.id],
  );
  await acme.become({ sub: `subject of ${person.id}` });
}

const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.call('GET', '/users/me')).status === 200;

const keyWorks = async ({ email }: Person, key: string): Promise<boolean> => {
  const basic = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`;
  return (await chatClient(server, { basic }).get('/users/me')).body['email'] === email;
};

const APP = '/accounts/login/app/';

describe('an app', () => {
  it('[I18] is signed in after the password: its key decodes, works, and the browser has no session', async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const pad = makePad();
    const browser = openBrowser(server);
    const begun = await browser.get(`/accounts/login/web/?mobile_flow_otp=${pad}`);
    expect(begun.headers.get('location')).toContain(`next=${encodeURIComponent(APP)}`);
    const signedIn = await browser.signIn(person.email, PASSWORD, { next: APP });
    expect(signedIn.headers.get('location')).toBe(APP);
    const page = await browser.get(APP);
    expect(page.headers.get('content-security-policy')).toContain("form-action 'self' zulip:;");
    const { key, query } = decode(await browser.post(APP, hiddenFields(page.text)), pad);
    expect(await keyWorks(person, key)).toBe(true);
    expect(query.get('email')).toBe(person.email);
    expect(query.get('user_id')).toBe(String(person.id));
    expect(query.get('realm')).toBe(server.origin);
    expect(await isSignedIn(browser)).toBe(false);
    // The pad is stored sealed, and is good once.
    expect((await browser.get(APP)).status).toBe(400);
    const { rows } = await server.owner.query(
      `SELECT encode(sealed, 'hex') AS kept FROM sign_ins WHERE provider = 'app:'`,
    );
    for (const { kept } of rows as { kept: string }[]) {
      expect(kept).not.toContain(Buffer.from(pad).toString('hex'));
    }
  });

  it('[I18] is signed in through a provider', async () => {
    const person = await examplePerson(server.ctx);
    await link(person);
    const pad = makePad();
    const browser = openBrowser(server);
    const there = await browser.get(`/accounts/login/oidc/acme/?mobile_flow_otp=${pad}`);
    const back = new URL(await acme.approve(there.headers.get('location') ?? ''));
    const landed = await browser.get(`${back.pathname}${back.search}`);
    expect(landed.headers.get('location')).toBe(APP);
    const { text } = await browser.get(APP);
    const { key } = decode(await browser.post(APP, hiddenFields(text)), pad);
    expect(await keyWorks(person, key)).toBe(true);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('[I18] a link that an attacker sends to somebody who is signed in gives nothing without their POST', async () => {
    const victim = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = openBrowser(server);
    await browser.signIn(victim.email, PASSWORD);
    const pad = makePad();
    for (const path of [
      `/accounts/login/web/?mobile_flow_otp=${pad}`,
      `/login/?next=${encodeURIComponent(APP)}`,
      APP,
      `${APP}?mobile_flow_otp=${pad}`,
    ]) {
      const page = await browser.get(path);
      expect(page.headers.get('location') ?? '').not.toContain('zulip:');
      expect(page.text).not.toContain('otp_encrypted');
    }
    // Another site's form has no token.
    for (const form of [{}, { csrfmiddlewaretoken: 'A'.repeat(43) }]) {
      const page = await browser.post(APP, form);
      expect(page.status).toBe(403);
      expect(page.headers.get('location')).toBeNull();
    }
    // A session that was opened long ago has to prove itself again.
    await server.owner.query(
      `UPDATE sessions SET factor_at = now() - interval '11 minutes' WHERE user_id = $1`,
      [victim.id],
    );
    const stale = await browser.get(APP);
    expect(stale.text).toContain(`action="${APP}again/"`);
    expect((await browser.post(APP, hiddenFields(stale.text))).status).toBe(403);
    const again = await browser.post(`${APP}again/`, hiddenFields(stale.text));
    expect(again.headers.get('location')).toContain('/login/');
    expect(await isSignedIn(browser)).toBe(false);
    await browser.signIn(victim.email, PASSWORD, { next: APP });
    const { text } = await browser.get(APP);
    const { key } = decode(await browser.post(APP, hiddenFields(text)), pad);
    expect(await keyWorks(victim, key)).toBe(true);
    // They were signed in before, and still are.
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('[I18] 20 answers at once hand out one key', async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = openBrowser(server);
    await browser.signIn(person.email, PASSWORD);
    await browser.get(`/accounts/login/web/?mobile_flow_otp=${makePad()}`);
    const fields = hiddenFields((await browser.get(APP)).text);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const copy = openBrowser(server);
        for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
        return (await copy.post(APP, fields)).status;
      }),
    );
    expect(answers.filter((status) => status === 302)).toHaveLength(1);
  });

  it.each([
    '',
    'abc',
    'g'.repeat(64),
    'a'.repeat(63),
    'a'.repeat(65),
    `${'a'.repeat(64)}&mobile_flow_otp=b`,
  ])('[I18] the pad %j is refused with 400, on both ways', async (pad) => {
    for (const path of ['/accounts/login/web/', '/accounts/login/oidc/acme/']) {
      const page = await openBrowser(server).get(`${path}?mobile_flow_otp=${pad}`);
      expect(page.status).toBe(400);
      expect(page.text).toContain('64');
    }
  });

  it('the page asks in both languages', async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = openBrowser(server);
    await browser.signIn(person.email, PASSWORD);
    await browser.get(`/accounts/login/web/?mobile_flow_otp=${makePad()}`);
    expect((await browser.get(`${APP}?lang=en`)).text).toContain('Sign the app in');
    expect((await browser.get(`${APP}?lang=fa`)).text).toContain('dir="rtl"');
  });
});

describe('what clients read before they sign in', () => {
  const settings = async () => (await chatClient(server).get('/server_settings')).body;

  it('lists the browser and the providers, by paths without a query', async () => {
    const body = await settings();
    expect(body['authentication_methods']).toMatchObject({
      password: true,
      email: true,
      ldap: false,
      'openid connect': true,
    });
    expect(body['external_authentication_methods']).toEqual([
      {
        name: 'web',
        display_name: 'browser',
        display_icon: null,
        login_url: '/accounts/login/web/',
        signup_url: '/accounts/register/',
      },
      {
        name: 'oidc:acme',
        display_name: 'Provider acme',
        display_icon: 'https://acme.example/icon.png',
        login_url: '/accounts/login/oidc/acme/',
        signup_url: '/accounts/login/oidc/acme/',
      },
    ]);
    const { text } = await openBrowser(server).get('/login/?lang=fa&next=%2Faccount%2Fkey%2F');
    expect(text).toContain(
      'href="/accounts/login/oidc/acme/?lang=fa&amp;next=%2Faccount%2Fkey%2F"',
    );
  });

  it('passwords can be switched off when an owner has another way in, and not before', async () => {
    const as = chatClient(server, owner);
    const change = (methods: Record<string, boolean>) =>
      as.patch('/realm', { authentication_methods: methods });
    expect((await change({ LDAP: false })).body['msg']).toContain('Invalid authentication method');
    expect((await change({ Email: false, 'OpenID Connect': false })).body['msg']).toBe(
      'At least one authentication method must be enabled.',
    );
    const early = await change({ Email: false });
    expect(early.status).toBe(400);
    expect(early.body['msg']).toContain('No owner could sign in');
    expect((await settings())['email_auth_enabled']).toBe(true);
    await link(owner);
    const queue = (await as.post('/register', { event_types: ['realm'] })).body;
    expect((await change({ Email: false })).status).toBe(200);
    expect(await settings()).toMatchObject({
      email_auth_enabled: false,
      authentication_methods: { password: false, email: false },
    });
    const { body: events } = await as.get('/events', {
      queue_id: String(queue['queue_id']),
      last_event_id: String(queue['last_event_id']),
    });
    expect(events['events']).toContainEqual(
      expect.objectContaining({
        type: 'realm',
        op: 'update_dict',
        data: {
          authentication_methods: {
            Email: { enabled: false, available: true },
            'OpenID Connect': { enabled: true, available: true },
          },
        },
      }),
    );
    const refused = await chatClient(server).post('/fetch_api_key', {
      username: owner.email,
      password: PASSWORD,
    });
    expect(refused.status).toBe(401);
    expect(refused.body['code']).toBe('PASSWORD_AUTH_DISABLED');
    const browser = openBrowser(server);
    const page = await browser.get('/login/');
    expect(page.text).not.toContain('type="password"');
    const form = {
      csrfmiddlewaretoken: browser.cookies.get('csrftoken') ?? '',
      username: owner.email,
      password: PASSWORD,
    };
    const typed = await browser.post('/accounts/login/', form);
    expect(typed.status).toBe(401);
    expect(typed.text).toContain('does not let people sign in with a password');
    expect(await isSignedIn(browser)).toBe(false);
    // The provider still opens the account, and cannot be unlinked: it is the only way in.
    const there = await browser.get('/accounts/login/oidc/acme/');
    const back = new URL(await acme.approve(there.headers.get('location') ?? ''));
    await browser.get(`${back.pathname}${back.search}`);
    expect(await isSignedIn(browser)).toBe(true);
    expect((await browser.call('DELETE', '/identities/acme')).body['code']).toBe('ONLY_WAY_IN');
    expect((await change({ Email: true, 'OpenID Connect': false })).status).toBe(200);
    expect((await settings())['external_authentication_methods']).toHaveLength(1);
    expect((await browser.get('/accounts/login/oidc/acme/')).status).toBe(403);
    expect((await change({ 'OpenID Connect': true })).status).toBe(200);
  });
});
