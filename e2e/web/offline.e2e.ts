// The client without a network, against the demo: it starts, it is read, what is written goes out once, and after signing
// out nothing is left. Also what lies on the same way: notifications, paper, and files that are gone after an upgrade.
import type { Chat } from '@rialto/sdk';
import type { BrowserContext, Page, Worker } from 'playwright-core';
import { expect, it } from 'vitest';
import { meetCompany, visit, type Company } from './client.ts';
import { openStage } from './stage.ts';

const PATIENT = { timeout: 60_000 };

let context: BrowserContext;
let page: Page;
let complaints: string[];
let origin: string;
let member: Chat;
let colleague: Chat;
let channelId: number;
let addressOf: Company['addressOf'];

const stage = openStage(async () => {
  ({ origin, member, colleague, channelId, addressOf } = await meetCompany(stage));
  ({ page, complaints } = await visit(stage, '/inbox', {
    viewport: { width: 1200, height: 800 },
    permissions: ['notifications'],
  }));
  page.setDefaultTimeout(PATIENT.timeout);
  context = page.context();
});

const say = async (topic: string, content: string): Promise<number> =>
  (await colleague.sendMessage({ type: 'channel', to: channelId, topic, content })).id;

/** Another document, as a new tab would be: an address that differs by its hash alone loads nothing. */
async function open(topic: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(addressOf(topic));
}

const pill = () => page.getByRole('banner').getByRole('button', { name: 'Offline', exact: true });

async function sentOf(content: string): Promise<number> {
  const { messages } = await colleague.getMessages({
    anchor: 'newest',
    num_before: 50,
    num_after: 0,
    narrow: [{ operator: 'channel', operand: channelId }],
    apply_markdown: false,
  });
  return messages.filter((one) => one.content === content).length;
}

/** What this browser keeps. */
const stored = (one: Page) =>
  one.evaluate(async () => ({
    caches: await caches.keys(),
    databases: (await indexedDB.databases()).map(({ name }) => name),
    drafts: Object.keys(localStorage).filter((key) => key.includes('draft')),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
  }));

/** Waits until the snapshot on the disk has a message. */
async function keeps(id: number): Promise<void> {
  const { user_id: userId } = await member.getOwnUser();
  const isKept = () =>
    page.evaluate(
      async ([name, wanted]) => {
        document.dispatchEvent(new Event('visibilitychange'));
        const asked = indexedDB.open(name);
        await new Promise((resolve) => asked.addEventListener('success', resolve));
        const read = asked.result.transaction('snapshot').objectStore('snapshot').get('latest');
        await new Promise((resolve) => read.addEventListener('success', resolve));
        asked.result.close();
        const snapshot = read.result as { state: { messages: Map<number, unknown> } } | undefined;
        return snapshot?.state.messages.has(wanted) === true;
      },
      [`rialto-${userId}`, id] as const,
    );
  await expect.poll(isKept, PATIENT).toBe(true);
}

it('has a service worker that keeps the page, what it begins with, and who is signed in', async () => {
  const controls = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);
  await expect.poll(controls, PATIENT).toBe(`${origin}/sw.js?lang=en`);
  const names = await page.evaluate(() => caches.keys());
  expect(names.sort()).toEqual([
    expect.stringMatching(/^rialto-files-[\w-]{12}-en$/),
    'rialto-person',
  ]);
  const paths = await page.evaluate(async (name) => {
    const requests = await (await caches.open(name)).keys();
    return requests.map(({ url }) => new URL(url).pathname);
  }, names[0] ?? '');
  expect(paths).toContain('/web/shell');
  expect(paths.some((path) => /\/client-[\w-]+\.js$/.test(path))).toBe(true);
  expect(paths.some((path) => /\/conversation-[\w-]+\.js$/.test(path))).toBe(true);
  expect(paths.filter((path) => !/^\/web\/(?:shell$|assets\/)/.test(path))).toEqual([]);
  // Neither the content policy nor Trusted Types had anything against it.
  expect(complaints.splice(0)).toEqual([]);
}, 120_000);

it('starts without a network, says so, and shows what was loaded', async () => {
  const id = await say('offline', 'Written while everything was well.');
  await page.goto(addressOf('offline'));
  await page.locator(`[data-message="${id}"]`).waitFor();
  await keeps(id);
  await context.setOffline(true);
  await open('offline');
  await page.locator(`[data-message="${id}"]`).waitFor();
  await pill().waitFor();
  await page.getByText('these are the messages of your last visit').waitFor();
  // Nothing in the page itself says who it is for.
  expect(await page.locator('#boot').textContent()).toContain('"user":null');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  await page.goto(`${origin}/inbox`);
  await page.getByRole('heading', { name: 'Inbox' }).first().waitFor();
  await open('never-opened');
  await page.getByText('this browser has stored nothing of this conversation').waitFor();
}, 180_000);

it('keeps what is written without a network over a reload, and sends it once', async () => {
  await open('offline');
  await pill().waitFor();
  const text = `From the train ${Date.now()}.`;
  await page.locator('[data-compose]').fill(text);
  await page.keyboard.press('Control+Enter');
  const row = page.locator('[data-outbox]', { hasText: text });
  await row.getByText('Waiting for the network').waitFor();
  await page.locator('[data-compose]').fill('A draft of the train.');
  await open('offline');
  await row.waitFor();
  await expect
    .poll(() => page.locator('[data-compose]').inputValue(), PATIENT)
    .toBe('A draft of the train.');
  expect(await sentOf(text)).toBe(0);
  await context.setOffline(false);
  await page.locator('article[data-message]', { hasText: text }).waitFor();
  await row.waitFor({ state: 'detached' });
  await pill().waitFor({ state: 'detached' });
  await page.getByText('these are the messages of your last visit').waitFor({ state: 'detached' });
  expect(await sentOf(text)).toBe(1);
  const drafts = async () =>
    (await member.getDrafts()).drafts.filter(({ content }) => content === 'A draft of the train.')
      .length;
  await expect.poll(drafts, PATIENT).toBe(1);
  // Another start sends nothing again.
  await page.reload();
  await page.locator('article[data-message]', { hasText: text }).waitFor();
  await page.waitForTimeout(3_000);
  expect(await sentOf(text)).toBe(1);
  expect(await drafts()).toBe(1);
  await page.locator('[data-compose]').fill('');
  complaints.splice(0);
}, 240_000);

const findWorker = async (): Promise<Worker> =>
  context.serviceWorkers()[0] ?? context.waitForEvent('serviceworker');

const notices = () =>
  page.evaluate(async () => {
    const registration = await navigator.serviceWorker.getRegistration('/');
    return ((await registration?.getNotifications()) ?? []).map(
      ({ title, body, tag, dir, lang }) => ({ title, body, tag, dir, lang }),
    );
  });

/** A busy Chromium now and then forgets which notices it shows, all of them at once: then the test begins again. */
const SHOWN = { timeout: 20_000 };
const NOTICES = { timeout: 240_000, retry: 2 };

it(
  'shows what is pushed, once for each conversation, and a click leads to the message',
  NOTICES,
  async () => {
    // Who looks at the client is not told, so somebody looks at another page.
    await page.goto(`${origin}/account/`);
    await page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration('/');
      for (const one of (await registration?.getNotifications()) ?? []) one.close();
    });
    const session = await context.newCDPSession(page);
    const registrationId = new Promise<string>((resolve) => {
      session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [one] = registrations.filter(({ isDeleted }) => !isDeleted);
        if (one !== undefined) resolve(one.registrationId);
      });
    });
    await session.send('ServiceWorker.enable');
    const id = await registrationId;
    const push = (payload: object) =>
      session.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId: id,
        data: JSON.stringify(payload),
      });
    const messageId = await say('pushed', 'Look at this.');
    const payload = {
      type: 'message',
      message_id: messageId,
      sender_id: 1,
      sender_full_name: 'سارا',
      content: 'Look at this.',
      recipient_type: 'channel',
      channel_id: channelId,
      channel_name: 'desk',
      topic: 'pushed',
      realm_url: 'https://evil.example',
    };
    await push({ ...payload, message_id: messageId - 1, content: 'Before.' });
    await expect.poll(notices, SHOWN).toHaveLength(1);
    await push(payload);
    await expect
      .poll(notices, SHOWN)
      .toEqual([expect.objectContaining({ body: 'Look at this.', dir: 'auto', lang: 'en' })]);
    await push({ type: 'remove', message_ids: [messageId - 1] });
    await push({ ...payload, topic: 'another', message_id: messageId - 2 });
    await expect.poll(notices, SHOWN).toHaveLength(2);
    // Read elsewhere.
    await push({ type: 'remove', message_ids: [messageId - 2] });
    await expect.poll(notices, SHOWN).toHaveLength(1);

    await page.goto(`${origin}/inbox`);
    await page.getByRole('heading', { name: 'Inbox' }).first().waitFor();
    const worker = await findWorker();
    await worker.evaluate(async () => {
      const scope = globalThis as unknown as {
        registration: ServiceWorkerRegistration;
        NotificationEvent: new (type: string, init: object) => Event;
        dispatchEvent(event: Event): void;
      };
      const [notification] = await scope.registration.getNotifications();
      scope.dispatchEvent(new scope.NotificationEvent('notificationclick', { notification }));
    });
    await expect
      .poll(() => page.url(), SHOWN)
      .toBe(`${origin}/#narrow/channel/${channelId}/topic/pushed/near/${messageId}`);
    await page.locator(`[data-message="${messageId}"]`).waitFor();
    await expect.poll(notices, SHOWN).toEqual([]);
    // A page is not loaded for it.
    expect(await page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name)).toBe(
      `${origin}/inbox`,
    );
  },
);

it('prints a conversation without its frame, with names and full times', async () => {
  await page.goto(addressOf('pushed'));
  await page.locator('article[data-message]').first().waitFor();
  await page.evaluate(() => {
    const printed: string[] = [];
    Object.assign(globalThis, {
      printed,
      print: () =>
        printed.push(document.querySelector<HTMLElement>('[data-print]')?.innerText ?? ''),
    });
  });
  await page.emulateMedia({ media: 'print' });
  const sheet = page.locator('[data-print]');
  // By the command of the browser, once the part that prints is there.
  await expect
    .poll(async () => {
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      return (await sheet.count()) === 0 ? '' : sheet.innerText();
    }, PATIENT)
    .toContain('Look at this.');
  expect(await page.getByRole('banner').isVisible()).toBe(false);
  expect(await sheet.getByRole('button').count()).toBe(0);
  const { full_name: name } = await colleague.getOwnUser();
  expect(await sheet.getByRole('heading', { level: 2 }).first().innerText()).toMatch(
    new RegExp(`^${name} .*20\\d\\d.*:\\d\\d`),
  );
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
  await sheet.waitFor({ state: 'detached' });
  // By the menu.
  await page.emulateMedia({ media: 'screen' });
  await page.getByRole('button', { name: 'Topic menu' }).click();
  await page.getByRole('menuitem', { name: 'Print…' }).click();
  await expect
    .poll(
      () => page.evaluate(() => (globalThis as unknown as { printed: string[] }).printed),
      PATIENT,
    )
    .toEqual([expect.stringContaining('Look at this.')]);
  await page.evaluate(() => dispatchEvent(new Event('afterprint')));
}, 120_000);

it('loads the page again once when a part of it is gone, and keeps what is written (row 21)', async () => {
  // Requests of a service worker cannot be spoilt from here.
  const old = await visit(stage, '/inbox', { serviceWorkers: 'block' });
  old.page.setDefaultTimeout(PATIENT.timeout);
  await old.page.goto(addressOf('pushed'));
  await old.page.locator('[data-compose]').fill('Half a thought.');
  await old.page.route(/\/web\/assets\/settings-[\w-]+\.js$/, (route) =>
    route.fulfill({ status: 404, body: 'gone' }),
  );
  let loads = 0;
  old.page.on('load', () => (loads += 1));
  await old.page.getByRole('button', { name: /^Account of/ }).click();
  await old.page.getByRole('menuitem', { name: 'Appearance' }).click();
  await old.page.getByText('There is a newer version of this page.').waitFor();
  await expect.poll(() => loads, PATIENT).toBe(1);
  await old.page.waitForTimeout(3_000);
  expect(loads).toBe(1);
  await old.page.goto(addressOf('pushed'));
  await expect
    .poll(() => old.page.locator('[data-compose]').inputValue(), PATIENT)
    .toBe('Half a thought.');
  await old.page.locator('[data-compose]').fill('');
  await old.page.context().close();
}, 180_000);

it('leaves nothing behind when somebody signs out', async () => {
  await page.goto(addressOf('offline'));
  await page.locator('[data-compose]').fill('Nobody else may read this.');
  await page.locator('article[data-message]').first().waitFor();
  await expect.poll(async () => (await stored(page)).databases.length, PATIENT).toBe(1);
  await page.getByRole('button', { name: /^Account of/ }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.waitForURL((url) => url.pathname.startsWith('/login'), PATIENT);
  const nothing = { caches: [], databases: [], drafts: [], workers: 0 };
  await expect.poll(() => stored(page), PATIENT).toEqual(nothing);
  await context.setOffline(true);
  expect(await page.goto(`${origin}/inbox`).catch(() => undefined)).toBeUndefined();
  await context.setOffline(false);
}, 120_000);

it('leaves nothing behind when a page without script signs out', async () => {
  const other = await visit(stage, '/inbox');
  other.page.setDefaultTimeout(PATIENT.timeout);
  const isReady = async () => {
    const { caches: names, workers } = await stored(other.page);
    return names.length === 2 && workers === 1;
  };
  await expect.poll(isReady, PATIENT).toBe(true);
  await other.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await other.page.goto(`${origin}/account/`);
  await other.page.locator('form[action^="/accounts/logout/"] button').first().click();
  await other.page.waitForURL((url) => !url.pathname.startsWith('/account'), PATIENT);
  const left = async () => {
    const { caches: names, databases, workers } = await stored(other.page);
    return [...names, ...databases, workers];
  };
  await expect.poll(left, PATIENT).toEqual([0]);
  await other.page.context().close();
}, 120_000);
