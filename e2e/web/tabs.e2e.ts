// Several tabs of one person in Chromium: one of them polls, all of them know, whatever happens to the others.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page, Request } from 'playwright-core';
import { build } from 'vite';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Chat } from '@rialto/sdk';
import { openBrowser } from '../browser.ts';
import { startStoredDemo, type DemoProcess } from '../demo-process.ts';
import type { Harness } from './tabs-page.ts';

declare const harness: Harness;

const TABS = 5;
const PAGE = '/tabs-harness';
const PATIENT = { timeout: 60_000 };

let demo: DemoProcess;
let browser: Browser;
let context: BrowserContext;
let folder: string | undefined;
let origin: string;
let colleague: Chat;
let channelId: number;
const registers: Request[] = [];
const polls = new Set<Request>();

beforeAll(async () => {
  demo = await startStoredDemo();
  const { users, web_url: url } = demo.demo;
  origin = new URL(url).origin;
  folder = mkdtempSync(join(tmpdir(), 'rialto-tabs-'));
  await build({
    configFile: false,
    logLevel: 'error',
    build: {
      outDir: folder,
      target: 'es2023',
      rolldownOptions: {
        input: { page: fileURLToPath(new URL('tabs-page.ts', import.meta.url)) },
        output: { entryFileNames: '[name].js' },
      },
    },
  });
  const { admin, member } = users;
  if (admin === undefined || member === undefined) throw new Error('The demo has no people.');
  colleague = new Chat({ url, email: admin.email, apiKey: admin.api_key });
  const mine = new Chat({ url, email: member.email, apiKey: member.api_key });
  const { subscriptions } = await mine.getSubscriptions();
  const { subscriptions: theirs } = await colleague.getSubscriptions();
  const shared = subscriptions.find(
    ({ stream_id, is_muted }) => !is_muted && theirs.some((one) => one.stream_id === stream_id),
  );
  channelId = shared?.stream_id ?? 0;
  browser = await openBrowser();
  context = await browser.newContext();
  await signIn(member.email, member.password);
  await servePage({ id: member.user_id, email: member.email, fullName: 'Member' });
  watchRequests();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  demo?.dispose();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

async function signIn(email: string, password: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${origin}/login`);
  await page.fill('input[name=username]', email);
  await page.fill('input[name=password]', password);
  await Promise.all([
    page.waitForURL((url) => !url.pathname.startsWith('/login')),
    page.press('input[name=password]', 'Enter'),
  ]);
  await page.close();
}

/** Under the origin of the server, so that the cookies of the session go along. */
async function servePage(user: { id: number; email: string; fullName: string }): Promise<void> {
  const cookies = await context.cookies(origin);
  const csrfToken = cookies.find(({ name }) => name.endsWith('csrftoken'))?.value ?? '';
  const boot = { csrfToken, user, language: 'en', theme: 'dark', organization: { name: 'Demo' } };
  const html =
    '<!doctype html><meta charset="utf-8"><title>Tabs</title>' +
    `<script type="application/json" id="boot">${JSON.stringify(boot)}</script>` +
    `<script type="module" src="${PAGE}.js"></script>`;
  await context.route(`${origin}${PAGE}`, (route) =>
    route.fulfill({ contentType: 'text/html', body: html }),
  );
  const script = readFileSync(join(folder ?? '', 'page.js'), 'utf8');
  await context.route(`${origin}${PAGE}.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  );
}

function watchRequests(): void {
  context.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname === '/json/register') registers.push(request);
    if (pathname !== '/json/events' || request.method() !== 'GET') return;
    polls.add(request);
  });
  const end = (request: Request) => polls.delete(request);
  context.on('requestfinished', end);
  context.on('requestfailed', end);
}

async function openTab(): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${origin}${PAGE}`);
  await page.waitForFunction(() => harness.store.isReady, undefined, PATIENT);
  return page;
}

const kindIn = (page: Page) => page.evaluate(() => harness.store.connection.kind);
const totalIn = (page: Page) =>
  page.evaluate(() => harness.select.unreadTotal(harness.store.state));
const knows = (page: Page, id: number) =>
  page.evaluate((one) => harness.store.state.messages.has(one), id);

const write = async (content: string): Promise<number> =>
  (await colleague.sendMessage({ type: 'channel', to: channelId, topic: 'tabs', content })).id;

async function expectEverywhere(pages: readonly Page[], id: number): Promise<void> {
  for (const page of pages) await expect.poll(() => knows(page, id), PATIENT).toBe(true);
  const totals = await Promise.all(pages.map(totalIn));
  expect(new Set(totals).size, totals.join()).toBe(1);
}

/** The tabs whose poll is under way. */
const polling = (): Page[] => {
  const pages = [...polls].map((poll) => poll.frame().page()).filter((page) => !page.isClosed());
  return [...new Set(pages)];
};

async function leaderOf(pages: readonly Page[]): Promise<Page> {
  await expect.poll(() => polling().length, PATIENT).toBe(1);
  const [leader] = polling();
  const page = pages.find((one) => one === leader);
  if (page === undefined) throw new Error('Nobody polls.');
  return page;
}

/** One tab polls, and stays the only one. */
async function expectOnePoll(): Promise<void> {
  await expect.poll(() => polling().length, PATIENT).toBe(1);
  for (let n = 0; n < 10; n += 1) {
    await sleep(100);
    expect(polling().length).toBeLessThanOrEqual(1);
  }
}

it('[19] five tabs poll once, and go on when the leading one is closed, silent or cut off', async () => {
  const pages: Page[] = [];
  for (let n = 0; n < TABS; n += 1) pages.push(await openTab());
  for (const page of pages) await expect.poll(() => kindIn(page), PATIENT).toBe('live');

  // One register, one poll.
  await expectEverywhere(pages, await write('to all tabs'));
  expect(registers).toHaveLength(1);
  await expectOnePoll();

  // The next tab goes on with the same queue.
  const first = await leaderOf(pages);
  await first.close();
  const four = pages.filter((page) => page !== first);
  await expectEverywhere(four, await write('after the first was closed'));
  expect(registers).toHaveLength(1);
  await expectOnePoll();

  // A leader that has gone silent is not waited for. Its script stands still here, in the middle of whatever it does.
  const silent = await leaderOf(four);
  const session = await context.newCDPSession(silent);
  await session.send('Debugger.enable');
  await session.send('Debugger.pause');
  const three = four.filter((page) => page !== silent);
  await expect.poll(() => polling().some((page) => three.includes(page)), PATIENT).toBe(true);
  await expectEverywhere(three, await write('while the leader is silent'));
  await session.send('Debugger.resume');
  await session.detach();
  await expectEverywhere(four, await write('after it woke'));
  expect(registers).toHaveLength(1);
  await expectOnePoll();

  // The server forgets the queue: the state is built aside and swapped.
  const leader = await leaderOf(four);
  const generation = await leader.evaluate(() => harness.store.generation);
  const poll = [...polls][0];
  const queueId = new URL(poll?.url() ?? '').searchParams.get('queue_id') ?? '';
  await leader.evaluate((queue_id) => harness.store.client.chat.deleteQueue({ queue_id }), queueId);
  await expect
    .poll(() => leader.evaluate(() => harness.store.generation), PATIENT)
    .toBe(generation + 1);
  await expectEverywhere(four, await write('after a new register'));
  expect(registers).toHaveLength(2);

  // A cut of the network, and what happened meanwhile.
  await context.setOffline(true);
  for (const page of four) {
    await expect.poll(() => kindIn(page), PATIENT).toMatch(/offline|reconnecting/);
  }
  const missed = [await write('missed one'), await write('missed two')];
  await context.setOffline(false);
  for (const id of missed) await expectEverywhere(four, id);
  for (const page of four) await expect.poll(() => kindIn(page), PATIENT).toBe('live');
  expect(registers).toHaveLength(2);
}, 300_000);

it('[13] a message whose answers are cut is sent once, and stands in every tab', async () => {
  const pages = [await openTab(), await openTab()];
  const [page] = pages;
  if (page === undefined) return;
  let cuts = 0;
  await context.route(`${origin}/json/messages`, async (route) => {
    if (route.request().method() !== 'POST' || cuts >= 3) {
      await route.fallback();
      return;
    }
    cuts += 1;
    // The server has it; the browser never hears.
    await route.fetch();
    await route.abort();
  });
  const text = `once ${Date.now()}`;
  await page.evaluate(
    ([content, id]) =>
      harness.store.outbox.send({ to: { kind: 'topic', channelId: id, topic: 'tabs' }, content }),
    [text, channelId] as const,
  );
  await expect.poll(() => page.evaluate(() => harness.store.outbox.rows().length), PATIENT).toBe(0);
  const { messages } = await colleague.getMessages({
    anchor: 'newest',
    num_before: 20,
    narrow: [{ operator: 'channel', operand: channelId }],
    apply_markdown: false,
  });
  const sent = messages.filter(({ content }) => content === text);
  expect(sent).toHaveLength(1);
  for (const one of pages)
    await expect.poll(() => knows(one, sent[0]?.id ?? 0), PATIENT).toBe(true);
  expect(cuts).toBeGreaterThan(0);
  await context.unroute(`${origin}/json/messages`);
}, 120_000);

it('shows the state of last time at once, without the network, and forgets it when it is told to', async () => {
  const before = await openTab();
  await expect.poll(() => kindIn(before), PATIENT).toBe('live');
  // Only the leading tab writes, so the others go first.
  for (const page of context.pages()) if (page !== before) await page.close();
  await leaderOf([before]);
  const total = await totalIn(before);
  await before.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await before.waitForTimeout(500);
  await context.setOffline(true);
  await before.reload();
  await before.waitForFunction(() => harness.readyMs !== undefined, undefined, PATIENT);
  expect(await totalIn(before)).toBe(total);
  expect(await before.evaluate(() => harness.store.state.venue.balances.size)).toBe(0);
  await context.setOffline(false);
  await expect.poll(() => kindIn(before), PATIENT).toBe('live');
  await before.evaluate(() =>
    harness.store.drafts.save({ destination: { kind: 'nowhere' }, content: 'a draft' }),
  );
  await before.evaluate(() => harness.store.wipe());
  const left = await before.evaluate(async () => ({
    databases: (await indexedDB.databases()).length,
    keys: localStorage.length,
  }));
  expect(left).toEqual({ databases: 0, keys: 0 });
}, 120_000);
