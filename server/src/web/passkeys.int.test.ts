// Signing in with a passkey, alone and after the password, with an authenticator that can lie; and the page of passkeys.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthenticator, type Authenticator, type Lies } from '../testing/authenticator.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret 7';
const ORIGIN = 'http://venue.rialto.localhost:8443';
const ALONE = '/accounts/login/passkey/';
const FACTOR = '/accounts/login/factor/';
const PASSKEYS = '/accounts/security/passkeys/';

let server: TestServer;

const settings = {
  PUBLIC_URL: ORIGIN,
  WEBAUTHN_RP_ID: 'rialto.localhost',
  CHAT_RATE_LIMIT_ANONYMOUS: '100000',
  CHAT_RATE_LIMIT: '100000',
};

beforeAll(async () => {
  server = await startTestServer({ settings });
});
afterAll(() => server.close());

type CreationOptions = Parameters<Authenticator['register']>[0];
type RequestOptions = Parameters<Authenticator['assert']>[0];

/** A person with one passkey, and nobody signed in. */
async function owner(
  lies: Lies = {},
): Promise<{ person: Person; authenticator: Authenticator; id: number }> {
  const person = await examplePerson(server.ctx, { password: PASSWORD });
  const browser = openBrowser(server);
  await browser.signIn(person.email, PASSWORD);
  const { body } = await browser.call('POST', '/second_factors/passkeys/options');
  const authenticator = createAuthenticator(ORIGIN);
  const response = JSON.stringify(authenticator.register(body['options'] as CreationOptions, lies));
  const answer = await browser.call('POST', '/second_factors/passkeys', { response, label: 'Key' });
  expect(answer.status).toBe(200);
  return { person, authenticator, id: Number(answer.body['id']) };
}

interface Asked {
  readonly browser: Browser;
  readonly csrf: Record<string, string>;
  readonly options: RequestOptions;
}

/** A browser at the sign-in page, which has its question. */
async function askAlone(browser = openBrowser(server)): Promise<Asked> {
  const csrf = hiddenFields((await browser.get('/login/')).text);
  const { status, body } = await browser.post(`${ALONE}options`, csrf);
  expect(status).toBe(200);
  return { browser, csrf, options: body['options'] as RequestOptions };
}

const answerAlone = (
  { browser, csrf }: Pick<Asked, 'browser' | 'csrf'>,
  assertion: object,
  more: Record<string, string> = {},
): Promise<Page> => browser.post(ALONE, { ...csrf, assertion: JSON.stringify(assertion), ...more });

/** The same after the password. */
async function askFactor({ email }: Person): Promise<Asked> {
  const browser = openBrowser(server);
  const { status, headers } = await browser.signIn(email, PASSWORD);
  expect([status, headers.get('location')]).toEqual([303, `${FACTOR}?lang=en`]);
  const csrf = hiddenFields((await browser.get(FACTOR)).text);
  const { body } = await browser.post(`${FACTOR}passkey/options`, csrf);
  return { browser, csrf, options: body['options'] as RequestOptions };
}

const answerFactor = ({ browser, csrf }: Asked, assertion: object): Promise<Page> =>
  browser.post(FACTOR, { ...csrf, assertion: JSON.stringify(assertion) });

const whoIs = async (browser: Browser): Promise<unknown> => {
  const { status, body } = await browser.get('/json/users/me');
  return status === 200 ? body['email'] : status;
};

describe('[I10] a passkey alone', () => {
  it('opens the account of the person whom it names', async () => {
    const { person, authenticator } = await owner();
    const asked = await askAlone();
    expect(asked.options).toMatchObject({
      rpId: 'rialto.localhost',
      userVerification: 'required',
      allowCredentials: [],
    });
    const { status, headers } = await answerAlone(asked, authenticator.assert(asked.options), {
      next: '/account/key/',
    });
    expect([status, headers.get('location')]).toEqual([302, '/account/key/']);
    expect(await whoIs(asked.browser)).toBe(person.email);
    const { rows } = await server.owner.query(
      'SELECT methods, factor_at IS NOT NULL AS fresh FROM sessions WHERE user_id = $1 ORDER BY id DESC LIMIT 1',
      [person.id],
    );
    expect(rows).toEqual([{ methods: ['passkey'], fresh: true }]);
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['another host below the rpId', { origin: 'http://evil.rialto.localhost:8443' }],
    ['another rpId', { rpId: 'evil.example' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['a user who was not verified', { isVerified: false }],
    ['a user who was not there', { isPresent: false }],
    ['another signature', { isForged: true }],
    ['no handle', { userHandle: null }],
    ['an unknown handle', { userHandle: randomBytes(32).toString('base64url') }],
    ['an unknown credential', { id: randomBytes(32).toString('base64url') }],
    ['a counter that did not move', { counter: 1 }],
  ])('refuses %s, and says no more than that', async (_what, lies) => {
    const { authenticator } = await owner();
    const asked = await askAlone();
    const { status, headers } = await answerAlone(asked, authenticator.assert(asked.options, lies));
    expect([status, headers.get('location')]).toEqual([303, '/login/?lang=en&passkey=refused']);
    expect(await whoIs(asked.browser)).toBe(401);
    const { text } = await asked.browser.get('/login/?lang=en&passkey=refused');
    expect(text).toContain('This passkey does not open an account here.');
  });

  it('refuses one person’s passkey with another person’s handle', async () => {
    const [one, other] = [await owner(), await owner()];
    const asked = await askAlone();
    const userHandle = other.authenticator.userHandle ?? '';
    await answerAlone(asked, one.authenticator.assert(asked.options, { userHandle }));
    expect(await whoIs(asked.browser)).toBe(401);
  });

  it('an answer is good once, in the browser that asked, and for five minutes', async () => {
    const { authenticator } = await owner();
    const asked = await askAlone();
    const assertion = authenticator.assert(asked.options);
    const elsewhere = await askAlone();
    await answerAlone(elsewhere, assertion);
    expect(await whoIs(elsewhere.browser)).toBe(401);
    // Three at once with the same cookies.
    const cookies = [...asked.browser.cookies];
    const twins = [1, 2, 3].map(() => {
      const browser = openBrowser(server);
      for (const [name, value] of cookies) browser.cookies.set(name, value);
      return { browser, csrf: asked.csrf };
    });
    const answers = await Promise.all(twins.map((twin) => answerAlone(twin, assertion)));
    expect(answers.filter(({ status }) => status === 302)).toHaveLength(1);
    const late = await askAlone();
    await server.owner.query(
      `UPDATE sign_ins SET expires_at = now() - interval '1 second' WHERE user_id IS NULL AND used_at IS NULL`,
    );
    await answerAlone(late, authenticator.assert(late.options));
    expect(await whoIs(late.browser)).toBe(401);
  });

  it('asks for the form’s own token, at both steps', async () => {
    const { authenticator } = await owner();
    const browser = openBrowser(server);
    await browser.get('/login/');
    const { status, body } = await browser.post(`${ALONE}options`, {});
    expect([status, body['code']]).toEqual([403, 'CSRF_FAILED']);
    const asked = await askAlone(browser);
    await answerAlone({ browser, csrf: {} }, authenticator.assert(asked.options));
    expect(await whoIs(browser)).toBe(401);
  });

  it('answers JSON to programs', async () => {
    const { person, authenticator } = await owner();
    const asked = await askAlone();
    const json = { accept: 'application/json' };
    const send = (assertion: object) =>
      asked.browser.post(ALONE, { ...asked.csrf, assertion: JSON.stringify(assertion) }, json);
    expect((await send({})).body).toMatchObject({ result: 'error', code: 'WRONG_FACTOR' });
    const again = await askAlone(asked.browser);
    const { body } = await send(authenticator.assert(again.options));
    expect(body).toMatchObject({ result: 'success', stage: 'done' });
    expect(await whoIs(asked.browser)).toBe(person.email);
  });

  it('does not open the account of somebody who was deactivated', async () => {
    const { person, authenticator } = await owner();
    await server.owner.query('UPDATE users SET is_active = false WHERE id = $1', [person.id]);
    const asked = await askAlone();
    const { headers } = await answerAlone(asked, authenticator.assert(asked.options));
    expect(headers.get('location')).toBe('/login/?lang=en&passkey=deactivated');
    expect(await whoIs(asked.browser)).toBe(401);
  });

  it('takes no garbage', async () => {
    const asked = await askAlone();
    for (const assertion of ['', '{', '[]', 'null', '{"id":1}', `"${'x'.repeat(15_000)}"`]) {
      const { status } = await asked.browser.post(ALONE, { ...asked.csrf, assertion });
      expect(status).toBe(303);
    }
  });
});

describe('[I10] a passkey after the password', () => {
  it('opens the account, verified or not', async () => {
    const { person, authenticator } = await owner();
    for (const isVerified of [true, false]) {
      const asked = await askFactor(person);
      expect(asked.options).toMatchObject({
        userVerification: 'preferred',
        allowCredentials: [{ id: authenticator.id }],
      });
      const { status } = await answerFactor(
        asked,
        authenticator.assert(asked.options, { isVerified }),
      );
      expect(status).toBe(302);
      expect(await whoIs(asked.browser)).toBe(person.email);
    }
  });

  it('belongs to this sign-in: not to another of the same person, and not to no name at all', async () => {
    const { person, authenticator } = await owner();
    const [mine, other] = [await askFactor(person), await askFactor(person)];
    const stray = await answerFactor(mine, authenticator.assert(other.options));
    expect(stray.status).toBe(401);
    const alone = await askAlone();
    expect((await answerFactor(mine, authenticator.assert(alone.options))).status).toBe(401);
    await answerAlone(alone, authenticator.assert(mine.options));
    expect(await whoIs(alone.browser)).toBe(401);
    const { browser, csrf } = mine;
    const { body } = await browser.post(`${FACTOR}passkey/options`, csrf);
    const right = authenticator.assert(body['options'] as RequestOptions);
    expect((await answerFactor(mine, right)).status).toBe(302);
  });

  it('refuses the passkey of somebody else', async () => {
    const [one, other] = [await owner(), await owner()];
    const asked = await askFactor(one.person);
    const { status } = await answerFactor(asked, other.authenticator.assert(asked.options));
    expect(status).toBe(401);
    expect(await whoIs(asked.browser)).toBe(401);
  });

  it('there is no question without the password', async () => {
    const browser = openBrowser(server);
    const csrf = hiddenFields((await browser.get('/login/')).text);
    const { status, body } = await browser.post(`${FACTOR}passkey/options`, csrf);
    expect([status, body['code']]).toEqual([401, 'SIGN_IN_OVER']);
  });
});

describe('the page of passkeys', () => {
  it('asks to prove again, then adds, renames and removes', async () => {
    const { person, authenticator, id } = await owner();
    const asked = await askAlone();
    await answerAlone(asked, authenticator.assert(asked.options));
    const { browser } = asked;
    const { text } = await browser.get(`${PASSKEYS}?lang=fa`);
    expect(text).toContain('dir="rtl"');
    expect(text).toContain('<bdi>Key</bdi>');
    const csrf = hiddenFields(text);
    const act = (form: Record<string, string>) =>
      browser.post(PASSKEYS, { ...csrf, lang: 'en', id: String(id), ...form });
    const renamed = await act({ do: 'rename', label: '<b>Key & lock</b>' });
    expect(renamed.headers.get('location')).toBe(`${PASSKEYS}?lang=en&done=renamed`);
    expect((await browser.get(PASSKEYS)).text).toContain('&lt;b&gt;Key &amp; lock&lt;/b&gt;');
    expect((await act({ do: 'rename', label: ' ' })).status).toBe(400);
    expect((await act({ do: 'remove', id: '999999' })).status).toBe(404);
    expect((await act({ do: 'remove', csrfmiddlewaretoken: 'x' })).status).toBe(403);
    await server.owner.query('UPDATE sessions SET factor_at = NULL WHERE user_id = $1', [
      person.id,
    ]);
    expect((await act({ do: 'remove' })).headers.get('location')).toContain('/accounts/step_up/');
    expect((await browser.get(PASSKEYS)).headers.get('location')).toContain('/accounts/step_up/');
  });
});

it('only pages that need a script allow one, and only ours', async () => {
  const browser = openBrowser(server);
  const policyOf = async (path: string) =>
    (await browser.get(path)).headers.get('content-security-policy') ?? '';
  expect(await policyOf('/login/')).toMatch(/^script-src 'self'; connect-src 'self'; default-src/);
  // The front page follows links of chat clients, and talks to nobody.
  expect(await policyOf('/')).toMatch(/^script-src 'self'; default-src 'none'/);
  expect(await policyOf('/accounts/password/reset/')).not.toContain('script-src');
  const path = /src="(\/web\/passkeys-[0-9a-f]{12}\.js)"/.exec((await browser.get('/login/')).text);
  const script = await browser.get(path?.[1] ?? '');
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  expect(script.text).toContain('parseRequestOptionsFromJSON');
});

it('where browsers have no passkeys, nothing offers them', async () => {
  const plain = await startTestServer({ settings: {} });
  try {
    const browser = openBrowser(plain);
    const { text, headers } = await browser.get('/login/');
    expect(text).not.toContain('passkey');
    expect(headers.get('content-security-policy')).not.toContain('script-src');
    const { status, body } = await browser.post(`${ALONE}options`, hiddenFields(text));
    expect([status, body['code']]).toEqual([400, 'PASSKEYS_UNAVAILABLE']);
  } finally {
    await plain.close();
  }
});
