// Choosing a new password by a link, made by an operator or sent by email.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { chatClient } from '../testing/chat/client.ts';
import { makePasswordLink } from '../chat/administration/keys/password-link.ts';
import {
  changePerson,
  deactivatePerson,
  reactivatePerson,
} from '../chat/administration/users/actions.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { castBot } from '../testing/chat/cast.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const OLD = 'a long enough secret';
const NEW = 'violet kettle marching 42';
const RESET = '/accounts/password/reset/';
const USE = '/accounts/password/reset/use/';

let mail: MailCatcher;
let server: TestServer;
let owner: Person;
let ada: Person;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    withJobs: true,
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: OLD });
});
afterAll(async () => {
  await server.close();
  await mail.close();
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
): Promise<Page> => browser.post(USE, { ...form, password, again });

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

  it('is not used up by being opened or by a weak password, and works once, for one of many at once', async () => {
    const path = await pathFor(ada);
    const scanner = await opened(path);
    expect(scanner.page.status).toBe(200);
    const weak = await choose(await opened(path), 'password1');
    expect(weak.status).toBe(400);
    expect(weak.text).toContain('Many people have this password');
    expect((await choose(await opened(path), NEW, 'another')).status).toBe(400);
    const visits = await Promise.all(Array.from({ length: 6 }, () => opened(path)));
    const pages = await Promise.all(
      visits.map((visit, index) => choose(visit, `violet kettle marching ${index}`)),
    );
    const statuses = pages.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([303, 404, 404, 404, 404, 404]);
    const chosen = pages.findIndex(({ status }) => status === 303);
    expect(await canSignIn(ada.email, `violet kettle marching ${chosen}`)).toBe(true);
    expect(await canSignIn(ada.email, OLD)).toBe(false);
    await expectOver(path, 'it was used');
  });

  it('ends with any other new password, at its time, and with the address that it was made for', async () => {
    const [used, other, late, moved] = [
      await pathFor(ada),
      await pathFor(ada),
      await pathFor(owner),
      await pathFor(await examplePerson(server.ctx, { email: 'moved@example.com' })),
    ];
    expect((await choose(await opened(used))).status).toBe(303);
    await expectOver(other, 'the password is another by now');

    const stillOpen = await opened(late);
    expect(stillOpen.page.status).toBe(200);
    await server.owner.query(
      "UPDATE mailed_links SET expires_at = expires_at - interval '24 hours' WHERE user_id = $1",
      [owner.id],
    );
    await expectOver(late, 'it is a day old');
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

  it('changes nobody else, needs our own form, and a guessed or foreign one leads nowhere', async () => {
    const eve = await examplePerson(server.ctx, { password: OLD });
    const visit = await opened(await pathFor(eve));
    expect((await visit.browser.post(USE, { password: NEW, again: NEW })).status).toBe(403);
    // The form's address field is ignored.
    expect((await choose({ ...visit, form: { ...visit.form, email: ada.email } })).status).toBe(
      303,
    );
    expect(await canSignIn(ada.email, OLD)).toBe(true);
    expect(await canSignIn(eve.email, NEW)).toBe(true);
    for (const key of ['a'.repeat(52), 'x', 'use', '%00', 'a'.repeat(3000), "'--"]) {
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
    const [link = ''] = /http\S+\/accounts\/password\/reset\/[a-z2-7]{52}\//.exec(text) ?? [];
    expect((await choose(await opened(new URL(link).pathname))).status).toBe(303);
    expect(await canSignIn(ada.email, NEW)).toBe(true);
    await mail.next(ada.email);
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
