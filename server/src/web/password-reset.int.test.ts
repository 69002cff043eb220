// Choosing a new password by a link, made by an operator or sent by email.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { createTradingKey } from '../accounts/trading-keys/actions.ts';
import { chatClient } from '../testing/chat/client.ts';
import { makePasswordLink } from '../chat/administration/keys/password-link.ts';
import {
  changePerson,
  deactivatePerson,
  reactivatePerson,
} from '../chat/administration/users/actions.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { giveTotp } from '../testing/factors.ts';
import { castBot } from '../testing/chat/cast.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { providerSettings, startProvider, type TestProvider } from '../testing/oidc-provider.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const OLD = 'a long enough secret';
const NEW = 'violet kettle marching 42';
const RESET = '/accounts/password/reset/';
const USE = '/accounts/password/reset/new/';

let mail: MailCatcher;
let acme: TestProvider;
let removeFile: () => void;
let server: TestServer;
let owner: Person;
let ada: Person;

beforeAll(async () => {
  [mail, acme] = await Promise.all([startMailCatcher(), startProvider('acme')]);
  const file = providerSettings([acme.entry({ name: 'Acme & Sons' })]);
  removeFile = file.remove;
  server = await startTestServer({
    settings: { ...mail.settings, ...file.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    withJobs: true,
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
}, 300_000);
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: OLD });
});
afterAll(async () => {
  await server.close();
  await Promise.all([mail.close(), acme.close()]);
  removeFile();
});

const pathFor = async (person: Person): Promise<string> =>
  new URL(await makePasswordLink(server.ctx, person.id)).pathname;

/** A browser that has opened the link, and the form that it sees then. */
async function opened(path: string, browser = openBrowser(server)) {
  expect((await browser.get(path)).headers.get('location')).toBe(`${USE}?lang=en`);
  const page = await browser.get(USE);
  return { browser, page, form: hiddenFields(page.text) };
}

const choose = (
  { browser, form }: { browser: Browser; form: Record<string, string> },
  password = NEW,
  again = password,
  more: Record<string, string> = {},
): Promise<Page> => browser.post(USE, { ...form, password, again, ...more });

const canSignIn = async (email: string, password: string): Promise<boolean> =>
  (await openBrowser(server).signIn(email, password)).status === 302;

async function expectOver(path: string, reason = ''): Promise<void> {
  const { page } = await opened(path);
  expect(page.status, reason).toBe(404);
  expect(page.text).toContain('This link cannot be used');
}

describe('a link to choose a password', () => {
  it('sets it, ends every session and the chat key, and makes the browser known', async () => {
    const elsewhere = openBrowser(server);
    await elsewhere.signIn(ada.email, OLD);
    // Others have tried the name until no attempt is left for strangers.
    for (let count = 0; count < 5; count += 1) {
      await openBrowser(server).signIn(ada.email, 'wrong');
    }
    await server.ctx.database.pool.query('DELETE FROM known_addresses');
    const visit = await opened(await pathFor(ada));
    expect(visit.page.text).toContain(`value="${ada.email}"`);
    const done = await choose(visit);
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      '/login/?lang=en&password=set',
    ]);
    expect(visit.browser.cookies.has('sessionid')).toBe(false);
    expect(visit.browser.cookies.has('link')).toBe(false);
    expect((await elsewhere.get('/json/users/me')).status).toBe(401);
    expect((await chatClient(server, ada).get('/users/me')).status).toBe(401);
    expect((await visit.browser.get('/login/?lang=en&password=set')).text).toContain(
      'Your new password is set',
    );
    expect((await visit.browser.signIn(ada.email, NEW)).status).toBe(302);
    await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
    expect(await canSignIn(ada.email, OLD)).toBe(false);
  });

  it('[I11] ends with a newer link, also of two that are made at once', async () => {
    const [older, newer] = [await pathFor(ada), await pathFor(ada)];
    const opening = await opened(newer);
    expect(opening.page.status).toBe(200);
    await expectOver(older, 'there is a newer one');
    const paths = await Promise.all(Array.from({ length: 5 }, () => pathFor(ada)));
    const open = [];
    for (const path of [newer, ...paths]) {
      if ((await opened(path)).page.status === 200) open.push(path);
    }
    expect(open).toHaveLength(1);
    expect((await choose(opening)).status).toBe(404);
    expect(await canSignIn(ada.email, OLD)).toBe(true);
  });

  it('[I11] shows its key to no other page: not in an address, a page or a Referer', async () => {
    const path = await pathFor(ada);
    const key = path.split('/').at(-2) ?? '';
    const browser = openBrowser(server);
    const first = await browser.get(path);
    const page = await browser.get(USE);
    for (const answer of [first, page]) {
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(answer.text).not.toContain(key);
    }
    expect(first.headers.get('location')).not.toContain(key);
    const cookie = first.headers.getSetCookie().find((line) => line.startsWith('link='));
    expect(cookie).toMatch(/HttpOnly/);
    expect(cookie).toMatch(/SameSite=Lax/);
    expect(cookie).toMatch(/Max-Age=900\b/);
  });

  it('[I11] never replaces a second factor: without it nothing changes, and the link stays', async () => {
    const visit = await opened(await pathFor(ada));
    expect(visit.page.text).not.toContain('name="otp"');
    // The factor is added while the page is open.
    await server.owner.query(
      "INSERT INTO totp_secrets (user_id, sealed, confirmed_at) VALUES ($1, '\\x00', now())",
      [ada.id],
    );
    for (const more of [{}, { otp: '' }, { otp: '   ' }]) {
      const refused = await choose(visit, NEW, NEW, more);
      expect(refused.status).toBe(401);
      expect(refused.text).toContain('This account has a second factor');
      expect(refused.text).toContain('name="otp"');
    }
    expect((await visit.browser.get(USE)).text).toContain('name="otp"');
    await server.owner.query('DELETE FROM totp_secrets WHERE user_id = $1', [ada.id]);
    expect(await canSignIn(ada.email, NEW)).toBe(false);
    expect(await canSignIn(ada.email, OLD)).toBe(true);
    expect((await choose(visit)).status).toBe(303);
  });

  it('[I11] asks for a code of the factor, counts wrong ones, and takes a recovery code too', async () => {
    const app = await giveTotp(server.ctx, ada);
    const visit = await opened(await pathFor(ada));
    expect(visit.page.text).toContain('name="otp"');
    const wrong = await choose(visit, NEW, NEW, { otp: '000000' });
    expect(wrong.status).toBe(401);
    expect(wrong.text).toContain('This code is not right');
    const code = await app.next();
    expect((await choose(visit, 'password1', 'password1', { otp: code })).status).toBe(400);
    // A weak password has not spent the code.
    expect((await choose(visit, NEW, NEW, { otp: code })).status).toBe(303);
    // Nor is a spent code good again.
    const again = await opened(await pathFor(ada));
    expect((await choose(again, `${NEW} b`, `${NEW} b`, { otp: code })).status).toBe(401);
    const [recovery = ''] = app.recoveryCodes;
    expect((await choose(again, `${NEW} b`, `${NEW} b`, { otp: recovery })).status).toBe(303);
    const last = await opened(await pathFor(ada));
    const statuses: number[] = [];
    for (let i = 0; i < 8; i += 1) {
      statuses.push((await choose(last, NEW, NEW, { otp: '000000' })).status);
    }
    expect(statuses).toContain(429);
    expect(statuses).not.toContain(303);
  });

  it('ends the keys that its owner chose, ends sign-ins under way, freezes withdrawals, and tells by email', async () => {
    for (const [revoke, chatKeyEnds, tradingKeyEnds] of [
      ['none', false, false],
      ['chat', true, false],
      ['all', true, true],
    ] as const) {
      const person = await examplePerson(server.ctx, { password: OLD });
      const trading = await createTradingKey(server.ctx, {
        userId: person.id,
        permissions: ['read'],
      });
      await server.owner.query(
        `INSERT INTO sign_ins (lookup, user_id, stage, expires_at)
         VALUES (sha256('${person.id}'), $1, 'factor', now() + interval '10 minutes')`,
        [person.id],
      );
      await server.owner.query(
        `INSERT INTO chat_keys (user_id, kind, lookup, label, can, direct)
         SELECT $1, kind, sha256(convert_to(kind || '${person.id}', 'UTF8')), 'example', '{read}', true
           FROM unnest('{app,own}'::text[]) AS kind`,
        [person.id],
      );
      const visit = await opened(await pathFor(person));
      expect((await choose(visit, NEW, NEW, { revoke })).status).toBe(303);
      const key = (await chatClient(server, person).get('/users/me')).status;
      expect([revoke, key]).toEqual([revoke, chatKeyEnds ? 401 : 200]);
      const { rows } = await server.owner.query<
        Record<'keys' | 'chat' | 'under' | 'frozen', number>
      >(
        `SELECT (SELECT count(*)::int FROM trading_keys WHERE key_id = $2) AS keys,
                (SELECT count(*)::int FROM chat_keys WHERE user_id = $1) AS chat,
                (SELECT count(*)::int FROM sign_ins WHERE user_id = $1 AND used_at IS NULL) AS under,
                (SELECT extract(epoch FROM withdraw_freeze_until - now())::float8 / 3600
                   FROM trading_accounts WHERE user_id = $1) AS frozen`,
        [person.id, trading.keyId],
      );
      expect(rows[0]).toMatchObject({
        keys: tradingKeyEnds ? 0 : 1,
        chat: chatKeyEnds ? 0 : 2,
        under: 0,
      });
      expect(rows[0]?.frozen).toBeGreaterThan(23.9);
      expect((await mail.next(person.email)).subject).toBe('Your password was changed');
    }
  });

  it('[I11] ends with any other new password, at its time, and with the address that it was made for', async () => {
    const [used, late, moved] = [
      await pathFor(ada),
      await pathFor(owner),
      await pathFor(await examplePerson(server.ctx, { email: 'moved@example.com' })),
    ];
    const waiting = await opened(used);
    await chatClient(server, ada).patch('/settings', { old_password: OLD, new_password: NEW });
    expect((await choose(waiting)).status).toBe(404);
    await expectOver(used, 'the password is another by now');

    const stillOpen = await opened(late);
    expect(stillOpen.page.status).toBe(200);
    await server.owner.query(
      "UPDATE mailed_links SET expires_at = expires_at - interval '1 hour' WHERE user_id = $1",
      [owner.id],
    );
    await expectOver(late, 'it is an hour old');
    expect((await choose(stillOpen)).status).toBe(404);

    const before = await opened(moved);
    const { rows } = await server.owner.query<{ id: number }>(
      "SELECT id FROM users WHERE email = 'moved@example.com'",
    );
    await changePerson(server.ctx, owner, rows[0]?.id ?? 0, { email: 'elsewhere@example.com' });
    expect((await choose(before)).status).toBe(404);
    expect(await canSignIn('elsewhere@example.com', NEW)).toBe(false);
  });

  it('is useless for a deactivated person, also after they are reactivated', async () => {
    const path = await pathFor(ada);
    const visit = await opened(path);
    await deactivatePerson(server.ctx, owner, ada.id);
    expect((await choose(visit)).status).toBe(404);
    await expect(makePasswordLink(server.ctx, ada.id)).rejects.toThrow('is deactivated');
    await reactivatePerson(server.ctx, owner, ada.id);
    await expectOver(path, 'it was made before');
    expect(await canSignIn(ada.email, NEW)).toBe(false);
    expect(await canSignIn(ada.email, OLD)).toBe(true);
  });

  it('[I11] changes nobody else, needs our own form, and a guessed or foreign one leads nowhere', async () => {
    const eve = await examplePerson(server.ctx, { password: OLD });
    const visit = await opened(await pathFor(eve));
    expect((await visit.browser.post(USE, { password: NEW, again: NEW })).status).toBe(403);
    // The form's address field is ignored.
    expect((await choose({ ...visit, form: { ...visit.form, email: ada.email } })).status).toBe(
      303,
    );
    expect(await canSignIn(ada.email, OLD)).toBe(true);
    expect(await canSignIn(eve.email, NEW)).toBe(true);
    for (const key of ['a'.repeat(52), 'x', 'new', '%00', 'a'.repeat(3000), "'--"]) {
      const browser = openBrowser(server);
      expect((await browser.get(`${RESET}${key}/`)).status).toBeLessThan(500);
      expect((await browser.get(USE)).status).toBe(404);
    }
    // A link for another purpose does not work here.
    const { text } = await visit.browser.get('/accounts/login/device/');
    await visit.browser.post('/accounts/login/device/', {
      ...hiddenFields(text),
      email: ada.email,
    });
    const { text: received = '' } = await mail.next(ada.email);
    const [, deviceKey = ''] = /device\/([a-z2-7]{52})\//.exec(received) ?? [];
    expect(deviceKey).not.toBe('');
    await expectOver(`${RESET}${deviceKey}/`, 'it makes browsers known');
  });
});

describe('a forgotten password', () => {
  const ask = async (email: string): Promise<Page> => {
    const browser = openBrowser(server);
    const { text } = await browser.get(RESET);
    return browser.post(RESET, { ...hiddenFields(text), email });
  };

  it('gets a link by email, twice an hour for one network, and the page is the same for every address', async () => {
    const bot = await castBot(server.ctx, owner);
    const gone = await examplePerson(server.ctx, { password: OLD });
    await deactivatePerson(server.ctx, owner, gone.id);
    const asked = [
      ada.email,
      ada.email,
      ada.email,
      'nobody@example.com',
      bot.email,
      gone.email,
      'x',
    ];
    const pages: Page[] = [];
    for (const email of asked) pages.push(await ask(email));
    expect(new Set(pages.map(({ text }) => text)).size).toBe(1);
    expect(pages.every(({ status }) => status === 200)).toBe(true);
    const { text = '', subject } = await mail.next(ada.email);
    expect(subject).toContain('A new password');
    const linkIn = (body: string) =>
      /http\S+\/accounts\/password\/reset\/[a-z2-7]{52}\//.exec(body)?.[0] ?? '';
    const second = await mail.next(ada.email);
    const open = [];
    for (const link of [linkIn(text), linkIn(second.text ?? '')]) {
      const visit = await opened(new URL(link).pathname);
      if (visit.page.status === 200) open.push(visit);
    }
    expect(open).toHaveLength(1);
    for (const visit of open) expect((await choose(visit)).status).toBe(303);
    expect(await canSignIn(ada.email, NEW)).toBe(true);
    expect((await mail.next(ada.email)).subject).toBe('Your password was changed');
    const { rows } = await server.owner.query('SELECT FROM mailed_links WHERE user_id = $1', [
      ada.id,
    ]);
    expect(rows).toHaveLength(2);
    const recipients = mail.emails.flatMap((received) => received.recipients);
    expect(recipients).not.toContain(bot.email);
    expect(recipients).not.toContain('nobody@example.com');
  });

  it('gets no link to a mailbox that an administrator set, and none where the directory has the password', async () => {
    await changePerson(server.ctx, owner, ada.id, { email: 'given@example.com' });
    await ask('given@example.com');
    const { text = '' } = await mail.next('given@example.com');
    expect(text).toContain('Ask the operators of this server');
    expect(text).not.toContain(RESET);
    const { rows } = await server.owner.query('SELECT FROM mailed_links WHERE user_id = $1', [
      ada.id,
    ]);
    expect(rows).toHaveLength(0);
    const ctx = {
      ...server.ctx,
      config: { ...server.ctx.config, LDAP_URL: 'ldap://directory.example' },
    };
    const bound = await examplePerson(server.ctx);
    await server.owner.query(
      "INSERT INTO directory_identities (user_id, entry) VALUES ($1, 'entry')",
      [bound.id],
    );
    await expect(makePasswordLink(ctx, bound.id)).rejects.toThrow('password of the directory');
  });

  it('is told the provider by email instead of a link, if there is no password, and while the provider is in use', async () => {
    const linked = async (password?: string) => {
      const person = await examplePerson(server.ctx, password === undefined ? {} : { password });
      await server.owner.query(
        'INSERT INTO oidc_identities (issuer, subject, user_id) VALUES ($1, $2, $3)',
        [acme.entry()['issuer'], `subject ${person.id}`, person.id],
      );
      return person;
    };
    const linksOf = async ({ id }: Person) =>
      (await server.owner.query('SELECT FROM mailed_links WHERE user_id = $1', [id])).rowCount;
    const [only, persian, both] = [await linked(), await linked(), await linked(OLD)];
    await server.owner.query(
      `UPDATE users SET settings = settings || '{"default_language":"fa"}' WHERE id = $1`,
      [persian.id],
    );
    const pages = [];
    for (const { email } of [only, persian, both]) pages.push((await ask(email)).text);
    expect(new Set(pages).size).toBe(1);
    const { text = '', html = '' } = await mail.next(only.email);
    expect(text).toContain('you sign in here with Acme & Sons.');
    expect(html).toContain('Acme &amp; Sons');
    expect(text).not.toContain(RESET);
    expect((await mail.next(persian.email)).text).toContain('با Acme & Sons وارد می‌شوید');
    expect((await mail.next(both.email)).text).toContain(RESET);
    expect([await linksOf(only), await linksOf(persian), await linksOf(both)]).toEqual([0, 0, 1]);
    // Whose provider is switched off has no other way in.
    await server.owner.query(
      "UPDATE organization SET authentication_methods_off = '{OpenID Connect}'",
    );
    await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
    await ask(only.email);
    expect((await mail.next(only.email)).text).toContain(RESET);
    await server.owner.query("UPDATE organization SET authentication_methods_off = '{}'");
  });

  it('is offered on the sign-in page, in both languages, without script', async () => {
    const browser = openBrowser(server);
    expect((await browser.get('/login/')).text).toContain(`href="${RESET}?lang=en"`);
    const { browser: reader } = await opened(await pathFor(ada));
    const pages = [
      await browser.get(`${RESET}?lang=fa`),
      await reader.get(`${USE}?lang=fa`),
      await reader.get(USE),
    ];
    for (const [index, { text, headers }] of pages.entries()) {
      expect(text).toContain(
        index < 2 ? '<html lang="fa" dir="rtl">' : '<html lang="en" dir="ltr">',
      );
      expect(text).not.toMatch(/<script|\son\w+="|\sstyle="/);
      expect(headers.get('content-security-policy')).toContain("default-src 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });
});

// Last, because a hundred at once keep the server busy for a while.
describe('a link that many open', () => {
  it('[I11] is not used up by scanners or by a weak password, and works once, for one of a hundred at once', async () => {
    const path = await pathFor(ada);
    for (let count = 0; count < 5; count += 1) {
      expect((await opened(path)).page.status).toBe(200);
      expect((await fetch(`${server.origin}${path}`, { method: 'HEAD' })).status).toBeLessThan(500);
    }
    const weak = await choose(await opened(path), 'password1');
    expect(weak.status).toBe(400);
    expect(weak.text).toContain('Many people have this password');
    expect((await choose(await opened(path), NEW, 'another')).status).toBe(400);
    const visit = await opened(path);
    const pages = await Promise.all(
      Array.from({ length: 100 }, (_value, index) =>
        choose(visit, `violet kettle marching ${index}`),
      ),
    );
    const statuses = pages.map(({ status }) => status);
    expect(statuses.filter((status) => status === 303)).toHaveLength(1);
    // A busy server turns some of them away.
    expect(statuses.filter((status) => ![303, 404, 503].includes(status))).toEqual([]);
    const chosen = pages.findIndex(({ status }) => status === 303);
    expect(await canSignIn(ada.email, `violet kettle marching ${chosen}`)).toBe(true);
    expect(await canSignIn(ada.email, OLD)).toBe(false);
    await expectOver(path, 'it was used');
  }, 120_000);
});
