// Renders messages without blocking the process. Text that could be slow goes to a thread; a thread that does not
// answer in time is ended, and the text is shown as it was written. The same threads compute differences between
// versions.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Rendered, RenderEnv } from './env.ts';
import { IN_PROCESS_UNITS, RENDER_DEADLINE_MS, THREAD_START_MS } from './limits.ts';
import { render, renderPlain } from './render.ts';

/** A request to a thread. */
export type Question =
  | { readonly content: string; readonly env: RenderEnv }
  | { readonly before: string; readonly after: string };

interface Job {
  readonly question: Question;
  /** Called with undefined when there will be no answer. */
  done(answer: unknown): void;
}

export interface RenderPool {
  render(content: string, env: RenderEnv): Promise<Rendered>;
  /** The difference between two versions as HTML; undefined when it is not ready in time. */
  diff(before: string, after: string): Promise<string | undefined>;
  /** Ends the threads. Waiting messages are shown as plain text. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly threads: number;
  readonly deadlineMs: number;
  /** How long a thread may take to load. */
  readonly startMs: number;
  /** Messages that may wait for a thread; beyond this, messages are shown as plain text at once. */
  readonly maxWaiting: number;
  /** The thread's program; tests give one that never answers. */
  readonly program: URL;
}

const DEFAULTS: PoolOptions = {
  threads: Math.max(1, Math.min(4, availableParallelism() - 1)),
  deadlineMs: RENDER_DEADLINE_MS,
  startMs: THREAD_START_MS,
  maxWaiting: 1_000,
  program: new URL('./render-worker.ts', import.meta.url),
};

export function createRenderPool(options: Partial<PoolOptions> = {}): RenderPool {
  const settings = { ...DEFAULTS, ...options };
  const waiting: Job[] = [];
  const idle: Thread[] = [];
  const threads = new Set<Thread>();
  let isClosed = false;

  const assign = (): void => {
    while (waiting.length > 0) {
      const thread = idle.pop() ?? startThread();
      if (thread === undefined) return;
      const job = waiting.shift();
      if (job !== undefined) thread.run(job);
    }
  };

  function startThread(): Thread | undefined {
    if (isClosed || threads.size >= settings.threads) return undefined;
    const thread = new Thread(settings, {
      onIdle: () => {
        idle.push(thread);
        assign();
      },
      onEnd: () => {
        threads.delete(thread);
        if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
        assign();
      },
    });
    threads.add(thread);
    return thread;
  }

  function ask(question: Question): Promise<unknown> {
    if (isClosed || waiting.length >= settings.maxWaiting) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      waiting.push({ question, done: resolve });
      assign();
    });
  }

  return {
    async render(content, env) {
      return ((await ask({ content, env })) as Rendered | undefined) ?? renderPlain(content);
    },
    async diff(before, after) {
      return (await ask({ before, after })) as string | undefined;
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.done(undefined);
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** One thread, which renders one message at a time. */
class Thread {
  private readonly worker: Worker;
  private readonly settings: PoolOptions;
  private readonly listener: { onIdle(): void; onEnd(): void };
  private job: Job | undefined;
  private timer: NodeJS.Timeout | undefined;
  private isReady = false;
  private isEnded = false;

  constructor(settings: PoolOptions, listener: { onIdle(): void; onEnd(): void }) {
    this.settings = settings;
    this.listener = listener;
    this.worker = new Worker(settings.program, {
      // Enough for the grammars and a large message, but bounded.
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // It needs no secrets, so it gets no environment.
      env: {},
      execArgv: [],
    });
    this.worker.unref();
    // Loading does not count against the message's deadline, but has a limit of its own.
    this.startTimer(settings.startMs);
    this.worker.on('message', (said: { readonly answer: unknown } | 'ready') => {
      if (said === 'ready') this.begin();
      else this.finish(said.answer);
    });
    this.worker.once('error', () => void this.end());
    this.worker.once('exit', () => void this.end());
  }

  run(job: Job): void {
    this.job = job;
    // The process stays alive while a message is rendered; an idle thread does not keep it alive.
    this.worker.ref();
    if (this.isReady) this.startTimer(this.settings.deadlineMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    this.worker.postMessage(job.question);
  }

  async end(): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.timer);
    const { job } = this;
    this.job = undefined;
    this.listener.onEnd();
    job?.done(undefined);
    await this.worker.terminate();
  }

  private finish(answer: unknown): void {
    const { job } = this;
    clearTimeout(this.timer);
    this.job = undefined;
    this.worker.unref();
    job?.done(answer);
    if (!this.isEnded) this.listener.onIdle();
  }

  private begin(): void {
    this.isReady = true;
    clearTimeout(this.timer);
    if (this.job !== undefined) this.startTimer(this.settings.deadlineMs);
  }

  private startTimer(ms: number): void {
    this.timer = setTimeout(() => void this.end(), ms);
  }
}

let shared: RenderPool | undefined;

/** Renders a message within the deadline; the promise never rejects. */
export function renderBounded(content: string, env: RenderEnv): Promise<Rendered> {
  if (isQuick(content, env)) return Promise.resolve(render(content, env));
  shared ??= createRenderPool();
  return shared.render(content, env);
}

/** The difference between two versions; undefined when it is not ready within the deadline. */
export function diffInThread(before: string, after: string): Promise<string | undefined> {
  shared ??= createRenderPool();
  return shared.diff(before, after);
}

/** Ends the threads of this process; they start again when needed. */
export async function closeRenderPool(): Promise<void> {
  const pool = shared;
  shared = undefined;
  await pool?.close();
}

/**
 * Whether a text may be rendered in this thread. Every rule that remains reads a text of this length in
 * a few milliseconds at worst: hostile.test.ts measures it. Formulas, code blocks and the organization's
 * patterns are the parts whose cost we cannot know.
 */
export const isQuick = (content: string, { linkifiers, defaultCodeLanguage }: RenderEnv): boolean =>
  content.length <= IN_PROCESS_UNITS &&
  linkifiers.length === 0 &&
  !/\$\$|```|~~~/.test(content) &&
  // Indented code is coloured only if the organization has a default language.
  (defaultCodeLanguage === '' || !/ {4}|\t/.test(content));
