// The public half of the trade view in Chromium, against the demo: book, trades and chart, with and without signing in.
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { countPaints, differsFromDepth, readRows } from '../../scripts/bench/web/book.ts';
import { brewStorm } from '../../scripts/bench/web/storm.ts';
import { seriousFindings } from './axe.ts';
import { sideways, visit } from './client.ts';
import { openStage } from './stage.ts';

const SYMBOL = 'btcusdt';
const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };

const stage = openStage();

/** A browser beside other tests takes its time. */
const soon = <T>(look: () => T) => expect.poll(look, { timeout: 30_000, interval: 200 });
const at = (path: string): string => stage.address(path);

/** Opens an address without signing in. */
async function read(
  path: string,
  {
    language = 'en',
    viewport = DESKTOP,
  }: { language?: 'en' | 'fa'; viewport?: typeof DESKTOP } = {},
): Promise<{ page: Page; complaints: string[] }> {
  const context = await stage.browser.newContext({
    viewport,
    reducedMotion: 'reduce',
    locale: language === 'fa' ? 'fa-IR' : 'en-GB',
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(at(path));
  await page.locator('main h1').waitFor({ state: 'attached', timeout: 60_000 });
  return { page, complaints };
}

/** Waits until everything has the colours of the scheme. */
async function look(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme });
  const dark = () =>
    page.evaluate(() => getComputedStyle(document.documentElement).color === 'rgb(232, 237, 242)');
  await soon(dark).toBe(colorScheme === 'dark');
  await page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
}

const bookReady = (page: Page) =>
  page.locator('[data-side="bids"][data-row="0"]').waitFor({ timeout: 60_000 });

test.each([
  ['en', DESKTOP],
  ['fa', DESKTOP],
  ['en', PHONE],
  ['fa', PHONE],
] as const)(
  'a reader who has not signed in sees the market: %s, %o',
  async (language, viewport) => {
    const { page, complaints } = await read(`/trade/${SYMBOL}`, { language, viewport });
    await page.locator('canvas').first().waitFor({ timeout: 60_000 });
    const parts = viewport === PHONE ? ['chart', 'book', 'trades', 'chat'] : ['chart'];
    for (const part of parts) {
      await page.goto(at(`/trade/${SYMBOL}?part=${part}`));
      await page.locator('main h1').waitFor({ state: 'attached' });
      if (part === 'book' || viewport === DESKTOP) await bookReady(page);
      if (part === 'trades') await page.locator('tbody tr').first().waitFor();
      for (const colorScheme of ['dark', 'light'] as const) {
        await look(page, colorScheme);
        expect(await seriousFindings(page)).toEqual([]);
      }
      expect(await sideways(page)).toBe(0);
    }
    expect(await page.evaluate(() => document.documentElement.dir)).toBe(
      language === 'fa' ? 'rtl' : 'ltr',
    );
    expect(await page.locator('a[href^="/login/"]').count()).toBeGreaterThan(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  },
  240_000,
);

test('Persian mirrors the page and not the chart', async () => {
  const boxes = async (language: 'en' | 'fa') => {
    const { page } = await read(`/trade/${SYMBOL}`, { language });
    await page.locator('canvas').first().waitFor({ timeout: 60_000 });
    await bookReady(page);
    const book = await page.getByRole('grid').boundingBox();
    const chart = page.locator('[data-no-mirror][role="application"]');
    const box = await chart.boundingBox();
    const direction = await chart.evaluate((one) => getComputedStyle(one).direction);
    // The scale of prices is the narrow cell of the first line.
    const cells = await chart
      .locator('tr')
      .first()
      .locator('td')
      .evaluateAll((all) => all.map((cell) => cell.getBoundingClientRect().right));
    const days = await page.locator('[role="application"]').count();
    await page.context().close();
    return { book, box, direction, scaleEnd: Math.max(...cells), days };
  };
  const [english, persian] = [await boxes('en'), await boxes('fa')];
  expect(Math.round(persian.book?.x ?? -1)).toBe(
    Math.round(DESKTOP.width - (english.book?.x ?? 0) - (english.book?.width ?? 0)),
  );
  expect([english.direction, persian.direction]).toEqual(['ltr', 'ltr']);
  const endOf = ({ box }: typeof persian) => Math.round((box?.x ?? 0) + (box?.width ?? 0));
  expect(Math.round(persian.scaleEnd)).toBe(endOf(persian));
  expect(Math.round(english.scaleEnd)).toBe(endOf(english));
}, 120_000);

test('the book is the server’s, also after a cut, which is said within six seconds', async () => {
  const { page } = await read(`/trade/${SYMBOL}`);
  await bookReady(page);
  await soon(() => differsFromDepth(page, SYMBOL)).toBe('');
  const cutMs = performance.now();
  await page.context().setOffline(true);
  await page.getByText(/Prices paused/).waitFor({ timeout: 15_000 });
  expect(performance.now() - cutMs).toBeLessThan(6500);
  expect(await page.locator('[data-freshness="paused"]').count()).toBe(1);
  await page.context().setOffline(false);
  await page.getByText(/Prices paused/).waitFor({ state: 'detached', timeout: 30_000 });
  await soon(() => differsFromDepth(page, SYMBOL)).toBe('');
  await page.context().close();
}, 180_000);

test('under a storm the rows are painted ten times a second at most, and stand still under the pointer', async () => {
  const { page } = await read(`/trade/${SYMBOL}`);
  await bookReady(page);
  const storm = brewStorm([stage.tradingOf('trader_a'), stage.tradingOf('trader_b')], SYMBOL);
  const raging = storm.rage(16).then(
    () => undefined,
    (error: unknown) => error,
  );
  await page.waitForTimeout(1500);
  const frames = await countPaints(page, 5000);
  // Five seconds, and the paint at the beginning.
  expect(frames).toBeLessThanOrEqual(51);
  expect(frames).toBeGreaterThan(4);

  await page.locator('[data-side="bids"][data-row="1"] [data-cell="price"]').hover();
  const held = await readRows(page, 'bids');
  await page.getByText('Held while you point').waitFor({ timeout: 10_000 });
  expect(await readRows(page, 'bids')).toEqual(held);
  await page.mouse.move(5, 5);
  await page.getByText('Held while you point').waitFor({ state: 'detached' });
  expect(await raging).toBeUndefined();
  await soon(() => differsFromDepth(page, SYMBOL)).toBe('');
  await page.context().close();
}, 180_000);

test('after a cut the candles are the server’s', async () => {
  const { page } = await read(`/trade/${SYMBOL}?interval=1m`);
  await page.getByRole('button', { name: 'View as table' }).click();
  await page.locator('tr[data-time]').first().waitFor({ timeout: 60_000 });
  await page.context().setOffline(true);
  await page.locator('[data-freshness="paused"]').waitFor({ timeout: 15_000 });
  await page.waitForTimeout(65_000);
  await page.context().setOffline(false);
  await page.locator('[data-freshness="live"]').waitFor({ timeout: 30_000 });
  const shown = () =>
    page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('tr[data-time]')]
        .slice(1, 31)
        .map((row) =>
          [
            row.dataset['time'],
            ...[...row.querySelectorAll('td')].map((one) => one.textContent),
          ].join(' '),
        ),
    );
  const stored = () =>
    page.evaluate(async (symbol) => {
      const answer = await fetch(`/v1/public/candlesticks?symbol=${symbol}&resolution=1m&limit=40`);
      const { result } = (await answer.json()) as { result: Record<string, string>[] };
      return result
        .reverse()
        .slice(1, 31)
        .map((one) =>
          ['time', 'open', 'high', 'low', 'close', 'volume'].map((name) => one[name]).join(' '),
        );
    }, SYMBOL);
  await soon(async () => {
    const [here, there] = [await shown(), await stored()];
    return here.length === 30 && JSON.stringify(here) === JSON.stringify(there);
  }).toBe(true);
  await page.context().close();
}, 240_000);

test('keys alone: rows of the book, the list of markets, and the chart', async () => {
  const { page } = await read(`/trade/${SYMBOL}`);
  await bookReady(page);
  const focused = () =>
    page.evaluate(() => {
      const cell = document.activeElement as HTMLElement | null;
      const row = cell?.closest<HTMLElement>('[data-row]');
      return [row?.dataset['side'], row?.dataset['row'], cell?.dataset['cell']].join(' ');
    });
  await page.locator('[data-cell][tabindex="0"]').focus();
  expect(await focused()).toBe('bids 0 price');
  await page.keyboard.press('ArrowDown');
  expect(await focused()).toBe('bids 1 price');
  await page.keyboard.press('ArrowRight');
  expect(await focused()).toBe('bids 1 volume');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  expect(await focused()).toBe('asks 0 volume');
  expect(await page.getByText('average').count()).toBe(1);

  await page.getByRole('button', { name: /Choose another one/ }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('textbox', { name: 'Search markets' }).fill('اتریوم');
  await page.locator('[data-market]').first().waitFor();
  await page.keyboard.press('Enter');
  await soon(() => new URL(page.url()).pathname).toMatch(/^\/trade\/eth/);
  await page.context().close();
}, 120_000);

test('Back, forward and a reload keep market, interval and grouping; a bare address leads to the last market', async () => {
  const { page } = await read(`/trade/${SYMBOL}`);
  await bookReady(page);
  await page.getByText('4h', { exact: true }).click();
  await soon(() => new URL(page.url()).search).toBe('?interval=4h');
  await page.getByRole('button', { name: /Distance between prices/ }).click();
  await page.getByRole('menuitem', { name: '10', exact: true }).click();
  await soon(() => new URL(page.url()).search).toBe('?interval=4h&group=10');
  await page.reload();
  await bookReady(page);
  await page.getByRole('button', { name: 'Distance between prices: 10' }).waitFor();
  expect(await page.getByRole('radio', { name: '4h' }).isChecked()).toBe(true);
  await soon(async () =>
    (await readRows(page, 'bids')).every(({ price }) => price.endsWith('0')),
  ).toBe(true);
  await page.getByRole('button', { name: /Choose another one/ }).click();
  await page.getByRole('textbox', { name: 'Search markets' }).fill('ethusdt');
  await page.keyboard.press('Enter');
  await soon(() => page.url()).toBe(at('/trade/ethusdt?interval=4h'));
  await page.goBack();
  await soon(() => page.url()).toBe(at(`/trade/${SYMBOL}?interval=4h&group=10`));
  await page.goForward();
  await soon(() => page.url()).toBe(at('/trade/ethusdt?interval=4h'));
  await page.goto(at('/trade'));
  await soon(() => new URL(page.url()).pathname).toBe('/trade/ethusdt');
  await page.goto(at('/trade/nothing'));
  await page.getByText('There is no market NOTHING.').waitFor();
  await page.context().close();
}, 180_000);

test('who has signed in has the same view in their frame, and keys lead there', async () => {
  const { page, complaints } = await visit(stage, '/inbox', { viewport: DESKTOP });
  await page.locator('main h1').first().waitFor();
  const pathNow = () => new URL(page.url()).pathname;
  await soon(async () => {
    // On a busy machine the second key may come too late to belong to the first.
    if (pathNow().startsWith('/trade')) return pathNow();
    await page.locator('main').focus();
    await page.keyboard.press('g');
    await page.keyboard.press('t');
    return pathNow();
  }).toMatch(/^\/trade\/\w+$/);
  await bookReady(page);
  await page.locator('canvas').first().waitFor({ timeout: 60_000 });
  for (const colorScheme of ['dark', 'light'] as const) {
    await look(page, colorScheme);
    expect(await seriousFindings(page)).toEqual([]);
  }
  await page.setViewportSize(PHONE);
  await page.getByRole('button', { name: /^Buy / }).waitFor();
  expect(await sideways(page)).toBe(0);
  expect(complaints).toEqual([]);
  await page.context().close();
});
