// A person adds, renames and removes passkeys, and shows them again. The authenticator is software that can lie.
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkPasskey } from '../../../accounts/passkeys/check.ts';
import { PASSKEYS_MAX } from '../../../accounts/passkeys/register.ts';
import {
  attestationOf,
  bytes,
  createAuthenticator,
  text,
  type Authenticator,
  type Lies,
} from '../../../testing/authenticator.ts';
import { openBrowser, type Browser } from '../../../testing/browser.ts';
import { chatClient } from '../../../testing/chat/client.ts';
import { examplePerson, type Person } from '../../../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../../../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../../../testing/server.ts';

const PASSWORD = 'a long enough secret 7';
const ORIGIN = 'http://venue.rialto.localhost:8443';
const SECOND = 'http://desk.rialto.localhost';
const PATH = '/second_factors/passkeys';

let server: TestServer;
let catcher: MailCatcher;

beforeAll(async () => {
  catcher = await startMailCatcher();
  server = await startTestServer({
    withJobs: true,
    settings: {
      ...catcher.settings,
      PUBLIC_URL: ORIGIN,
      WEBAUTHN_RP_ID: 'rialto.localhost',
      WEBAUTHN_ORIGINS: SECOND,
      CHAT_RATE_LIMIT: '100000',
      CHAT_RATE_LIMIT_ANONYMOUS: '100000',
    },
  });
});
afterAll(async () => {
  await server.close();
  await catcher.close();
});

interface Creation {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string; readonly name: string };
  readonly excludeCredentials: readonly { readonly id: string }[];
}
interface Request {
  readonly challenge: string;
  readonly rpId: string;
  readonly allowCredentials: readonly { readonly id: string }[];
}

interface Visitor {
  readonly person: Person;
  readonly browser: Browser;
}

async function visit(): Promise<Visitor> {
  const person = await examplePerson(server.ctx, { password: PASSWORD });
  const browser = openBrowser(server);
  expect((await browser.signIn(person.email, PASSWORD)).status).toBe(302);
  return { person, browser };
}

/** As if a factor had been shown a moment ago. */
const makeFresh = ({ person }: Visitor) =>
  server.owner.query(
    `UPDATE sessions SET methods = '{password,passkey}', factor_at = now() WHERE user_id = $1`,
    [person.id],
  );

async function optionsOf({ browser }: Visitor): Promise<Creation> {
  const { status, body } = await browser.call('POST', `${PATH}/options`);
  expect([status, body['msg']]).toEqual([200, '']);
  return body['options'] as Creation;
}

const send = ({ browser }: Visitor, response: object, more: Record<string, string> = {}) =>
  browser.call('POST', PATH, { response: JSON.stringify(response), label: 'Phone', ...more });

async function add(
  visitor: Visitor,
  authenticator = createAuthenticator(ORIGIN),
  more: Record<string, string> = {},
): Promise<{ authenticator: Authenticator; id: number }> {
  const made = authenticator.register(await optionsOf(visitor));
  const { status, body } = await send(visitor, made, more);
  expect([status, body['msg']]).toEqual([200, '']);
  await makeFresh(visitor);
  return { authenticator, id: body['id'] as number };
}

async function ask({ browser }: Visitor, act?: Buffer): Promise<Request> {
  const form = act === undefined ? {} : { act: act.toString('hex') };
  const { status, body } = await browser.call('POST', '/step_up/passkey', form);
  expect([status, body['msg']]).toEqual([200, '']);
  return body['options'] as Request;
}

const check = ({ person }: Visitor, assertion: object, boundTo?: Buffer) =>
  checkPasskey({ ...server.ctx, publicUrl: () => ORIGIN }, person, { assertion, boundTo });

/** Whom the organization asks for a second factor. */
const askFactorsOf = (whom: string) =>
  server.owner.query(
    `UPDATE organization SET settings = settings || jsonb_build_object('second_factor_required', $1::text)`,
    [whom],
  );

const rowsOf = async ({ person }: Visitor) => {
  const { rows } = await server.owner.query<Record<string, unknown>>(
    'SELECT * FROM passkeys WHERE user_id = $1 ORDER BY id',
    [person.id],
  );
  return rows;
};

describe('[I10] adding a passkey', () => {
  it('asks for what we want, names the person by a handle, and keeps the public key', async () => {
    const visitor = await visit();
    const options = await optionsOf(visitor);
    expect(options).toMatchObject({
      rp: { id: 'rialto.localhost' },
      user: { name: visitor.person.email, displayName: visitor.person.fullName },
      attestation: 'none',
      pubKeyCredParams: [-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })),
      authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
      timeout: 300_000,
      excludeCredentials: [],
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
    expect(Buffer.from(options.challenge, 'base64url')).toHaveLength(32);
    const { authenticator } = await add(visitor);
    const [row] = await rowsOf(visitor);
    expect(row).toMatchObject({
      credential: Buffer.from(authenticator.id, 'base64url'),
      counter: '1',
      alone: true,
      backed_up: false,
      label: 'Phone',
      // A browser may send any words; only those that are ways to reach it stay.
      transports: ['internal'],
    });
    const next = await optionsOf(visitor);
    expect(next.excludeCredentials.map(({ id }) => id)).toEqual([authenticator.id]);
    expect(next.user.id).toBe(options.user.id);
  });

  it('the first factor replaces the chat key, freezes withdrawals and tells its owner', async () => {
    const visitor = await visit();
    const { person } = visitor;
    await server.owner.query('INSERT INTO trading_accounts (user_id) VALUES ($1)', [person.id]);
    await add(visitor);
    expect((await chatClient(server, person).get('/users/me')).status).toBe(401);
    const { rows } = await server.owner.query<{ hours: number }>(
      `SELECT extract(epoch FROM withdraw_freeze_until - now())::float8 / 3600 AS hours
         FROM trading_accounts WHERE user_id = $1`,
      [person.id],
    );
    expect(rows[0]?.hours).toBeGreaterThan(23.9);
    const email = await catcher.next(person.email);
    expect([email.subject, email.text]).toEqual([
      'Second factor added',
      expect.stringContaining('Name: Phone'),
    ]);
  });

  it('keeps the chat key if asked, and for a second factor', async () => {
    const visitor = await visit();
    await add(visitor, undefined, { keep_key: 'true' });
    await add(visitor);
    expect((await chatClient(server, visitor.person).get('/users/me')).status).toBe(200);
  });

  it.each<[string, Lies & { attestation?: Buffer }]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['a sibling origin', { origin: 'http://other.rialto.localhost' }],
    ['the same host at another port', { origin: 'http://venue.rialto.localhost:9999' }],
    ['another rpId', { rpId: 'venue.rialto.localhost' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['no challenge', { challenge: '' }],
    ['an assertion instead', { type: 'webauthn.get' }],
    ['nobody was there', { isPresent: false }],
    ['an id of another credential', { id: randomBytes(32).toString('base64url') }],
    ['garbage', { attestation: Buffer.from('not cbor at all') }],
    [
      'a certificate, which would have us fetch what it names',
      {
        attestation: attestationOf(
          randomBytes(60),
          'packed',
          Buffer.concat([Buffer.of(0xa1), text('x5c'), Buffer.of(0x81), bytes(randomBytes(40))]),
        ),
      },
    ],
  ])('refuses %s', async (_what, lies) => {
    const visitor = await visit();
    const made = createAuthenticator(ORIGIN).register(await optionsOf(visitor), lies);
    const { status, body } = await send(visitor, made);
    expect([status, body['code']]).toEqual([400, 'PASSKEY_REFUSED']);
    expect(await rowsOf(visitor)).toEqual([]);
  });

  it('takes the second origin of the settings', async () => {
    await add(await visit(), createAuthenticator(SECOND));
  });

  it('takes a key that does not verify its user, and knows that it opens nothing alone', async () => {
    const visitor = await visit();
    const authenticator = createAuthenticator(ORIGIN);
    const made = authenticator.register(await optionsOf(visitor), { isVerified: false });
    expect((await send(visitor, made)).status).toBe(200);
    expect((await rowsOf(visitor))[0]).toMatchObject({ alone: false });
  });

  it('a challenge is good once, for its person, and for five minutes', async () => {
    const [one, other] = [await visit(), await visit()];
    const made = createAuthenticator(ORIGIN).register(await optionsOf(one));
    expect((await send(other, made)).body['code']).toBe('PASSKEY_REFUSED');
    const twice = await Promise.all([send(one, made), send(one, made), send(one, made)]);
    expect(twice.filter(({ status }) => status === 200)).toHaveLength(1);
    const late = createAuthenticator(ORIGIN).register(await optionsOf(other));
    await server.owner.query(
      `UPDATE passkey_challenges SET expires_at = now() - interval '1 second' WHERE user_id = $1`,
      [other.person.id],
    );
    expect((await send(other, late)).body['code']).toBe('PASSKEY_REFUSED');
    // A challenge for an assertion is none for a registration.
    await add(other);
    const { challenge } = await ask(other);
    const mixed = createAuthenticator(ORIGIN).register({ ...(await optionsOf(other)), challenge });
    expect((await send(other, mixed)).body['code']).toBe('PASSKEY_REFUSED');
  });

  it('a credential belongs to one person', async () => {
    const [one, other] = [await visit(), await visit()];
    const { authenticator } = await add(one);
    const again = authenticator.register(await optionsOf(other));
    expect((await send(other, again)).body['code']).toBe('PASSKEY_REFUSED');
    expect(await rowsOf(other)).toEqual([]);
  });

  it('at most twenty, also many at once', async () => {
    const visitor = await visit();
    const { id } = await add(visitor);
    await server.owner.query(
      `INSERT INTO passkeys (credential, user_id, public_key, counter, alone, backed_up, label)
       SELECT decode(md5(n || ' ' || $1::int), 'hex'), $1::int, 'x', 0, false, false, 'x'
         FROM generate_series(1, $2) n`,
      [visitor.person.id, PASSKEYS_MAX - 2],
    );
    const made = [];
    for (let count = 0; count < 3; count += 1) {
      made.push(createAuthenticator(ORIGIN).register(await optionsOf(visitor)));
    }
    const answers = await Promise.all(made.map((one) => send(visitor, one, { label: 'More' })));
    expect(answers.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400, 400]);
    expect(await rowsOf(visitor)).toHaveLength(PASSKEYS_MAX);
    await makeFresh(visitor);
    const { body } = await visitor.browser.call('POST', `${PATH}/options`);
    expect(body['code']).toBe('PASSKEY_LIMIT');
    expect((await visitor.browser.call('DELETE', `${PATH}/${id}`)).status).toBe(200);
  });

  it('says what is wrong with the form', async () => {
    const visitor = await visit();
    const made = createAuthenticator(ORIGIN).register(await optionsOf(visitor));
    for (const label of ['', '   ', 'x'.repeat(65), 'a\u0007b']) {
      expect((await send(visitor, made, { label })).status).toBe(400);
    }
    for (const response of [{}, { ...made, type: 'password' }, { ...made, id: '+/=' }]) {
      expect((await send(visitor, response)).status).toBe(400);
    }
    // None of these has spent the challenge.
    expect((await send(visitor, made, { label: 'گوشی' })).status).toBe(200);
  });

  it('is not there for keys, nor for strangers', async () => {
    const { person } = await visit();
    expect((await chatClient(server, person).post(`${PATH}/options`)).status).toBe(404);
    const stranger = openBrowser(server);
    expect((await stranger.call('POST', `${PATH}/options`)).status).toBe(401);
  });
});

describe('[I10] showing a passkey', () => {
  it('opens for the right assertion, once', async () => {
    const visitor = await visit();
    const { authenticator } = await add(visitor);
    const options = await ask(visitor);
    expect(options).toMatchObject({ rpId: 'rialto.localhost', userVerification: 'preferred' });
    expect(options.allowCredentials.map(({ id }) => id)).toEqual([authenticator.id]);
    const assertion = authenticator.assert(options);
    const tries = await Promise.all([1, 2, 3].map(() => check(visitor, assertion)));
    expect(tries.filter(Boolean)).toHaveLength(1);
    expect(await check(visitor, assertion)).toBe(false);
    expect((await rowsOf(visitor))[0]).toMatchObject({
      counter: String(authenticator.counter),
      last_used_at: expect.any(Date),
      suspected_at: null,
    });
  });

  it.each<[string, Lies]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['a sibling origin', { origin: 'http://other.rialto.localhost' }],
    ['another rpId', { rpId: 'evil.example' }],
    ['another challenge', { challenge: randomBytes(32).toString('base64url') }],
    ['a registration instead', { type: 'webauthn.create' }],
    ['nobody was there', { isPresent: false }],
    ['another key', { isForged: true }],
    ['another person’s handle', { userHandle: randomBytes(32).toString('base64url') }],
    ['an unknown credential', { id: randomBytes(32).toString('base64url') }],
    ['a forged counter that went back', { isForged: true, counter: 0 }],
  ])('refuses %s, and suspects nothing', async (_what, lies) => {
    const visitor = await visit();
    const { authenticator } = await add(visitor);
    expect(await check(visitor, authenticator.assert(await ask(visitor), lies))).toBe(false);
    expect((await rowsOf(visitor))[0]).toMatchObject({ suspected_at: null, counter: '1' });
    // The next right one passes.
    expect(await check(visitor, authenticator.assert(await ask(visitor)))).toBe(true);
  });

  it('takes one that does not verify its user, after a password', async () => {
    const visitor = await visit();
    const { authenticator } = await add(visitor);
    const assertion = authenticator.assert(await ask(visitor), { isVerified: false });
    expect(await check(visitor, assertion)).toBe(true);
  });

  it('a challenge is for one person, and one passkey for its own', async () => {
    const [one, other] = [await visit(), await visit()];
    const [mine, theirs] = [await add(one), await add(other)];
    expect(await check(other, theirs.authenticator.assert(await ask(one)))).toBe(false);
    expect(await check(one, theirs.authenticator.assert(await ask(one)))).toBe(false);
    expect(await check(one, mine.authenticator.assert(await ask(one)))).toBe(true);
  });

  it('[I7] one that was made for an act opens no other, and one for none opens no act', async () => {
    const visitor = await visit();
    const { authenticator } = await add(visitor);
    const [act, another] = ['act', 'another'].map((name) =>
      createHash('sha256').update(name).digest(),
    );
    const bound = async () => authenticator.assert(await ask(visitor, act));
    expect(await check(visitor, await bound(), another)).toBe(false);
    expect(await check(visitor, await bound())).toBe(false);
    expect(await check(visitor, authenticator.assert(await ask(visitor)), act)).toBe(false);
    expect(await check(visitor, await bound(), act)).toBe(true);
  });

  it('[I10] a counter that goes back: refused, told, and unusable until its owner decides', async () => {
    const visitor = await visit();
    const { person, browser } = visitor;
    const { authenticator, id } = await add(visitor);
    await catcher.next(person.email);
    for (let use = 0; use < 3; use += 1) {
      expect(await check(visitor, authenticator.assert(await ask(visitor)))).toBe(true);
    }
    // A copy that was made after the first use.
    expect(await check(visitor, authenticator.assert(await ask(visitor), { counter: 2 }))).toBe(
      false,
    );
    expect((await rowsOf(visitor))[0]?.['suspected_at']).toBeInstanceOf(Date);
    expect((await catcher.next(person.email)).subject).toBe('A passkey may have been copied');
    // The original, with a counter that moves, is refused too, and it is not offered.
    const options = await ask(visitor);
    expect(options.allowCredentials).toEqual([]);
    expect(await check(visitor, authenticator.assert(options))).toBe(false);
    const { rows } = await server.owner.query(
      `SELECT details FROM audit_log WHERE act = 'factor use' AND subject = $1`,
      [person.email],
    );
    expect(rows).toHaveLength(1);
    expect((await browser.call('PATCH', `${PATH}/${id}`, { trusted: 'true' })).status).toBe(200);
    authenticator.counter = 2;
    expect(await check(visitor, authenticator.assert(await ask(visitor)))).toBe(true);
  });

  it('[I10] the same counter twice is a copy, and 0 each time is none', async () => {
    const visitor = await visit();
    const { authenticator } = await add(visitor);
    const { counter } = authenticator;
    expect(await check(visitor, authenticator.assert(await ask(visitor), { counter }))).toBe(false);
    expect((await rowsOf(visitor))[0]?.['suspected_at']).toBeInstanceOf(Date);
    const uncounted = createAuthenticator(ORIGIN, { counts: false });
    const other = await visit();
    await add(other, uncounted);
    for (let use = 0; use < 3; use += 1) {
      expect(await check(other, uncounted.assert(await ask(other)))).toBe(true);
    }
  });
});

describe('what its owner does with a passkey', () => {
  it('renames it; nobody else can', async () => {
    const [visitor, other] = [await visit(), await visit()];
    const { id } = await add(visitor);
    const rename = (who: Visitor, label: string) =>
      who.browser.call('PATCH', `${PATH}/${id}`, { label });
    expect((await rename(visitor, ' Blue key ')).status).toBe(200);
    expect((await rename(other, 'Mine')).status).toBe(404);
    expect((await other.browser.call('DELETE', `${PATH}/${id}`)).status).toBe(404);
    expect((await rowsOf(visitor))[0]).toMatchObject({ label: 'Blue key' });
  });

  it('[I27] removes it: withdrawals are frozen, and an email tells', async () => {
    const visitor = await visit();
    const { person, browser } = visitor;
    await server.owner.query('INSERT INTO trading_accounts (user_id) VALUES ($1)', [person.id]);
    const { id } = await add(visitor);
    await catcher.next(person.email);
    await server.owner.query(
      'UPDATE trading_accounts SET withdraw_freeze_until = NULL WHERE user_id = $1',
      [person.id],
    );
    expect((await browser.call('DELETE', `${PATH}/${id}`)).status).toBe(200);
    expect(await rowsOf(visitor)).toEqual([]);
    expect((await catcher.next(person.email)).subject).toBe('Second factor removed');
    const { rows } = await server.owner.query<{ frozen: boolean }>(
      `SELECT withdraw_freeze_until > now() + interval '23 hours' AS frozen
         FROM trading_accounts WHERE user_id = $1`,
      [person.id],
    );
    expect(rows).toEqual([{ frozen: true }]);
  });

  it('the last factor stays while the organization asks for one', async () => {
    const visitor = await visit();
    const { browser } = visitor;
    const [first, second] = [await add(visitor), await add(visitor)];
    await askFactorsOf('members');
    const answers = await Promise.all(
      [first, second].map(({ id }) => browser.call('DELETE', `${PATH}/${id}`)),
    );
    expect(
      answers.map(({ body }) => (body['code'] as string | undefined) ?? 'done').sort(),
    ).toEqual(['FACTOR_REQUIRED', 'done']);
    expect(await rowsOf(visitor)).toHaveLength(1);
    await askFactorsOf('none');
  });
});

it('where browsers allow no passkeys there are none', async () => {
  const { ctx } = server;
  const plain = { ...ctx, publicUrl: () => 'http://venue.example.com' };
  const { person } = await visit();
  expect(await checkPasskey(plain, person, { assertion: {} })).toBe(false);
});
