// The acceptance suite of the scroller in a real browser: nothing jumps (row 1), nothing is written while a finger
// moves (row 2), few rows are in the page and the heap stays flat (row 4).
import type { Browser, CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBrowser } from '../browser.ts';
import { serveHarness, type HarnessPage } from './harness.ts';

interface Controls {
  append(count: number): void;
  prepend(): Promise<void>;
  grow(id: number, px: number): void;
  jumpTo(id: number): Promise<void>;
  toEnd(): void;
  keep(ids: readonly number[]): void;
  busy(): boolean;
  view(): { place?: { key: string; px: number }; atEnd: boolean; above: number } | undefined;
  writes: { at: number; top: number }[];
}
declare const window: { controls: Controls };
declare const document: {
  querySelector(selector: string): Box | null;
  querySelectorAll(selector: string): ArrayLike<Box>;
};
interface Box {
  getBoundingClientRect(): { top: number; bottom: number };
  getAttribute(name: string): string | null;
  scrollTop: number;
  readonly scrollHeight: number;
  readonly clientHeight: number;
}

let harness: HarnessPage;
let browser: Browser;

beforeAll(async () => {
  harness = await serveHarness('chat/conversation/harness/scroller.tsx');
  browser = await openBrowser();
});
afterAll(async () => {
  await browser?.close();
  await harness?.close();
});

async function open(query: string, touch = false): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: touch ? 390 : 900, height: 800 },
    hasTouch: touch,
  });
  const page = await context.newPage();
  await page.goto(`${harness.url}?${query}`);
  await page.waitForSelector('article', { timeout: 60_000 });
  await settle(page);
  return page;
}

/** Until two looks in a row see the same. */
async function settle(page: Page): Promise<void> {
  let before = '';
  await expect
    .poll(
      async () => {
        const now = JSON.stringify(await tops(page));
        const busy = await page.evaluate(() => window.controls.busy());
        const same = now === before && !busy;
        before = now;
        return same;
      },
      { interval: 120, timeout: 60_000 },
    )
    .toBe(true);
}

/** Where each row is on the screen, by its key. */
function tops(page: Page): Promise<Record<string, number>> {
  return page.evaluate(() =>
    Object.fromEntries(
      Array.from(document.querySelectorAll('[data-key]'), (row) => [
        row.getAttribute('data-key') ?? '',
        row.getBoundingClientRect().top,
      ]),
    ),
  );
}

/** The first row that begins on the screen: the one a reader holds on to. */
async function anchorOf(page: Page): Promise<{ key: string; top: number }> {
  const rows = Object.entries(await tops(page)).filter(([, top]) => top >= 0 && top < 700);
  const [key = '', top = 0] = rows.sort(([, a], [, b]) => a - b)[0] ?? [];
  return { key, top };
}

async function expectStill(page: Page, anchor: { key: string; top: number }): Promise<void> {
  await settle(page);
  const top = (await tops(page))[anchor.key];
  expect(Math.abs((top ?? Infinity) - anchor.top)).toBeLessThanOrEqual(1);
}

const wheel = (page: Page, px: number) =>
  page.mouse.move(300, 400).then(() => page.mouse.wheel(0, px));

describe('row 1: the anchor does not move', () => {
  it('when older messages are put above it', async () => {
    const page = await open('messages=5000&anchor=3000');
    for (let round = 0; round < 4; round++) {
      const anchor = await anchorOf(page);
      await page.evaluate(() => window.controls.prepend());
      await expectStill(page, anchor);
      await wheel(page, -700);
      await settle(page);
    }
    await page.context().close();
  });

  it('when the reader is at the very top of what is loaded', async () => {
    const page = await open('messages=5000&anchor=3000&delay=600');
    await page.evaluate(() => {
      const box = document.querySelector('[data-scroller]');
      if (box !== null) box.scrollTop = 0;
    });
    await page.waitForTimeout(100);
    const anchor = await anchorOf(page);
    const before = await page.evaluate(() => document.querySelector('[data-scroller]')?.scrollTop);
    expect(before).toBe(0);
    await expect
      .poll(() => page.evaluate(() => document.querySelector('[data-scroller]')?.scrollTop), {
        timeout: 10_000,
      })
      .toBeGreaterThan(500);
    await expectStill(page, anchor);
    await page.context().close();
  });

  it('when messages arrive below it', async () => {
    const page = await open('messages=500&anchor=500');
    await wheel(page, -900);
    await settle(page);
    const anchor = await anchorOf(page);
    await page.evaluate(() => window.controls.append(30));
    await expectStill(page, anchor);
    await page.context().close();
  });

  it('when rows above it grow and shrink, mounted or not', async () => {
    const page = await open('messages=2000&anchor=1000');
    await wheel(page, 400);
    await settle(page);
    const anchor = await anchorOf(page);
    const id = Number(anchor.key);
    for (const [above, px] of [
      [2, 300],
      [1, 120],
      [2, 10],
      [1, 0],
      [3, 500],
    ] as const) {
      await page.evaluate(([one, size]) => window.controls.grow(one, size), [
        id - above,
        px,
      ] as const);
      await expectStill(page, anchor);
    }
    await page.context().close();
  });

  it('when the window becomes narrower and wider', async () => {
    const page = await open('messages=2000&anchor=1000');
    await wheel(page, 1_234);
    await settle(page);
    const anchor = await anchorOf(page);
    for (const width of [600, 390, 1_200, 900]) {
      await page.setViewportSize({ width, height: 800 });
      await expectStill(page, anchor);
    }
    await page.context().close();
  });

  it('but the end stays in view for a reader who is at the end', async () => {
    const page = await open('messages=500&anchor=500');
    const atEnd = () => page.evaluate(() => window.controls.view()?.atEnd);
    expect(await atEnd()).toBe(true);
    await page.evaluate(() => window.controls.append(3));
    await settle(page);
    expect(await atEnd()).toBe(true);
    await page.evaluate(() => window.controls.grow(503, 400));
    await settle(page);
    expect(await atEnd()).toBe(true);
    await page.setViewportSize({ width: 900, height: 400 });
    await settle(page);
    expect(await atEnd()).toBe(true);
    await page.context().close();
  });

  it('and a place is opened where it was asked for', async () => {
    const page = await open('messages=100000&anchor=40000');
    expect((await tops(page))['40000']).toBeCloseTo(0, 0);
    await page.evaluate(() => window.controls.jumpTo(77_000));
    await expect.poll(async () => (await tops(page))['77000']).toBeDefined();
    await settle(page);
    expect((await tops(page))['77000']).toBeCloseTo(0, 0);
    await page.context().close();
  });
});

describe('row 2: nothing is written from the first touch to rest', () => {
  it('although older messages arrive and rows are measured', async () => {
    const page = await open('messages=5000&anchor=3000&delay=50', true);
    const touch = await page.context().newCDPSession(page);
    await drag(touch, 'touchStart', 300);
    await page.evaluate(() => (window.controls.writes = []));
    for (let y = 310; y < 700; y += 10) {
      await drag(touch, 'touchMove', y);
      await page.waitForTimeout(8);
    }
    const anchor = await anchorOf(page);
    await page.evaluate(() => window.controls.prepend());
    await page.waitForTimeout(300);
    expect(Math.abs(((await tops(page))[anchor.key] ?? Infinity) - anchor.top)).toBeLessThanOrEqual(
      1,
    );
    await page.evaluate((id) => window.controls.grow(id, 200), Number(anchor.key) - 1);
    await page.waitForTimeout(100);
    expect(Math.abs(((await tops(page))[anchor.key] ?? Infinity) - anchor.top)).toBeLessThanOrEqual(
      1,
    );
    expect(await page.evaluate(() => window.controls.writes)).toEqual([]);
    await drag(touch, 'touchEnd', 0);
    await expect.poll(() => page.evaluate(() => window.controls.writes.length)).toBeGreaterThan(0);
    await expectStill(page, anchor);
    await page.context().close();
  });
});

describe('row 4: long topics', () => {
  it('have at most 60 rows in the page, kept ones included', async () => {
    const page = await open('messages=100000&anchor=50000');
    const count = () => page.evaluate((css) => document.querySelectorAll(css).length, '[data-key]');
    expect(await count()).toBeLessThanOrEqual(60);
    await page.evaluate(() => window.controls.keep([50_000, 50_001]));
    for (let turn = 0; turn < 5; turn++) {
      await wheel(page, 3_000);
      await settle(page);
      expect(await count()).toBeLessThanOrEqual(60);
    }
    expect(await page.evaluate(() => document.querySelector('[data-key="50000"]') !== null)).toBe(
      true,
    );
    await page.context().close();
  });

  it('scroll both ways through 100,000 messages, with a flat heap', async () => {
    const page = await open('messages=100000&anchor=100000&delay=5');
    const session = await page.context().newCDPSession(page);
    const first = async () => Number((await anchorOf(page)).key);
    const sweep = async (px: number, turns: number) => {
      for (let turn = 0; turn < turns; turn++) {
        await wheel(page, px);
        await page.waitForTimeout(16);
      }
      await settle(page);
    };
    const begun = await first();
    await sweep(-4_000, 60);
    const high = await first();
    expect(high).toBeLessThan(begun - 1_500);
    const before = await heap(session);
    for (let round = 0; round < 2; round++) {
      await sweep(4_000, 40);
      await sweep(-4_000, 40);
    }
    expect(await heap(session)).toBeLessThan(before + 8_000_000);
    await page.context().close();
  });
});

function drag(session: CDPSession, type: 'touchStart' | 'touchMove' | 'touchEnd', y: number) {
  return session.send('Input.dispatchTouchEvent', {
    type,
    touchPoints: type === 'touchEnd' ? [] : [{ x: 200, y }],
  });
}

async function heap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
