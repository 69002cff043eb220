// An invitation end to end: requested over the API of a real process, sent through a real mail
// server, and accepted in a real browser, in both languages.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROLE } from '../server/src/accounts/roles.ts';
import { chatClient, type ChatClient } from '../server/src/testing/chat/client.ts';
import { startPostgres, type PrivatePostgres } from '../server/src/platform/engines/postgres.ts';
import { loadConfig } from '../server/src/platform/config/load.ts';
import { createContext } from '../server/src/platform/context.ts';
import { migrate } from '../server/src/platform/db/migrate.ts';
import { examplePerson, type Person } from '../server/src/testing/example.ts';
import { startMailCatcher, type MailCatcher } from '../server/src/testing/mail-catcher.ts';
import { startRialtoProcess, type RialtoProcess } from '../server/src/testing/rialto-process.ts';
import { openBrowser } from './browser.ts';

const PASSWORD = 'correct horse 7';
/** A folder for screenshots of the pages, if set. */
const PICTURES = process.env['PICTURES'];

let postgres: PrivatePostgres;
let catcher: MailCatcher;
let rialto: RialtoProcess;
let browser: Browser;
let owner: Person;
let client: ChatClient;
let deskId: number;
let groupId: number;

beforeAll(async () => {
  [postgres, catcher, browser] = await Promise.all([
    startPostgres(),
    startMailCatcher(),
    openBrowser(),
  ]);
  await migrate(postgres.ownerUrl, postgres.serverUrl);
  const environment = {
    DATABASE_URL: postgres.serverUrl,
    MASTER_KEY: '5e'.repeat(32),
    LOG_LEVEL: 'error',
    TERMS_URL: 'https://rialto.example/terms',
    ORGANIZATION_NAME: 'Harbour Desk',
    ...catcher.settings,
  };
  // The people are created before the process starts, which then owns the database.
  const ctx = await createContext(loadConfig({ ...environment, ROLES: 'worker' }), {
    onFatal: (error) => {
      throw error;
    },
  });
  owner = await examplePerson(ctx, { role: ROLE.owner, fullName: 'Olga Owner' });
  await ctx.close();
  rialto = await startRialtoProcess('api,engine,relay,worker', environment);
  client = chatClient({ chatUrl: `${rialto.origin}/api/v1` }, owner);
  deskId = Number(
    (await sure(client.post('/channels/create', { name: 'desk', subscribers: [owner.id] })))['id'],
  );
  const group = { name: 'night shift', description: '', members: [] };
  groupId = Number((await sure(client.post('/user_groups/create', group)))['group_id']);
});
afterAll(async () => {
  await browser?.close();
  await rialto?.stop();
  await catcher?.close();
  await postgres?.remove();
});

async function sure(answer: ReturnType<ChatClient['get']>): Promise<Record<string, unknown>> {
  const { body } = await answer;
  expect(body).toMatchObject({ result: 'success' });
  return body;
}

const WIDE = { width: 1280, height: 860 };
const PHONE = { width: 360, height: 780 };

/** A new visitor's browser, without JavaScript. */
async function visit(viewport = WIDE): Promise<Page> {
  const context = await browser.newContext({ viewport, javaScriptEnabled: false });
  return context.newPage();
}

async function look(page: Page, name: string): Promise<void> {
  if (PICTURES === undefined) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
}

/** Nothing is wider than the window, so nobody has to scroll sideways. */
async function fits(page: Page): Promise<void> {
  const box = await page.locator('main').boundingBox();
  expect(box?.width ?? 0).toBeLessThanOrEqual(page.viewportSize()?.width ?? 0);
}

const linkIn = (text = ''): string =>
  /https?:\/\/\S+\/accounts\/do_confirm\/[a-z2-7]{52}/.exec(text)?.[0] ?? '';

async function complete(page: Page, name: string): Promise<void> {
  await page.fill('#full_name', name);
  await page.fill('#password', PASSWORD);
  await page.check('#terms');
  await page.click('button[type=submit]');
  await page.waitForURL(`${rialto.origin}/`);
}

const asPerson = async (email: string): Promise<ChatClient> => {
  const origin = { chatUrl: `${rialto.origin}/api/v1` };
  const { api_key } = await sure(
    chatClient(origin).post('/fetch_api_key', { username: email, password: PASSWORD }),
  );
  const basic = `Basic ${Buffer.from(`${email}:${String(api_key)}`).toString('base64')}`;
  return chatClient(origin, { basic });
};

const notesTo = async (who: ChatClient): Promise<string[]> => {
  const { messages } = (await sure(
    who.get('/messages', {
      anchor: 'newest',
      num_before: 50,
      num_after: 0,
      narrow: [['is', 'dm']],
      apply_markdown: false,
    }),
  )) as { messages: { content: string }[] };
  return messages.map(({ content }) => content);
};

it('an email, a form, an account: in the right channels and groups, and the inviter is notified', async () => {
  const email = 'nia@example.org';
  await sure(
    client.post('/invites', {
      invitee_emails: `Nia New <${email}>`,
      stream_ids: [deskId],
      group_ids: [groupId],
      welcome_message_custom_text: 'The coffee is behind the second door.',
    }),
  );
  const received = await catcher.next(email);
  expect(received.subject).toBe('Olga Owner invited you to join Harbour Desk');
  const page = await visit();
  await page.setContent(received.html ?? '');
  await look(page, 'letter-en');
  await page.goto(linkIn(received.text));
  await look(page, 'account-en');
  expect(await page.locator('h1').innerText()).toBe('Join Harbour Desk');
  expect(await page.inputValue('#full_name')).toBe('Nia New');
  // First a weak password: the form keeps the name, and the page says what to do.
  await page.fill('#password', '12345678');
  await page.check('#terms');
  await page.click('button[type=submit]');
  await look(page, 'account-weak-en');
  expect(await page.locator('[role=alert]').innerText()).toContain('too easy to guess');
  await complete(page, 'Nia New');
  const cookies = await page.context().cookies();
  expect(cookies.find(({ name }) => name === 'sessionid')).toMatchObject({ httpOnly: true });
  const me = await page.request.get(`${rialto.origin}/json/users/me`);
  expect(await me.json()).toMatchObject({ full_name: 'Nia New', email, role: 400 });
  await page.goto(linkIn(received.text));
  await look(page, 'used-en');
  expect(await page.locator('h1').innerText()).toBe('This invitation cannot be used');
  const nia = await asPerson(email);
  const { subscriptions } = (await sure(nia.get('/users/me/subscriptions'))) as {
    subscriptions: { name: string }[];
  };
  expect(subscriptions.map(({ name }) => name)).toEqual(['desk']);
  const { user_id } = await sure(nia.get('/users/me'));
  expect((await sure(client.get(`/user_groups/${groupId}/members`)))['members']).toEqual([user_id]);
  expect(await notesTo(nia)).toEqual([
    expect.stringContaining('welcome to Harbour Desk'),
    'The coffee is behind the second door.',
  ]);
  expect((await notesTo(client)).at(-1)).toBe(
    `@_**Nia New|${String(user_id)}** accepted your invitation to join Harbour Desk!`,
  );
});

it('a reusable link, on a phone: an address, an email, an account', async () => {
  const { invite_link } = await sure(client.post('/invites/multiuse', { stream_ids: [deskId] }));
  const page = await visit(PHONE);
  await page.goto(String(invite_link));
  await look(page, 'join-en-phone');
  await fits(page);
  const email = 'walker@example.org';
  await page.fill('#email', email);
  await page.click('button[type=submit]');
  await look(page, 'sent-en-phone');
  expect(await page.locator('h1').innerText()).toBe('Check your mailbox');
  const received = await catcher.next(email);
  await page.goto(linkIn(received.text));
  await look(page, 'account-en-phone');
  await fits(page);
  await complete(page, 'Walker');
  const { subscriptions } = (await sure(
    (await asPerson(email)).get('/users/me/subscriptions'),
  )) as { subscriptions: { name: string }[] };
  expect(subscriptions.map(({ name }) => name)).toEqual(['desk']);
});

it('all of it in Persian, from right to left', async () => {
  await sure(client.patch('/realm', { default_language: 'fa', name: 'میز بندر' }));
  const email = 'mina@example.org';
  await sure(
    client.post('/invites', { invitee_emails: email, stream_ids: [deskId], invite_as: 600 }),
  );
  const received = await catcher.next(email);
  expect(received.subject).toBe('Olga Owner شما را به میز بندر دعوت کرد');
  const phone = await visit(PHONE);
  await phone.setContent(received.html ?? '');
  await look(phone, 'letter-fa-phone');
  await phone.goto(linkIn(received.text));
  await look(phone, 'account-fa-phone');
  await fits(phone);
  const page = await visit();
  await page.goto(linkIn(received.text));
  await look(page, 'account-fa');
  expect(await page.locator('html').getAttribute('dir')).toBe('rtl');
  expect(await page.locator('h1').innerText()).toContain('میز بندر');
  // Labels are on the right, addresses run from left to right.
  const label = await page.locator('label[for=full_name]').boundingBox();
  const box = await page.locator('#full_name').boundingBox();
  expect(label !== null && box !== null).toBe(true);
  expect(await page.locator('#email').getAttribute('dir')).toBe('ltr');
  await complete(page, 'مینا تازه‌وارد');
  expect((await notesTo(await asPerson(email)))[0]).toContain('خوش آمدید');
  expect((await notesTo(client)).at(-1)).toContain('دعوت شما به میز بندر را پذیرفت');
  await page.goto(`${rialto.origin}/join/nonsense/`);
  await look(page, 'over-fa');
  expect(await page.locator('h1').innerText()).toBe('این دعوت قابل استفاده نیست');
});
