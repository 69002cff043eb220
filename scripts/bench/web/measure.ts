// What a browser can say about a page: when it could be used, how much script came, and what made it wait.
import type { BrowserContext, CDPSession, Page } from 'playwright-core';

/** A middling phone on a middling line: a fourth of this machine's speed, 10 Mbit a second, 40 ms away. */
const CPU_SLOWER = 4;
const NETWORK = {
  offline: false,
  downloadThroughput: 10_000_000 / 8,
  uploadThroughput: 5_000_000 / 8,
  latency: 40,
};
const WAIT_MS = 60_000;

export interface Load {
  /** From the start of the navigation until its content stood there and a click would have been answered. */
  readonly usableMs: number;
  readonly scriptBytes: number;
}

/** Loads a page with an empty cache on the slow profile. `content` is what its reader waits for. */
export async function measureLoad(
  context: BrowserContext,
  url: string,
  content: string,
): Promise<Load> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const bytes = await countScripts(session);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  await session.send('Network.emulateNetworkConditions', NETWORK);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWER });
  try {
    await page.goto(url, { waitUntil: 'commit' });
    await page.locator(content).first().waitFor({ timeout: WAIT_MS });
    // A free main thread runs this at once.
    const usableMs = await page.evaluate(
      () => new Promise<number>((done) => setTimeout(() => done(performance.now()))),
    );
    return { usableMs, scriptBytes: bytes() };
  } finally {
    await page.close();
  }
}

/** Counts what scripts weigh as they are sent, without the headers of their answers. */
async function countScripts(session: CDPSession): Promise<() => number> {
  await session.send('Network.enable');
  const headersOf = new Map<string, number>();
  let bytes = 0;
  session.on('Network.responseReceived', ({ requestId, type, response }) => {
    if (type === 'Script') headersOf.set(requestId, response.encodedDataLength);
  });
  session.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const headers = headersOf.get(requestId);
    if (headers !== undefined) bytes += encodedDataLength - headers;
  });
  return () => bytes;
}

/**
 * Starts to note tasks over 50 ms, and how long each key waits until the frame with its letter is drawn. The browser's own
 * figure (`event` timing) ends when the screen shows the frame: without a screen that comes seconds later, for any page.
 */
export const watchWaits = (page: Page): Promise<void> =>
  page.evaluate(() => {
    const waits = { tasks: [] as number[], keys: [] as number[] };
    Object.assign(globalThis, { waits });
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) waits.tasks.push(duration);
    }).observe({ type: 'longtask' });
    const note = ({ timeStamp }: Event): void => {
      // The task after the frame's callbacks runs once layout and paint are done.
      requestAnimationFrame(() => setTimeout(() => waits.keys.push(performance.now() - timeStamp)));
    };
    addEventListener('keydown', note, { capture: true });
  });

export interface Waits {
  /** In milliseconds; tasks that took no time worth noting are absent. */
  readonly tasks: readonly number[];
  readonly keys: readonly number[];
}

/** What was noted since, and begins anew. */
export const readWaits = (page: Page): Promise<Waits> =>
  page.evaluate(() => {
    const { waits } = globalThis as unknown as { waits: { tasks: number[]; keys: number[] } };
    return { tasks: waits.tasks.splice(0), keys: waits.keys.splice(0) };
  });

/** Goes to an address of the client and waits until `text` is painted. */
export const measureSwitch = (page: Page, address: string, text: string): Promise<number> =>
  page.evaluate(
    ([href = '', wanted = '']) =>
      new Promise<number>((done, fail) => {
        const began = performance.now();
        const giveUp = began + 30_000;
        const look = (): void => {
          const isThere = [...document.querySelectorAll('main article')].some((row) =>
            row.textContent?.includes(wanted),
          );
          if (isThere) done(performance.now() - began);
          else if (performance.now() > giveUp) fail(new Error(`${wanted} did not appear.`));
          else requestAnimationFrame(look);
        };
        location.href = href;
        requestAnimationFrame(look);
      }),
    [address, text],
  );

/** Bytes of living objects, after a full collection. */
export async function measureHeap(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize;
}
