// Signing in with a real provider in its own process, and with forged answers that a proxy before it makes.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { hiddenFields, openBrowser, type Browser, type Page } from '../../testing/browser.ts';
import { chatClient } from '../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../testing/example.ts';
import {
  providerSettings,
  startProvider,
  type PassingAnswer,
  type TestProvider,
} from '../../testing/oidc-provider.ts';
import { startTestServer, type TestServer } from '../../testing/server.ts';
import { ROLE } from '../roles.ts';

const PASSWORD = 'a long enough secret 7';
const MINUTE = 60;

let acme: TestProvider;
let other: TestProvider;
let server: TestServer;
let owner: Person;
let removeFile: () => void;

beforeAll(async () => {
  [acme, other] = await Promise.all([startProvider('acme'), startProvider('other')]);
  const file = providerSettings([
    acme.entry({
      domains: ['example.org'],
      link: 'verified_email',
      create: 'member',
      mfa: { amr: ['mfa'] },
      roles: [
        { claim: 'groups', has: 'admins', role: 'administrator' },
        { claim: 'groups', has: 'moderators', role: 'moderator' },
      ],
      groups: [{ claim: 'groups', has: 'traders', group: 'traders' }],
    }),
    other.entry(),
  ]);
  removeFile = file.remove;
  server = await startTestServer({
    settings: { ...file.settings, CHAT_RATE_LIMIT: '100000', CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
  });
  await Promise.all([acme.register(server.origin), other.register(server.origin)]);
  owner = await examplePerson(server.ctx, { role: ROLE.owner, password: PASSWORD });
}, 300_000);

beforeEach(() => server.ctx.database.pool.query('DELETE FROM sign_in_buckets'));
afterEach(() => {
  for (const provider of [acme, other]) {
    provider.rewrite = undefined;
    provider.isAway = false;
  }
});
afterAll(async () => {
  await server.close();
  await Promise.all([acme.close(), other.close()]);
  removeFile();
});

const pathOf = (url: string): string => {
  const { origin, pathname, search } = new URL(url);
  expect(origin).toBe(server.origin);
  return `${pathname}${search}`;
};

/** Goes to the provider and back, as far as the address that the provider leads to. */
async function goThere(browser: Browser, provider: TestProvider, query = ''): Promise<string> {
  const there = await browser.get(`/accounts/login/oidc/${provider.id}/${query}`);
  expect(there.status, there.text).toBe(302);
  return pathOf(await provider.approve(there.headers.get('location') ?? ''));
}

async function signIn(browser: Browser, provider: TestProvider, query = ''): Promise<Page> {
  return browser.get(await goThere(browser, provider, query));
}

const emailOf = async (browser: Browser): Promise<unknown> =>
  (await browser.call('GET', '/users/me')).body['email'];
const isSignedIn = async (browser: Browser): Promise<boolean> =>
  (await browser.call('GET', '/users/me')).status === 200;

let count = 0;
/** Somebody whom the provider knows and this server does not. */
function stranger(claims: Record<string, unknown> = {}) {
  count += 1;
  const email = `stranger${count}@example.org`;
  const name = `Stranger ${count}`;
  return {
    sub: `subject-${count}`,
    email,
    claims: { email, email_verified: true, name, ...claims },
  };
}

const countPeople = async (): Promise<number> =>
  (await server.ctx.db.selectFrom('users').select('id').execute()).length;
const identitiesOf = async (userId: number): Promise<number> =>
  (
    await server.ctx.db
      .selectFrom('oidcIdentities')
      .select('id')
      .where('userId', '=', userId)
      .execute()
  ).length;

interface Token {
  readonly id_token: string;
}

/** Puts another token into the answer to the exchange of the code. */
const forge =
  (
    provider: TestProvider,
    make: (claims: Record<string, unknown>, real: string) => Promise<string>,
  ) =>
  async (answer: PassingAnswer): Promise<void> => {
    if (answer.path !== '/token' || answer.status !== 200) return;
    const body = JSON.parse(answer.body) as Token;
    const [, payload = ''] = body.id_token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<
      string,
      unknown
    >;
    answer.body = JSON.stringify({ ...body, id_token: await make(claims, body.id_token) });
    void provider;
  };

const now = (): number => Math.floor(Date.now() / 1000);

describe('signing in', () => {
  it('[I15] the code flow with PKCE signs in, creates the account once, and links it by subject alone', async () => {
    const person = stranger();
    await acme.become(person);
    const before = await countPeople();
    const browser = openBrowser(server);
    const there = await browser.get('/accounts/login/oidc/acme/?next=%2Faccount%2Fkey%2F');
    const asked = new URL(there.headers.get('location') ?? '').searchParams;
    expect(asked.get('code_challenge_method')).toBe('S256');
    expect(asked.get('response_type')).toBe('code');
    const back = await browser.get(pathOf(await acme.approve(there.headers.get('location') ?? '')));
    expect(back.status, back.text).toBe(302);
    expect(back.headers.get('location')).toBe('/account/key/');
    expect(await emailOf(browser)).toBe(person.email);
    expect(await countPeople()).toBe(before + 1);
    // The address has changed there, and means nothing here.
    await acme.become({ sub: person.sub, claims: { ...person.claims, email: owner.email } });
    const again = openBrowser(server);
    await signIn(again, acme);
    expect(await emailOf(again)).toBe(person.email);
    expect(await countPeople()).toBe(before + 1);
    const { rows } = await server.owner.query(
      `SELECT methods, oidc_provider, oidc_sid IS NOT NULL AS sid FROM sessions ORDER BY id DESC LIMIT 1`,
    );
    expect(rows[0]).toEqual({ methods: ['oidc'], oidc_provider: 'acme', sid: true });
  });

  it('[I15] two first sign-ins at once make one account', async () => {
    const person = stranger();
    await acme.become(person);
    const before = await countPeople();
    const browsers = [openBrowser(server), openBrowser(server)];
    const ways = await Promise.all(browsers.map((browser) => goThere(browser, acme)));
    await Promise.all(browsers.map((browser, place) => browser.get(ways[place] ?? '')));
    expect(await countPeople()).toBe(before + 1);
    for (const browser of browsers) expect(await emailOf(browser)).toBe(person.email);
  });

  it('[I15] an answer is good once, in the browser that asked, for the provider that was asked', async () => {
    await acme.become(stranger());
    const browser = openBrowser(server);
    const way = await goThere(browser, acme);
    const cookies = new Map(browser.cookies);
    // Somebody else's browser, one without the cookie, and another provider's address.
    const foreign = openBrowser(server);
    await goThere(foreign, acme);
    expect((await foreign.get(way)).status).toBe(400);
    expect((await openBrowser(server).get(way)).status).toBe(400);
    expect((await browser.get(way.replace('/acme/', '/other/'))).status).toBe(400);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const wrong = way.replace(/state=[^&]*/, 'state=guessed');
    expect((await browser.get(wrong)).status).toBe(400);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await browser.get(`${way}&state=guessed`)).status).toBe(400);
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    expect((await browser.get(way)).status).toBe(302);
    expect(await isSignedIn(browser)).toBe(true);
    const replayed = openBrowser(server);
    for (const [name, value] of cookies) replayed.cookies.set(name, value);
    const exchanges = acme.seen.filter((one) => one === 'POST /token').length;
    expect((await replayed.get(way)).status).toBe(400);
    expect(await isSignedIn(replayed)).toBe(false);
    // It was refused before the provider was asked.
    expect(acme.seen.filter((one) => one === 'POST /token').length).toBe(exchanges);
  });

  it('[I15] 20 copies of one answer at once open one session', async () => {
    await acme.become(stranger());
    const browser = openBrowser(server);
    const way = await goThere(browser, acme);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => {
        const copy = openBrowser(server);
        for (const [name, value] of browser.cookies) copy.cookies.set(name, value);
        return (await copy.get(way)).status;
      }),
    );
    expect(answers.filter((status) => status === 302)).toHaveLength(1);
    expect(answers.filter((status) => status === 400)).toHaveLength(19);
  });

  it('[I15] an answer too late is refused', async () => {
    await acme.become(stranger());
    const browser = openBrowser(server);
    const way = await goThere(browser, acme);
    await server.owner.query(`UPDATE sign_ins SET expires_at = now() WHERE used_at IS NULL`);
    expect((await browser.get(way)).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(false);
  });

  it('[I15] mixed-up providers: an answer that names another issuer, or none, is refused', async () => {
    await acme.become(stranger());
    for (const iss of [`iss=${encodeURIComponent(other.issuer)}`, '']) {
      const browser = openBrowser(server);
      const way = await goThere(browser, acme);
      expect((await browser.get(way.replace(/iss=[^&]*/, iss))).status).toBe(401);
      expect(await isSignedIn(browser)).toBe(false);
    }
  });
});

describe('forged tokens', () => {
  const good = async (claims: Record<string, unknown>) => acme.sign(claims);

  it('[I15] a token that is signed anew with the real key passes, so the refusals below are for their reason', async () => {
    const person = stranger();
    await acme.become(person);
    acme.rewrite = forge(acme, good);
    const browser = openBrowser(server);
    expect((await signIn(browser, acme)).status).toBe(302);
    expect(await emailOf(browser)).toBe(person.email);
  });

  const cases: Record<string, (claims: Record<string, unknown>) => Promise<string>> = {
    'another nonce': (claims) => acme.sign({ ...claims, nonce: 'another' }),
    'no nonce': ({ nonce: _nonce, ...claims }) => acme.sign(claims),
    'another issuer': (claims) => acme.sign({ ...claims, iss: other.issuer }),
    'another audience': (claims) => acme.sign({ ...claims, aud: 'somebody-else' }),
    'an end in the past': (claims) =>
      acme.sign({ ...claims, exp: now() - 2 * MINUTE, iat: now() - 3 * MINUTE }),
    'a beginning an hour ahead': (claims) =>
      acme.sign({ ...claims, iat: now() + 60 * MINUTE, exp: now() + 120 * MINUTE }),
    'a beginning eleven minutes ago': (claims) =>
      acme.sign({ ...claims, iat: now() - 11 * MINUTE }),
    'no signature': (claims) => acme.sign(claims, { alg: 'none' }),
    'the client secret as key': (claims) => acme.sign(claims, { alg: 'HS256' }),
    'a foreign key under the known name': (claims) => acme.sign(claims, { key: 'foreign' }),
    'a key of another provider': (claims) => other.sign(claims),
    'no subject': ({ sub: _sub, ...claims }) => acme.sign(claims),
  };

  it.each(Object.keys(cases))('[I15] %s is refused', async (name) => {
    await acme.become(stranger());
    const before = await countPeople();
    const browser = openBrowser(server);
    const way = await goThere(browser, acme);
    acme.rewrite = forge(acme, cases[name] as (claims: Record<string, unknown>) => Promise<string>);
    const page = await browser.get(way);
    // A key that nobody knows makes us look once more for new keys, and the person begin again.
    expect([401, 303], page.text).toContain(page.status);
    if (page.status === 303) {
      expect(page.headers.get('location')).toContain('/accounts/login/oidc/acme/');
    }
    expect(await isSignedIn(browser)).toBe(false);
    expect(await countPeople()).toBe(before);
  });
});

describe('new keys', () => {
  it('[I15] after a rotation the person begins again by themselves, and forged keys ask the provider once a minute', async () => {
    const person = stranger();
    await other.become(person);
    const user = await examplePerson(server.ctx);
    await server.owner.query(
      'INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ($1, $2, $3)',
      [other.issuer, person.sub, user.id],
    );
    const browser = openBrowser(server);
    await signIn(browser, other);
    expect(await emailOf(browser)).toBe(user.email);
    await other.rotate();
    await other.become(person);
    const later = openBrowser(server);
    const first = await signIn(later, other, '?next=%2Faccount%2Fkey%2F');
    expect(first.headers.get('location')).toMatch(/^\/accounts\/login\/oidc\/other\/\?.*next=/);
    expect(await isSignedIn(later)).toBe(false);
    const second = await later.get(first.headers.get('location') ?? '');
    const back = await later.get(pathOf(await other.approve(second.headers.get('location') ?? '')));
    expect(back.headers.get('location')).toBe('/account/key/');
    expect(await emailOf(later)).toBe(user.email);
    // A stranger's key does not make us ask for keys again and again.
    const asked = () => other.seen.filter((one) => one.endsWith('/openid-configuration')).length;
    const before = asked();
    other.rewrite = forge(other, (claims) => other.sign(claims, { kid: 'unheard of' }));
    for (let time = 0; time < 3; time += 1) {
      const attacker = openBrowser(server);
      expect((await signIn(attacker, other)).status).toBe(401);
      expect(await isSignedIn(attacker)).toBe(false);
    }
    expect(asked()).toBe(before);
  });
});

describe('takeover', () => {
  /** Comes back from the provider as somebody with this address; returns whether that opened the account. */
  async function tryTo(email: string, claims: Record<string, unknown>): Promise<Page> {
    count += 1;
    await acme.become({ sub: `taker-${count}`, claims: { email, name: 'Taker', ...claims } });
    const browser = openBrowser(server);
    const page = await signIn(browser, acme);
    expect(await isSignedIn(browser)).toBe(page.status === 302);
    return page;
  }

  it('[I16] a verified address of a listed domain links an ordinary account, once, with a notice', async () => {
    const email = `ordinary${(count += 1)}@example.org`;
    const person = await examplePerson(server.ctx, { email, password: PASSWORD });
    const { status } = await tryTo(email.toUpperCase(), { email_verified: true });
    expect(status).toBe(302);
    expect(await identitiesOf(person.id)).toBe(1);
    const { rows } = await server.owner.query(
      `SELECT details FROM audit_log WHERE act = 'identity add' AND subject = $1`,
      [email],
    );
    expect(rows).toHaveLength(1);
  });

  it.each([
    ['an unverified address', 'example.org', { email_verified: false }],
    ['a missing verification', 'example.org', {}],
    ['"true" as text', 'example.org', { email_verified: 'true' }],
    ['a 1', 'example.org', { email_verified: 1 }],
    ['a foreign domain', 'example.com', { email_verified: true }],
    ['a domain below a listed one', 'sub.example.org', { email_verified: true }],
  ])('[I16] %s does not link', async (_name, domain, claims) => {
    const email = `victim${(count += 1)}@${domain}`;
    const person = await examplePerson(server.ctx, { email, password: PASSWORD });
    const before = await countPeople();
    const page = await tryTo(email, claims);
    expect(page.status).toBe(403);
    expect(await identitiesOf(person.id)).toBe(0);
    expect(await countPeople()).toBe(before);
    // The page does not tell whether there is such an account.
    const nobody = await tryTo(`nobody${(count += 1)}@${domain}`, claims);
    expect(nobody.text.replaceAll(/value="[^"]*"/g, '')).toBe(
      page.text.replaceAll(/value="[^"]*"/g, ''),
    );
  });

  it('[I16] an owner, an operator, somebody with a factor, a bot, and a given address are not linked', async () => {
    const make = (role: Person['role'] = ROLE.member) =>
      examplePerson(server.ctx, { email: `guarded${(count += 1)}@example.org`, role });
    const ownerToo = await make(ROLE.owner);
    const operator = await make(ROLE.administrator);
    await server.owner.query(
      `INSERT INTO operator_secrets (user_id, secret_hash) VALUES ($1, 'x')`,
      [operator.id],
    );
    const careful = await make();
    await server.owner.query(
      `INSERT INTO totp_secrets (user_id, sealed, confirmed_at) VALUES ($1, 'x', now())`,
      [careful.id],
    );
    const granted = await make();
    await server.owner.query(`INSERT INTO operator_grants (user_id, name) VALUES ($1, 'look')`, [
      granted.id,
    ]);
    const withPasskey = await make();
    await server.owner.query(
      `INSERT INTO passkeys (credential, user_id, public_key, counter, alone, backed_up, label)
       VALUES ('c', $1, 'k', 0, true, false, 'key')`,
      [withPasskey.id],
    );
    const given = await make();
    await server.owner.query('UPDATE users SET address_given_at = now() WHERE id = $1', [given.id]);
    const bot = await examplePerson(server.ctx, {
      email: `guarded${(count += 1)}@example.org`,
      botType: 1,
      botOwnerId: owner.id,
    });
    for (const person of [ownerToo, operator, careful, granted, withPasskey, given, bot]) {
      const page = await tryTo(person.email, { email_verified: true });
      expect(page.status, person.email).toBe(403);
      expect(await identitiesOf(person.id)).toBe(0);
    }
  });

  it('[I16] a provider without `link` and `create` opens nothing by an address', async () => {
    const email = `plain${(count += 1)}@example.org`;
    const person = await examplePerson(server.ctx, { email, password: PASSWORD });
    for (const address of [email, `nobody${(count += 1)}@example.org`]) {
      await other.become({
        sub: `o-${(count += 1)}`,
        claims: { email: address, email_verified: true },
      });
      const browser = openBrowser(server);
      expect((await signIn(browser, other)).status).toBe(403);
      expect(await isSignedIn(browser)).toBe(false);
    }
    expect(await identitiesOf(person.id)).toBe(0);
  });

  it('[I16] a deactivated account stays closed', async () => {
    const person = stranger();
    await acme.become(person);
    await signIn(openBrowser(server), acme);
    await server.owner.query('UPDATE users SET is_active = false WHERE email = $1', [person.email]);
    const browser = openBrowser(server);
    expect((await signIn(browser, acme)).status).toBe(403);
    expect(await isSignedIn(browser)).toBe(false);
  });
});

describe('linking', () => {
  async function signedIn(person: Person): Promise<Browser> {
    const browser = openBrowser(server);
    expect((await browser.signIn(person.email, PASSWORD)).status).toBe(302);
    return browser;
  }

  it('a person who is signed in links a provider, signs in with it, and unlinks it', async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await signedIn(person);
    const { body } = await browser.call('POST', '/identities/other');
    const there = String(body['url']);
    const known = { sub: `linked-${(count += 1)}`, claims: { email: 'elsewhere@example.net' } };
    await other.become(known);
    const way = pathOf(await other.approve(there));
    // The answer is for this session alone: an attacker cannot have a victim link the attacker's identity.
    const attacker = await signedIn(await examplePerson(server.ctx, { password: PASSWORD }));
    expect((await attacker.get(way)).status).toBe(400);
    expect((await openBrowser(server).get(way)).status).toBe(400);
    expect((await browser.get(way)).status).toBe(303);
    expect((await browser.call('GET', '/identities')).body['identities']).toContainEqual(
      expect.objectContaining({ id: 'other', is_linked: true }),
    );
    const elsewhere = openBrowser(server);
    await signIn(elsewhere, other);
    expect(await emailOf(elsewhere)).toBe(person.email);
    // The same identity opens no second account.
    const second = await signedIn(await examplePerson(server.ctx, { password: PASSWORD }));
    const asked = await second.call('POST', '/identities/other');
    const taken = await second.get(pathOf(await other.approve(String(asked.body['url']))));
    expect(taken.status).toBe(409);
    expect((await browser.call('DELETE', '/identities/other')).status).toBe(200);
    expect((await browser.call('DELETE', '/identities/other')).status).toBe(400);
    expect((await signIn(openBrowser(server), other)).status).toBe(403);
  });

  it('the last way in stays', async () => {
    const person = stranger();
    await acme.become(person);
    const browser = openBrowser(server);
    await signIn(browser, acme);
    const { status, body } = await browser.call('DELETE', '/identities/acme');
    expect(status).toBe(400);
    expect(body['code']).toBe('ONLY_WAY_IN');
    const again = openBrowser(server);
    await signIn(again, acme);
    expect(await emailOf(again)).toBe(person.email);
  });

  it('the page links by a form and a link, in both languages', async () => {
    const person = await examplePerson(server.ctx, { password: PASSWORD });
    const browser = await signedIn(person);
    for (const [language, word] of [
      ['en', 'not linked'],
      ['fa', 'بدون پیوند'],
    ] as const) {
      const page = await browser.get(`/account/identities/?lang=${language}`);
      expect(page.text).toContain(word);
      expect(page.text).toContain('Provider acme');
    }
    const { text } = await browser.get('/account/identities/');
    const fields = hiddenFields(text);
    expect(
      (await browser.post('/account/identities/other/', { ...fields, csrfmiddlewaretoken: 'x' }))
        .status,
    ).toBe(403);
    const goOn = await browser.post('/account/identities/other/', { ...fields, do: 'link' });
    const [, href = ''] = /<a class="button primary" href="([^"]*)"/.exec(goOn.text) ?? [];
    await other.become({ sub: `page-${(count += 1)}` });
    await browser.get(pathOf(await other.approve(href.replaceAll('&amp;', '&'))));
    expect((await browser.get('/account/identities/?lang=en')).text).toContain('Unlink');
    await server.owner.query(`UPDATE sessions SET factor_at = now() - interval '11 minutes'`);
    const stale = await browser.post('/account/identities/other/', { ...fields, do: 'remove' });
    expect(stale.status).toBe(403);
    expect(await identitiesOf(person.id)).toBe(1);
  });
});

describe('rules', () => {
  it('[I17] role and groups follow the claims at each sign-in; no claim makes an owner or unmakes one', async () => {
    const made = await chatClient(server, owner).post('/user_groups/create', {
      name: 'traders',
      description: '',
      members: [],
    });
    expect(made.status).toBe(200);
    const person = stranger({ groups: ['admins', 'traders', 'owners'] });
    await acme.become(person);
    const stateOf = async (email: string) => {
      const { rows } = await server.owner.query(
        `SELECT u.role, EXISTS (SELECT FROM user_group_members m JOIN user_groups g ON g.id = m.group_id
                                 WHERE m.user_id = u.id AND g.name = 'traders') AS trader
           FROM users u WHERE u.email = $1`,
        [email],
      );
      return rows[0] as unknown;
    };
    const browser = openBrowser(server);
    await signIn(browser, acme);
    expect(await stateOf(person.email)).toEqual({ role: ROLE.administrator, trader: true });
    await acme.become({ sub: person.sub, claims: { ...person.claims, groups: ['moderators'] } });
    await signIn(openBrowser(server), acme);
    expect(await stateOf(person.email)).toEqual({ role: ROLE.moderator, trader: false });
    // With the role the sessions that had it end.
    expect(await isSignedIn(browser)).toBe(false);
    await acme.become({ sub: person.sub, claims: { ...person.claims, groups: 'traders' } });
    await signIn(openBrowser(server), acme);
    expect(await stateOf(person.email)).toEqual({ role: ROLE.member, trader: true });
    await server.owner.query(
      'INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ($1, $2, $3)',
      [acme.issuer, 'the-owner', owner.id],
    );
    await acme.become({ sub: 'the-owner', claims: { email: owner.email, groups: [] } });
    await signIn(openBrowser(server), acme);
    expect(await stateOf(owner.email)).toMatchObject({ role: ROLE.owner });
  });
});

describe('signing out', () => {
  const EVENTS = { 'http://schemas.openid.net/event/backchannel-logout': {} };
  const announce = (token: string, provider = 'acme') =>
    openBrowser(server).post(`/accounts/oidc/${provider}/backchannel/`, { logout_token: token });
  const logoutOf = (more: Record<string, unknown>) => ({
    iss: acme.issuer,
    aud: acme.clientId,
    iat: now(),
    exp: now() + 2 * MINUTE,
    jti: `jti-${(count += 1)}`,
    events: EVENTS,
    ...more,
  });
  const sidOf = async (email: string): Promise<string> => {
    const { rows } = await server.owner.query(
      `SELECT oidc_sid FROM sessions s JOIN users u ON u.id = s.user_id
        WHERE u.email = $1 AND ended_at IS NULL ORDER BY s.id DESC LIMIT 1`,
      [email],
    );
    return (rows[0] as { oidc_sid: string }).oidc_sid;
  };

  it('[I17] a logout by sid ends that session, by sub all of them, and each token once', async () => {
    const person = stranger();
    await acme.become(person);
    const [first, second] = [openBrowser(server), openBrowser(server)];
    await signIn(first, acme);
    const sid = await sidOf(person.email);
    await signIn(second, acme);
    const token = await acme.sign(logoutOf({ sid, sub: person.sub }), { typ: 'logout+jwt' });
    expect((await announce(token)).status).toBe(200);
    expect([await isSignedIn(first), await isSignedIn(second)]).toEqual([false, true]);
    const whole = await acme.sign(logoutOf({ sub: person.sub }));
    expect((await announce(whole)).status).toBe(200);
    expect(await isSignedIn(second)).toBe(false);
    // A replay ends nothing that was opened since.
    const third = openBrowser(server);
    await signIn(third, acme);
    expect((await announce(whole)).status).toBe(400);
    expect(await isSignedIn(third)).toBe(true);
    // Sessions by password are not the provider's affair.
    const local = openBrowser(server);
    await local.signIn(owner.email, PASSWORD);
    expect((await announce(await acme.sign(logoutOf({ sub: 'the-owner' })))).status).toBe(200);
    expect(await isSignedIn(local)).toBe(true);
  });

  it('[I17] forged logouts end nothing', async () => {
    const person = stranger();
    await acme.become(person);
    const browser = openBrowser(server);
    await signIn(browser, acme);
    const { sub } = person;
    const good = logoutOf({ sub });
    const forged = [
      await acme.sign(good, { key: 'foreign' }),
      await acme.sign(good, { alg: 'none' }),
      await acme.sign(good, { alg: 'HS256' }),
      await other.sign(good),
      await acme.sign(logoutOf({ sub, iss: other.issuer })),
      await acme.sign(logoutOf({ sub, aud: 'another' })),
      await acme.sign(logoutOf({ sub, iat: now() - 11 * MINUTE })),
      await acme.sign(logoutOf({ sub, exp: now() - MINUTE })),
      await acme.sign(logoutOf({ sub, nonce: 'n' })),
      await acme.sign(logoutOf({ sub, events: {} })),
      await acme.sign(logoutOf({ sub, jti: undefined })),
      await acme.sign(logoutOf({})),
      'a.b.c',
      '',
      'x'.repeat(16_200),
    ];
    for (const [place, token] of forged.entries()) {
      expect((await announce(token)).status, String(place)).toBe(400);
    }
    expect((await announce(await acme.sign(good), 'other')).status).toBe(400);
    expect((await announce(await acme.sign(good), 'none-such')).status).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
  });

  it('signing out here offers to sign out at the provider, with the token as a hint', async () => {
    await acme.become(stranger());
    const browser = openBrowser(server);
    await signIn(browser, acme);
    const fields = hiddenFields((await browser.get('/login/')).text);
    const page = await browser.post('/accounts/logout/', fields);
    expect(page.status).toBe(200);
    const [, href = ''] = /<a class="button primary" href="([^"]*)"/.exec(page.text) ?? [];
    const url = new URL(href.replaceAll('&amp;', '&'));
    expect(url.origin).toBe(acme.issuer);
    expect(url.searchParams.get('id_token_hint')).toMatch(/^[\w-]+\.[\w-]+\.[\w-]+$/);
    expect(url.searchParams.get('post_logout_redirect_uri')).toBe(`${server.origin}/login/`);
    expect(await isSignedIn(browser)).toBe(false);
    // It is stored sealed.
    const { rows } = await server.owner.query(
      `SELECT encode(id_token_sealed, 'escape') AS kept FROM sessions WHERE id_token_sealed IS NOT NULL LIMIT 1`,
    );
    expect((rows[0] as { kept: string }).kept).not.toContain('eyJ');
  });
});

describe('a provider that is away', () => {
  it('[I29] nothing is half done: no session, no account, and the next try works', async () => {
    const person = stranger();
    await acme.become(person);
    const before = await countPeople();
    const browser = openBrowser(server);
    const way = await goThere(browser, acme);
    acme.isAway = true;
    const away = await browser.get(way);
    expect(away.status).toBe(503);
    expect(away.headers.get('retry-after')).toBe('5');
    expect(await isSignedIn(browser)).toBe(false);
    expect(await countPeople()).toBe(before);
    acme.isAway = false;
    // The answer was spent, and the person begins again.
    expect((await browser.get(way)).status).toBe(400);
    expect((await signIn(browser, acme)).status).toBe(302);
    expect(await emailOf(browser)).toBe(person.email);
  });

  it('[I29] an answer of the wrong kind is refused like none', async () => {
    await acme.become(stranger());
    for (const [status, body] of [
      [500, '{}'],
      [200, 'not json'],
      [200, '{}'],
      [200, 'x'.repeat(600_000)],
      [302, ''],
    ] as const) {
      const browser = openBrowser(server);
      const way = await goThere(browser, acme);
      acme.rewrite = (answer) => {
        if (answer.path === '/token') Object.assign(answer, { status, body });
      };
      expect([401, 503]).toContain((await browser.get(way)).status);
      expect(await isSignedIn(browser)).toBe(false);
      acme.rewrite = undefined;
    }
  });

  it('a person who says no there gets a page that says so', async () => {
    const browser = openBrowser(server);
    const way = await goThere(browser, acme);
    const state = new URLSearchParams(way.split('?')[1]).get('state') ?? '';
    const query = new URLSearchParams({ error: 'access_denied', state, iss: acme.issuer });
    const page = await browser.get(`/accounts/login/oidc/acme/callback/?${query.toString()}`);
    expect(page.status).toBe(403);
    expect(page.text).toContain('did not let you sign in');
  });
});

describe('signing in again', () => {
  it('asks for a new proof at the provider, and checks that there was one', async () => {
    await acme.become(stranger());
    const browser = openBrowser(server);
    const there = await browser.get('/accounts/login/oidc/acme/?again=true');
    const url = there.headers.get('location') ?? '';
    expect(new URL(url).searchParams.get('max_age')).toBe('0');
    const way = pathOf(await acme.approve(url));
    expect((await browser.get(way)).status).toBe(302);
    const late = await goThere(browser, acme, '?again=true');
    acme.rewrite = forge(acme, (claims) => acme.sign({ ...claims, auth_time: now() - 5 * MINUTE }));
    expect((await browser.get(late)).status).toBe(401);
  });
});
