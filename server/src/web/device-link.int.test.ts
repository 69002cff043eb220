// The mailed link that makes a browser known while others use up the attempts for a name.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { askDeviceLink } from '../chat/administration/keys/device-link.ts';
import { signIn } from '../chat/administration/keys/sign-in.ts';
import { deactivatePerson } from '../chat/administration/users/actions.ts';
import type { ApiContext } from '../platform/context.ts';
import { hiddenFields, openBrowser, type Browser, type Page } from '../testing/browser.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { castBot } from '../testing/chat/cast.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'a long enough secret';
const DEVICE = '/accounts/login/device/';
const USE = '/accounts/login/device/use/';

let mail: MailCatcher;
let server: TestServer;
let ada: Person;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000' },
    withJobs: true,
  });
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  ada = await examplePerson(server.ctx, { password: PASSWORD });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

const ask = async (email: string, browser = openBrowser(server)): Promise<Page> => {
  const { text } = await browser.get(DEVICE);
  return browser.post(DEVICE, { ...hiddenFields(text), email });
};

/** The path of the link in the next email. */
async function nextLink(email: string): Promise<string> {
  const { text = '' } = await mail.next(email);
  const [link] = /http\S+\/accounts\/login\/device\/[a-z2-7]{52}\//.exec(text) ?? [];
  expect(link).toBeDefined();
  return new URL(link ?? '').pathname;
}

async function say(browser: Browser): Promise<Page> {
  const page = await browser.get(USE);
  return browser.post(USE, hiddenFields(page.text));
}

/** Somebody tries this name until there is nothing left to try. */
async function exhaust(name: string): Promise<void> {
  for (let count = 0; count < 5; count += 1) {
    const place = { address: `198.51.100.${count}` };
    await signIn(server.ctx, { username: name, password: 'wrong', place }).catch(() => {});
  }
}

describe('a device link', () => {
  it('[I14] is offered after too many attempts, and lets the owner in with the password', async () => {
    await exhaust(ada.email);
    const browser = openBrowser(server);
    const refused = await browser.signIn(ada.email, PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.text).toContain(`action="${DEVICE}"`);
    const sent = await browser.post(DEVICE, { ...hiddenFields(refused.text), email: ada.email });
    expect(sent.status).toBe(200);
    const path = await nextLink(ada.email);
    const opened = await browser.get(path);
    expect([opened.status, opened.headers.get('location')]).toEqual([303, `${USE}?lang=en`]);
    expect(opened.headers.getSetCookie().join()).toMatch(
      /^link=[a-z2-7]{52}; Path=\/; Max-Age=900; SameSite=Lax; HttpOnly$/,
    );
    expect(opened.headers.get('referrer-policy')).toBe('no-referrer');
    expect(opened.headers.get('cache-control')).toBe('no-store');
    const done = await say(browser);
    expect([done.status, done.headers.get('location')]).toEqual([
      303,
      '/login/?lang=en&device=known',
    ]);
    expect(browser.cookies.has('sessionid')).toBe(false);
    expect(browser.cookies.has('link')).toBe(false);
    expect((await browser.get('/login/?lang=en&device=known')).text).toContain('is known now');
    expect((await browser.get('/json/users/me')).status).toBe(401);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
    const { rows } = await server.ctx.database.pool.query(
      'SELECT act FROM audit_log WHERE subject = $1 ORDER BY seq',
      [ada.email],
    );
    expect(rows.map(({ act }: { act: string }) => act)).toContain('sign_in device_link');
  });

  it('is not used up by being opened, and works once, for one of many at once', async () => {
    await ask(ada.email);
    const path = await nextLink(ada.email);
    // A virus scanner opens it, and the page it leads to.
    for (let count = 0; count < 3; count += 1) {
      const scanner = openBrowser(server);
      await scanner.get(path);
      expect((await scanner.get(USE)).status).toBe(200);
    }
    const browsers = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const browser = openBrowser(server);
        await browser.get(path);
        return { browser, form: hiddenFields((await browser.get(USE)).text) };
      }),
    );
    const pages = await Promise.all(browsers.map(({ browser, form }) => browser.post(USE, form)));
    const statuses = pages.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([303, ...Array.from({ length: 9 }, () => 404)]);
    expect((await browsers[0]?.browser.get(USE))?.status).toBe(404);
  });

  it('a second request leaves the earlier links valid, so nobody can invalidate what the owner got', async () => {
    await ask(ada.email);
    await ask(ada.email);
    const [first, second] = [await nextLink(ada.email), await nextLink(ada.email)];
    expect(first).not.toBe(second);
    for (const path of [first, second]) {
      const browser = openBrowser(server);
      await browser.get(path);
      expect((await say(browser)).status).toBe(303);
    }
  });

  it('is sent twice an hour for one network, and then silently not at all, with the same page', async () => {
    const pages = [];
    for (let count = 0; count < 4; count += 1) pages.push(await ask(ada.email));
    pages.push(await ask('nobody@example.com'), await ask('no address'), await ask(''));
    const bodies = pages.map(({ text }) => text.replaceAll(/value="[\w-]{43}"/g, ''));
    expect(new Set(bodies).size).toBe(1);
    expect(pages.every(({ status }) => status === 200)).toBe(true);
    await nextLink(ada.email);
    await nextLink(ada.email);
    const { rows } = await server.ctx.database.pool.query(
      `SELECT FROM mailed_links WHERE user_id = ${ada.id}`,
    );
    expect(rows).toHaveLength(2);
    expect(mail.emails.flatMap(({ recipients }) => recipients)).not.toContain('nobody@example.com');
  });

  it('[I14] a person who uses up all emails to another has had the links sent to that other person', async () => {
    await exhaust(ada.email);
    const api = { ...server.ctx, publicUrl: () => server.origin } as unknown as ApiContext;
    for (let count = 0; count < 30; count += 1) {
      await askDeviceLink(api, { email: ada.email, caller: `203.0.113.${count}` });
    }
    // The owner asks as well, in vain, and looks into the mailbox.
    expect((await ask(ada.email)).status).toBe(200);
    const path = await nextLink(ada.email);
    await expect
      .poll(async () => {
        const { rows } = await server.ctx.database.pool.query(
          `SELECT FROM mailed_links WHERE user_id = ${ada.id}`,
        );
        return rows.length;
      })
      .toBe(20);
    const browser = openBrowser(server);
    await browser.get(path);
    expect((await say(browser)).status).toBe(303);
    expect((await browser.signIn(ada.email, PASSWORD)).status).toBe(302);
  });

  it('is not sent for a network that asked for twenty on a day, and a form that is too large is not read', async () => {
    for (let count = 0; count < 20; count += 1) await ask(`nobody${count}@example.com`);
    expect((await ask(ada.email)).status).toBe(200);
    const { rows } = await server.ctx.database.pool.query(
      "SELECT FROM graphile_worker.jobs WHERE task_identifier = 'send-device-link'",
    );
    expect(rows.length).toBeLessThanOrEqual(20);
    const links = await server.ctx.database.pool.query(
      `SELECT FROM mailed_links WHERE user_id = ${ada.id}`,
    );
    expect(links.rows).toHaveLength(0);
    const browser = openBrowser(server);
    expect((await browser.post(DEVICE, { email: 'x'.repeat(20_000) })).status).toBe(413);
  });

  it('expires after a day, and for a deactivated person; a bot gets none', async () => {
    const owner = await examplePerson(server.ctx, { role: ROLE.owner });
    const bot = await castBot(server.ctx, owner);
    await ask(bot.email);
    await ask(ada.email);
    const browser = openBrowser(server);
    await browser.get(await nextLink(ada.email));
    await server.ctx.database.pool.query(
      "UPDATE mailed_links SET expires_at = expires_at - interval '24 hours'",
    );
    const late = await browser.get(USE);
    expect(late.status).toBe(404);
    expect(late.text).toContain('older than 24 hours');
    await server.ctx.database.pool.query(
      'UPDATE mailed_links SET expires_at = now() + interval $$1 day$$',
    );
    const form = hiddenFields((await browser.get(USE)).text);
    await deactivatePerson(server.ctx, owner, ada.id);
    expect((await browser.post(USE, form)).status).toBe(404);
    expect(mail.emails.flatMap(({ recipients }) => recipients)).not.toContain(bot.email);
  });

  it('needs our own form, at each step', async () => {
    const browser = openBrowser(server);
    expect((await browser.post(DEVICE, { email: ada.email })).status).toBe(403);
    await ask(ada.email);
    await browser.get(await nextLink(ada.email));
    expect((await browser.post(USE, {})).status).toBe(403);
    expect((await browser.post(USE, { csrfmiddlewaretoken: 'A'.repeat(43) })).status).toBe(403);
    expect((await say(browser)).status).toBe(303);
  });

  it('that was guessed or truncated leads nowhere', async () => {
    for (const key of ['a'.repeat(52), 'x', 'use', '%00', 'a'.repeat(3000), "'--"]) {
      const browser = openBrowser(server);
      const page = await browser.get(`${DEVICE}${key}/`);
      expect(page.status).toBeLessThan(500);
      expect((await browser.get(USE)).status).toBe(404);
      expect(browser.cookies.has('device')).toBe(false);
    }
  });

  it('is written in the reader’s language, and its pages in both, without script', async () => {
    await server.ctx.db
      .updateTable('users')
      .set({ settings: JSON.stringify({ default_language: 'fa' }) })
      .where('id', '=', ada.id)
      .execute();
    const browser = openBrowser(server);
    const asked = await browser.get(`${DEVICE}?lang=fa`);
    const sent = await browser.post(DEVICE, { ...hiddenFields(asked.text), email: ada.email });
    const received = await mail.next(ada.email);
    expect(received.subject).toContain('مرورگری تازه');
    const [path = ''] = /\/accounts\/login\/device\/[a-z2-7]{52}\//.exec(received.text ?? '') ?? [];
    await browser.get(`${path}?lang=fa`);
    const use = await browser.get(`${USE}?lang=fa`);
    const english = await browser.get(USE);
    for (const page of [asked, sent, use])
      expect(page.text).toContain('<html lang="fa" dir="rtl">');
    expect(english.text).toContain('<html lang="en" dir="ltr">');
    for (const { text, headers } of [asked, sent, use, english]) {
      expect(text).not.toMatch(/<script|\son\w+="|\sstyle="/);
      expect(headers.get('content-security-policy')).toContain("form-action 'self'");
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
    }
  });

  it('leaves neither its key nor the address in the database', async () => {
    await ask(ada.email);
    const path = await nextLink(ada.email);
    const key = path.split('/').at(-2) ?? '';
    const { rows } = await server.ctx.database.pool.query<{ row: string }>(
      "SELECT encode(lookup, 'escape') AS row FROM mailed_links",
    );
    expect(JSON.stringify(rows)).not.toContain(key);
  });
});

it('without a mail server no link is offered, and the page says so', async () => {
  const silent = await startTestServer();
  try {
    const person = await examplePerson(silent.ctx, { password: PASSWORD });
    for (let count = 0; count < 5; count += 1) {
      await openBrowser(silent).signIn(person.email, 'wrong');
    }
    const refused = await openBrowser(silent).signIn(person.email, PASSWORD);
    expect(refused.status).toBe(429);
    expect(refused.text).not.toContain(DEVICE);
    const page = await openBrowser(silent).get(DEVICE);
    expect(page.status).toBe(503);
    expect(page.text).toContain('sends no email');
  } finally {
    await silent.close();
  }
});
