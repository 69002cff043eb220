// `bench trade`: what the trade view costs its reader. It is loaded on a slow profile beside an empty React page, then
// watched under a storm of orders: how often the book is painted, what made the page wait, whether its heap grows, and
// whether the book is the server's at every check. `--full` rages for ten minutes.
import { Trading } from '@rialto/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { setTimeout as sleep } from 'node:timers/promises';
import { startDemo, type RunningDemo } from '../demo/process.ts';
import { printTable, type Figure } from '../figure.ts';
import { median, round, spread } from './stats.ts';
import { serveBarePage } from './web/bare-page.ts';
import { countPaints, differsFromDepth } from './web/book.ts';
import { figure, kB } from './web/figures.ts';
import { measureHeap, measureLoad, readWaits, watchWaits, type Load } from './web/measure.ts';
import { launchBrowser, signIn } from './web/reader.ts';
import { brewStorm } from './web/storm.ts';

const SYMBOL = 'btcusdt';
const LOADS = 5;
const CHECK_SECONDS = 10;
const STORM_SECONDS = { quick: 30, usual: 120, full: 600 };
const EQUAL_WITHIN_MS = 5000;
const ASK_EVERY_MS = 300;

const GOALS = {
  scriptBytes: 260_000,
  usableMs: 2000,
  paintsPerSecond: 10,
  taskMs: 100,
  heapRatio: 1.15,
  unequal: 0,
};

export async function benchTrade(size: { quick: boolean; full: boolean }): Promise<Figure[]> {
  const [running, bare] = await Promise.all([startDemo(), serveBarePage()]);
  const browser = await launchBrowser();
  try {
    const address = new URL(`/trade/${SYMBOL}`, running.demo.web_url).href;
    const newcomer = await signIn(browser, running, { isNew: true });
    const ours: Load[] = [];
    const empty: Load[] = [];
    for (let turn = 0; turn < LOADS; turn += 1) {
      ours.push(await measureLoad(newcomer, address, '[data-side="bids"] [data-part^="price"]'));
      empty.push(await measureLoad(newcomer, bare.url, '[data-content]'));
    }
    await newcomer.close();
    const context = await signIn(browser, running);
    const seconds = size.quick ? STORM_SECONDS.quick : STORM_SECONDS[size.full ? 'full' : 'usual'];
    const watched = await watchStorm(context, running, address, seconds);
    return report(ours, empty, watched, seconds);
  } finally {
    await browser.close();
    await bare.close();
    await running.stop();
  }
}

interface Watched {
  readonly orders: number;
  readonly paints: readonly number[];
  readonly tasks: readonly number[];
  readonly heaps: readonly number[];
  readonly checks: number;
  readonly unequal: number;
}

async function watchStorm(
  context: BrowserContext,
  { demo }: RunningDemo,
  address: string,
  seconds: number,
): Promise<Watched> {
  const { origin: url } = new URL(demo.web_url);
  const traders = [demo.users.trader_a, demo.users.trader_b].map(
    ({ trading }) => new Trading({ url, key: trading.api_key, secret: trading.secret_key }),
  );
  const storm = brewStorm(traders, SYMBOL);
  const page = await context.newPage();
  await page.goto(address);
  await page.locator('[data-side="bids"] [data-part^="price"]').first().waitFor();
  const session = await context.newCDPSession(page);
  await storm.rage(CHECK_SECONDS / 2);
  await watchWaits(page);
  const paints: number[] = [];
  const heaps: number[] = [await measureHeap(session)];
  // A collection of the whole heap is a long task of the measurement, not of the page.
  await readWaits(page);
  const tasks: number[] = [];
  const checks = Math.max(3, Math.round(seconds / CHECK_SECONDS));
  let [orders, unequal] = [0, 0];
  for (let check = 1; check <= checks; check += 1) {
    const [painted, placed] = await Promise.all([
      countPaints(page, (CHECK_SECONDS - 1) * 1000),
      storm.rage(CHECK_SECONDS),
    ]);
    orders += placed;
    paints.push(painted / (CHECK_SECONDS - 1));
    tasks.push(...(await readWaits(page)).tasks);
    const differed = await differsLong(page);
    if (differed !== '') {
      unequal += 1;
      console.log(`After check ${check} the book differs: ${differed}.`);
    }
    if (check % Math.ceil(checks / 3) === 0 || check === checks) {
      heaps.push(await measureHeap(session));
      await readWaits(page);
    }
  }
  return { orders, paints, tasks, heaps, checks, unequal };
}

/** The storm rests; what is on its way arrives. Empty once both were the same, otherwise what differed last. */
async function differsLong(page: Page): Promise<string> {
  const giveUpMs = performance.now() + EQUAL_WITHIN_MS;
  let differed = 'the server did not say';
  while (performance.now() < giveUpMs) {
    // Both move, so they are compared again until they were of the same moment.
    differed = (await differsFromDepth(page, SYMBOL)) ?? differed;
    if (differed === '') return '';
    await sleep(ASK_EVERY_MS);
  }
  return differed;
}

function report(
  ours: readonly Load[],
  empty: readonly Load[],
  { orders, paints, tasks, heaps, checks, unequal }: Watched,
  seconds: number,
): Figure[] {
  const ms = (list: readonly Load[]) => list.map(({ usableMs }) => usableMs);
  const [usableMs, bareMs] = [median(ms(ours)), median(ms(empty))];
  const bytes = Math.max(...ours.map(({ scriptBytes }) => scriptBytes));
  const bareBytes = Math.max(...empty.map(({ scriptBytes }) => scriptBytes));
  const [perSecond, taskMs] = [Math.max(...paints), Math.max(0, ...tasks)];
  const [, first = 1] = heaps;
  const last = heaps.at(-1) ?? 1;
  printTable([
    ['', 'ours', 'empty React page', 'ratio'],
    ['script, kB', kB(bytes), kB(bareBytes), String(round(bytes / bareBytes, 2))],
    [
      'usable, ms',
      `${round(usableMs)} (${spread(ms(ours))})`,
      `${round(bareMs)} (${spread(ms(empty))})`,
      String(round(usableMs / bareMs, 2)),
    ],
  ]);
  printTable([
    [`orders in ${seconds} s, a second`, String(round(orders / seconds, 1))],
    ['paints of the book a second', `at most ${round(perSecond, 1)}`],
    ['longest task, ms', `${round(taskMs)}; ${tasks.length} over 50`],
    ['heap, MB', heaps.map((heap) => (heap / 1e6).toFixed(1)).join(', ')],
    ['checks of the book', `${checks}, unequal ${unequal}`],
  ]);
  return [
    figure('trade first load, bytes of script', bytes, GOALS.scriptBytes, { bare: bareBytes }),
    figure('trade usable, ms', round(usableMs), GOALS.usableMs, { bare: round(bareMs) }),
    figure('trade paints of the book a second', round(perSecond, 1), GOALS.paintsPerSecond),
    figure('trade longest task, ms', round(taskMs), GOALS.taskMs, { seconds }),
    figure('trade heap, end by a third', round(last / first, 3), GOALS.heapRatio, { seconds }),
    figure('trade books unequal', unequal, GOALS.unequal, { checks }),
  ];
}
