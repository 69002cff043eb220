// `bench web`: what the web client costs its reader, in Chromium against the demo, beside an empty React page that is loaded
// in the same run. Loads are on a slow profile (`web/measure.ts`); the rest is at this machine's speed. `--full` watches
// the heap for an hour.
import { setTimeout as sleep } from 'node:timers/promises';
import { Chat } from '@rialto/sdk';
import type { BrowserContext, Page } from 'playwright-core';
import { printTable, type Figure } from '../figure.ts';
import { median, quantile, round, spread } from './stats.ts';
import { serveBarePage } from './web/bare-page.ts';
import { figure, kB } from './web/figures.ts';
import { startDemo, type RunningDemo } from '../demo/process.ts';
import {
  measureHeap,
  measureLoad,
  measureSwitch,
  readWaits,
  watchWaits,
  type Load,
} from './web/measure.ts';
import { launchBrowser, signIn } from './web/reader.ts';

const LOADS = 5;
const SWITCHES = 30;
const CHARACTERS = 300;
const RATE = 20;
const HEAP_SECONDS = { quick: 20, usual: 120, full: 3600 };

const GOALS = {
  scriptBytes: 200_000,
  usableMs: 1500,
  switchMs: 100,
  typingMs: 50,
  taskMs: 100,
  /** The heap at the end by the heap at a third: noise, not growth. */
  heapRatio: 1.15,
};

export async function benchWeb(size: { quick: boolean; full: boolean }): Promise<Figure[]> {
  const [running, bare] = await Promise.all([startDemo(), serveBarePage()]);
  const browser = await launchBrowser();
  try {
    const world = await prepare(running);
    const newcomer = await signIn(browser, running, { isNew: true });
    const loads = await loadInTurns(newcomer, world.origin, bare.url);
    await newcomer.close();
    const context = await signIn(browser, running);
    const page = await context.newPage();
    const switches = await switchOften(page, world);
    const typing = await type(page);
    const seconds = size.quick ? HEAP_SECONDS.quick : HEAP_SECONDS[size.full ? 'full' : 'usual'];
    const reading = await readUnderLoad(page, world, seconds);
    return report({ loads, switches, typing, reading, seconds });
  } finally {
    await browser.close();
    await bare.close();
    await running.stop();
  }
}

interface World {
  readonly origin: string;
  readonly sender: Chat;
  readonly channelId: number;
  readonly topics: readonly string[];
}

/** Two conversations with enough in them to scroll. */
async function prepare({ demo }: RunningDemo): Promise<World> {
  const { origin } = new URL(demo.web_url);
  const chatOf = ({ email, api_key }: { email: string; api_key: string }) =>
    new Chat({ url: origin, email, apiKey: api_key });
  const [reader, sender] = [chatOf(demo.users.member), chatOf(demo.users.admin)];
  const [mine, theirs] = await Promise.all([reader.getSubscriptions(), sender.getSubscriptions()]);
  const shared = mine.subscriptions.find(({ stream_id: id }) =>
    theirs.subscriptions.some(({ stream_id }) => stream_id === id),
  );
  if (shared === undefined) throw new Error('The demo has no channel that both are in.');
  const topics = ['bench one', 'bench two'];
  for (const topic of topics) {
    for (let number = 1; number <= 40; number += 1) {
      await say({ sender, channelId: shared.stream_id }, topic, `${topic} ${number}.`);
    }
  }
  // All of it is read: both open at their ends.
  await reader.updateMessageFlagsForNarrow({
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    op: 'add',
    flag: 'read',
    narrow: [{ operator: 'channel', operand: shared.stream_id }],
  });
  return { origin, sender, channelId: shared.stream_id, topics };
}

const say = (
  { sender, channelId }: Pick<World, 'sender' | 'channelId'>,
  topic: string,
  content: string,
) => sender.sendMessage({ type: 'channel', to: channelId, topic, content });

interface Loads {
  readonly ours: readonly Load[];
  readonly bare: readonly Load[];
}

async function loadInTurns(
  context: BrowserContext,
  origin: string,
  bareUrl: string,
): Promise<Loads> {
  const ours: Load[] = [];
  const bare: Load[] = [];
  for (let turn = 0; turn < LOADS; turn += 1) {
    ours.push(await measureLoad(context, `${origin}/inbox`, '[role=treegrid] [data-key]'));
    bare.push(await measureLoad(context, bareUrl, '[data-content]'));
  }
  return { ours, bare };
}

const addressOf = ({ channelId }: World, topic: string): string =>
  `/#narrow/channel/${channelId}/topic/${encodeURIComponent(topic).replaceAll('%', '.')}`;

async function switchOften(page: Page, world: World): Promise<number[]> {
  const [first = '', second = ''] = world.topics;
  await page.goto(`${world.origin}${addressOf(world, first)}`);
  await page.locator('main article').first().waitFor();
  await watchWaits(page);
  // Each is fetched once; after that they are cached.
  for (const topic of [second, first])
    await measureSwitch(page, addressOf(world, topic), `${topic} 40.`);
  const times: number[] = [];
  for (let turn = 0; turn < SWITCHES; turn += 1) {
    const topic = turn % 2 === 0 ? second : first;
    times.push(await measureSwitch(page, addressOf(world, topic), `${topic} 40.`));
    await sleep(200);
  }
  return times;
}

async function type(page: Page): Promise<readonly number[]> {
  await readWaits(page);
  const box = page.locator('[data-compose]');
  await box.click();
  const text = 'A quick brown fox @ba jumps :smi over the lazy dog. '.repeat(10);
  await box.pressSequentially(text.slice(0, CHARACTERS), { delay: 20 });
  await sleep(500);
  const { keys } = await readWaits(page);
  await box.fill('');
  return keys;
}

interface Reading {
  readonly tasks: readonly number[];
  readonly heaps: readonly number[];
  readonly sent: number;
}

/** Twenty messages a second come into the conversation that is read. */
async function readUnderLoad(page: Page, world: World, seconds: number): Promise<Reading> {
  const session = await page.context().newCDPSession(page);
  await readWaits(page);
  const [, topic = ''] = world.topics;
  const heaps: number[] = [];
  let sent = 0;
  for (const part of [1, 2, 3]) {
    const endsMs = performance.now() + (seconds * 1000) / 3;
    while (performance.now() < endsMs) {
      const next = sleep(1000 / RATE);
      await say(world, topic, `Message ${(sent += 1)} of many, in part ${part}.`);
      await next;
    }
    heaps.push(await measureHeap(session));
  }
  return { tasks: (await readWaits(page)).tasks, heaps, sent };
}

interface Measured {
  readonly loads: Loads;
  readonly switches: readonly number[];
  readonly typing: readonly number[];
  readonly reading: Reading;
  readonly seconds: number;
}

function report({ loads, switches, typing, reading, seconds }: Measured): Figure[] {
  const ms = (list: readonly Load[]) => list.map(({ usableMs }) => usableMs);
  const usableMs = median(ms(loads.ours));
  const bareMs = median(ms(loads.bare));
  const bytes = Math.max(...loads.ours.map(({ scriptBytes }) => scriptBytes));
  const bareBytes = Math.max(...loads.bare.map(({ scriptBytes }) => scriptBytes));
  const switchMs = quantile(
    [...switches].sort((a, b) => a - b),
    0.95,
  );
  const typingMs = Math.max(0, ...typing);
  const taskMs = Math.max(0, ...reading.tasks);
  const [third = 1, , end = 1] = reading.heaps;
  printTable([
    ['', 'ours', 'empty React page', 'ratio'],
    ['script, kB', kB(bytes), kB(bareBytes), String(round(bytes / bareBytes, 2))],
    [
      'usable, ms',
      `${round(usableMs)} (${spread(ms(loads.ours))})`,
      `${round(bareMs)} (${spread(ms(loads.bare))})`,
      String(round(usableMs / bareMs, 2)),
    ],
  ]);
  printTable([
    ['switch to a cached conversation, ms', `p95 ${round(switchMs)} (${spread(switches)})`],
    [
      'answer to a key, ms',
      `at most ${round(typingMs)} (${spread(typing)}), ${typing.filter((wait) => wait > GOALS.typingMs).length} of ${CHARACTERS} over ${GOALS.typingMs}`,
    ],
    [`${reading.sent} messages in ${seconds} s: longest task, ms`, String(round(taskMs))],
    ['heap after each third, MB', reading.heaps.map((heap) => (heap / 1e6).toFixed(1)).join(', ')],
  ]);
  return [
    figure('web first load, bytes of script', bytes, GOALS.scriptBytes, { bare: bareBytes }),
    figure('web usable, ms', round(usableMs), GOALS.usableMs, { bare: round(bareMs) }),
    figure('web cached switch p95, ms', round(switchMs), GOALS.switchMs),
    figure('web answer to a key, ms', round(typingMs), GOALS.typingMs),
    figure('web longest task, ms', round(taskMs), GOALS.taskMs),
    figure('web heap, end by a third', round(end / third, 3), GOALS.heapRatio, { seconds }),
  ];
}
