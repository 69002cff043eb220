// Registering without an invitation, where the organization allows it.
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ROLE } from '../accounts/roles.ts';
import { hiddenFields, openBrowser, type Page } from '../testing/browser.ts';
import { chatClient } from '../testing/chat/client.ts';
import { examplePerson, type Person } from '../testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../testing/mail-catcher.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';

const PASSWORD = 'violet kettle marching 42';
const USE = '/accounts/register/new/';

let mail: MailCatcher;
let server: TestServer;
let owner: Person;
let count = 0;

beforeAll(async () => {
  mail = await startMailCatcher();
  server = await startTestServer({
    settings: { ...mail.settings, CHAT_RATE_LIMIT_ANONYMOUS: '100000', SIGNUPS_DAILY_MAX: '6' },
    withJobs: true,
  });
  owner = await examplePerson(server.ctx, { role: ROLE.owner });
});
beforeEach(async () => {
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  await server.owner.query("DELETE FROM mailed_links WHERE purpose = 'register'");
  await set({ invite_required: false, emails_restricted_to_domains: false });
});
afterAll(async () => {
  await server.close();
  await mail.close();
});

async function set(settings: Record<string, boolean>): Promise<void> {
  const { status, body } = await chatClient(server, owner).patch('/realm', settings);
  expect(status, JSON.stringify(body)).toBe(200);
}

const fresh = (): string => `newcomer${(count += 1)}@example.org`;

async function ask(email: string, path = '/accounts/home/'): Promise<Page> {
  const browser = openBrowser(server);
  const { text } = await browser.get('/accounts/register/');
  return browser.post(path, { ...hiddenFields(text), email });
}

async function linkTo(email: string): Promise<string> {
  const { text = '' } = await mail.next(email);
  const [, path = ''] = /(\/accounts\/register\/[a-z2-7]{52}\/)/.exec(text) ?? [];
  expect(path).not.toBe('');
  return path;
}

async function open(path: string) {
  const browser = openBrowser(server);
  expect((await browser.get(path)).headers.get('location')).toMatch(/^\/accounts\/register\/new\//);
  const page = await browser.get(USE);
  return { browser, page, form: hiddenFields(page.text) };
}

it('an address is confirmed by email; then the account of a member exists, and the browser is signed in', async () => {
  const email = fresh();
  expect((await ask(email)).status).toBe(200);
  const path = await linkTo(email);
  const { browser, page, form } = await open(path);
  expect(page.text).toContain(email);
  const weak = await browser.post(USE, { ...form, full_name: 'Nia New', password: 'password1' });
  expect(weak.status).toBe(400);
  const given = { ...form, full_name: 'Nia New', password: PASSWORD, email: owner.email };
  const done = await browser.post(USE, given);
  expect([done.status, done.headers.get('location')]).toEqual([303, '/']);
  const me = await browser.get('/json/users/me');
  expect(me.body).toMatchObject({ email, full_name: 'Nia New', role: ROLE.member });
  expect((await open(path)).page.status).toBe(404);
});

it('one of many who use one link at once gets the account', async () => {
  const email = fresh();
  // The address that other servers of this API use.
  await ask(email, '/accounts/register/');
  const visit = await open(await linkTo(email));
  const pages = await Promise.all(
    Array.from({ length: 8 }, (_value, index) =>
      visit.browser.post(USE, {
        ...visit.form,
        full_name: `Nia ${index}`,
        password: `${PASSWORD} ${index}`,
      }),
    ),
  );
  const statuses = pages.map(({ status }) => status).sort((a, b) => a - b);
  expect(statuses[0]).toBe(303);
  expect(statuses.slice(1).every((status) => status >= 400 && status < 500)).toBe(true);
  const { rows } = await server.owner.query('SELECT FROM users WHERE email = $1', [email]);
  expect(rows).toHaveLength(1);
});

it('rules about domains are told, and whether an address has an account is told to its mailbox alone', async () => {
  const email = fresh();
  const known = await ask(owner.email);
  await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
  const unknown = await ask(email);
  const bare = (page: Page, address: string) => page.text.replaceAll(address, 'ADDRESS');
  expect(bare(known, owner.email)).toBe(bare(unknown, email));
  expect(known.status).toBe(unknown.status);
  expect((await mail.next(owner.email)).subject).toContain('already have an account');
  await linkTo(email);
  await set({ emails_restricted_to_domains: true });
  const refused = await ask('x@elsewhere.example');
  expect(refused.status).toBe(400);
  expect((await ask('nonsense')).status).toBe(400);
});

it('is closed again as soon as an invitation is required, also for links that are out', async () => {
  const email = fresh();
  await ask(email);
  const visit = await open(await linkTo(email));
  await set({ invite_required: true });
  const form = { ...visit.form, full_name: 'Late', password: PASSWORD };
  expect((await visit.browser.post(USE, form)).status).toBe(404);
  expect((await openBrowser(server).get('/accounts/register/')).status).toBe(403);
  expect((await openBrowser(server).get('/accounts/home/')).text).toContain('invitation');
  const { rows } = await server.owner.query('SELECT FROM users WHERE email = $1', [email]);
  expect(rows).toHaveLength(0);
});

it('is offered on the sign-in page while it is open, in both languages', async () => {
  const offers = async (language: string) => {
    const { text } = await openBrowser(server).get(`/login/?lang=${language}`);
    const [, href = ''] = /href="(\/accounts\/register\/[^"]*)"/.exec(text) ?? [];
    return href;
  };
  for (const language of ['en', 'fa']) {
    const href = await offers(language);
    expect(href).toBe(`/accounts/register/?lang=${language}`);
    const page = await openBrowser(server).get(href);
    expect(page.status).toBe(200);
    expect(page.text).toContain(`<html lang="${language}"`);
  }
  await set({ invite_required: true });
  for (const language of ['en', 'fa']) expect(await offers(language)).toBe('');
});

it('at most SIGNUPS_DAILY_MAX links are made in a day, and the page does not say so', async () => {
  const pages: Page[] = [];
  for (let index = 0; index < 8; index += 1) {
    await server.ctx.database.pool.query('DELETE FROM sign_in_buckets');
    pages.push(await ask(fresh()));
  }
  expect(pages.every(({ status }) => status === 200)).toBe(true);
  const links = async () => {
    const { rows } = await server.owner.query(
      "SELECT FROM mailed_links WHERE purpose = 'register'",
    );
    return rows.length;
  };
  await expect.poll(links, { timeout: 60_000 }).toBe(6);
  const { rows } = await server.owner.query<{ count: string }>(
    `SELECT count(*) FROM graphile_worker._private_jobs j
       JOIN graphile_worker._private_tasks t ON t.id = j.task_id
      WHERE t.identifier = 'send-register-link' AND attempts < max_attempts`,
  );
  expect(Number(rows[0]?.count)).toBeLessThanOrEqual(2);
  expect(await links()).toBe(6);
});
