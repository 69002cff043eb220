// The smoke journeys in Firefox: arriving, reading, writing, trading, in both directions. Playwright drives only a
// Firefox of its own, so the one of the machine is driven by puppeteer, over WebDriver BiDi.
import { Chat, decimal, Trading } from '@rialto/sdk';
import { launch, type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findBinaries } from '../../server/src/platform/engines/process.ts';
import { startStoredDemo, type DemoProcess } from '../demo-process.ts';

const [installed] = findBinaries(['firefox-esr', 'firefox']);
const STARTS_WITHIN_MS = 300_000;
/** Firefox calls it an error when a page is left while it loads: a font (NS_BINDING_ABORTED), a file by the worker. */
const LEFT_WHILE_LOADING =
  /status=2152398850|^Error: Failed to load .* A ServiceWorker intercepted/u;
const WAIT = { timeout: 60_000 };

/** The part of the page's document that is used here: these files are compiled without the types of a browser. */
interface Labelled {
  querySelectorAll(selector: string): Iterable<{ textContent: string | null; control: object }>;
}

describe.skipIf(installed === undefined && process.env['CI'] === undefined)('in Firefox', () => {
  let demo: DemoProcess;
  let browser: Browser;
  let page: Page;
  let origin: string;
  const complaints: string[] = [];

  beforeAll(async () => {
    [demo, browser] = await Promise.all([
      startStoredDemo(),
      launch({ browser: 'firefox', executablePath: installed ?? 'firefox-esr', headless: true }),
    ]);
    ({ origin } = new URL(demo.demo.web_url));
    page = await browser.newPage();
    page.setDefaultTimeout(WAIT.timeout);
    page.on('pageerror', (error) => {
      if (!LEFT_WHILE_LOADING.test(String(error))) complaints.push(String(error));
    });
    await page.setViewport({ width: 1440, height: 900 });
  }, STARTS_WITHIN_MS);
  afterAll(async () => {
    await browser?.close();
    demo?.dispose();
  });

  const chat = () => {
    const { email, api_key: apiKey } = demo.demo.users.trader_a;
    return new Chat({ url: origin, email, apiKey });
  };
  const trading = () => {
    const { api_key: key, secret_key: secret } = demo.demo.users.trader_a.trading;
    return new Trading({ url: origin, key, secret });
  };
  /** As by a link: a page that leads on to another address at once would abort an order to go there. */
  const go = async (path: string) => {
    await page.evaluate((href) => {
      (globalThis as unknown as { location: { href: string } }).location.href = href;
    }, new URL(path, origin).href);
    await page.waitForFunction(
      (wanted) =>
        (globalThis as unknown as { location: { href: string } }).location.href.includes(wanted),
      {},
      path.replace(/^\/#narrow/u, ''),
    );
  };
  const textOf = (selector: string) =>
    page.$eval(selector, (element) => (element as unknown as { innerText: string }).innerText);
  const soon = <T>(look: () => T) => expect.poll(look, WAIT);
  /** Writes where a label says so; Firefox cannot look for roles and names yet. */
  const write = async (label: string, text: string) => {
    const found = await page.waitForFunction(
      (wanted) => {
        const labels = (document as unknown as Labelled).querySelectorAll('main label');
        return [...labels].find(({ textContent }) => textContent?.trim() === wanted)?.control;
      },
      WAIT,
      label,
    );
    const field = found.asElement() as ElementHandle | null;
    if (field === null) throw new Error(`No field is labelled ${label}.`);
    await field.click({ count: 3 });
    await page.keyboard.type(text);
  };

  it('a person signs in, and the inbox opens', async () => {
    await chat().updateSettings({ default_language: 'en', enter_sends: false });
    const { email, password } = demo.demo.users.trader_a;
    await page.goto(new URL('/inbox', origin).href);
    await page.locator('input[name=username]').fill(email);
    await page.locator('input[type=password]').fill(password);
    await page.locator('form[action="/accounts/login/"] button[type=submit]').click();
    await soon(() => textOf('main h1').catch(String)).toBe('Inbox');
    expect(await page.$eval('html', ({ dir }) => dir)).toBe('ltr');
  });

  it('what is written is sent once, and what others write appears', async () => {
    const { subscriptions } = await chat().getSubscriptions();
    const channel = subscriptions.find(({ is_muted: isMuted }) => !isMuted);
    if (channel === undefined) throw new Error('The trader is in no channel.');
    const narrow = `/#narrow/channel/${channel.stream_id}/topic/in.20Firefox`;
    await go(narrow);
    await page.locator('[data-compose]').fill('Written in **Firefox**.');
    await page.focus('[data-compose]');
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    await page.waitForSelector('article strong');
    const to = channel.stream_id;
    await chat().sendMessage({ type: 'channel', to, topic: 'in Firefox', content: 'And `heard`.' });
    await page.waitForSelector('article code');
    const { messages } = await chat().getMessages({
      anchor: 'newest',
      num_before: 10,
      num_after: 0,
      narrow: [{ operator: 'topic', operand: 'in Firefox' }],
      apply_markdown: false,
    });
    const mine = messages.filter(({ content }) => content === 'Written in **Firefox**.');
    expect(mine).toHaveLength(1);
  });

  it('an order is placed by its form, and canceled where it stands', async () => {
    await trading().order.cancelAll({ symbol: 'btcusdt' });
    const { bids } = await trading().public.depth({ symbol: 'btcusdt' });
    const price = decimal.divide(decimal.multiply(bids[0]?.price ?? '', '0.9'), '1', 2);
    await go('/trade/btcusdt?part=orders');
    await write('Price', price);
    await write('Amount', '0.01');
    await page.keyboard.down('Control');
    await page.keyboard.press('Enter');
    await page.keyboard.up('Control');
    await page.waitForSelector('[role=alertdialog]');
    await page.locator('[role=alertdialog] button ::-p-text(Buy)').click();
    const open = () => trading().order.open({ symbol: 'btcusdt' });
    await soon(async () => (await open()).length).toBe(1);
    const [placed] = await open();
    expect(decimal.equals(placed?.price ?? '0', price)).toBe(true);
    await page.locator('main button ::-p-text(Cancel all of)').click();
    await page.waitForSelector('[role=alertdialog]');
    await page.locator('[role=alertdialog] button ::-p-text(Cancel all of)').click();
    await soon(async () => (await open()).length).toBe(0);
  });

  it('Persian reads from the right, and nothing is wider than the window of a phone', async () => {
    await chat().updateSettings({ default_language: 'fa' });
    await page.setViewport({ width: 390, height: 844 });
    for (const path of ['/inbox', '/trade/btcusdt', '/wallet', '/settings/profile']) {
      await go(path);
      await page.waitForSelector('html[dir=rtl] main h1');
      const sideways = await page.evaluate(
        () =>
          (document as unknown as { documentElement: { scrollWidth: number } }).documentElement
            .scrollWidth - (globalThis as unknown as { innerWidth: number }).innerWidth,
      );
      expect(sideways, path).toBeLessThanOrEqual(0);
    }
    await chat().updateSettings({ default_language: 'en' });
  });

  it('Firefox had nothing to complain about', () => {
    expect(complaints).toEqual([]);
  });
});
