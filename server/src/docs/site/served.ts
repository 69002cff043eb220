// The built site in memory: each file compressed, as most readers take it. It is built once for a process.
import { Worker } from 'node:worker_threads';
import type { ToldLimits, ToldSettings } from './page.ts';

/** What a thread needs to know. It is copied into the thread, so it has no secret. */
export interface Order {
  /** The address of the page that is wanted first, from the root of the site. */
  readonly first: string;
  readonly origin: string;
  readonly base: string;
  readonly version: string;
  readonly settings: ToldSettings;
  readonly limits: ToldLimits;
}

export interface ServedFile {
  readonly type: string;
  readonly isForever: boolean;
  /** Changes with the content. */
  readonly tag: string;
  readonly gzipped: Uint8Array;
}

/** A thread tells first which files there will be, and then sends each. */
export type Message = readonly string[] | { readonly path: string; readonly file: ServedFile };

export interface ServedSite {
  /** Waits until the file is ready; undefined if there is none. Rejects when the site cannot be built. */
  get(path: string): Promise<ServedFile | undefined>;
  /** The first file whose path begins so. */
  findByStart(start: string): Promise<ServedFile | undefined>;
}

/** A build takes a few seconds; one that takes this long has stopped. */
const BUILD_MS_MAX = 120_000;

export function buildInThread(order: Order): ServedSite {
  const files = new Map<string, ServedFile>();
  const waiting = new Map<string, (() => void)[]>();
  const worker = new Worker(new URL('./thread.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    // It needs no secrets, so it gets no environment.
    env: {},
    execArgv: [],
  });
  worker.unref();
  const listed = Promise.withResolvers<ReadonlySet<string>>();
  const whole = Promise.withResolvers<void>();
  // Nobody may be waiting; those who do are told.
  listed.promise.catch(() => undefined);
  whole.promise.catch(() => undefined);
  const fail = (error: unknown) => {
    listed.reject(error);
    whole.reject(error);
  };
  const timer = setTimeout(() => void worker.terminate(), BUILD_MS_MAX).unref();
  worker.on('message', (message: Message) => {
    if (!('path' in message)) {
      listed.resolve(new Set(message));
      return;
    }
    files.set(message.path, message.file);
    for (const wake of waiting.get(message.path) ?? []) wake();
    waiting.delete(message.path);
  });
  worker.once('error', fail);
  worker.once('exit', (code) => {
    clearTimeout(timer);
    if (code === 0) whole.resolve();
    else fail(new Error('The thread that builds the documentation ended early.'));
  });

  async function get(path: string): Promise<ServedFile | undefined> {
    const paths = await listed.promise;
    if (paths.has(path) && !files.has(path)) {
      const arrival = new Promise<void>((resolve) => {
        waiting.set(path, [...(waiting.get(path) ?? []), resolve]);
      });
      await Promise.race([arrival, whole.promise]);
    }
    return files.get(path);
  }

  return {
    get,
    async findByStart(start) {
      const path = [...(await listed.promise)].find((one) => one.startsWith(start));
      return path === undefined ? undefined : get(path);
    },
  };
}
