// Rendering that cannot stop the process. Text that could be slow goes to a thread; a thread that does not
// answer in time is ended, and the text is shown as it was written.
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type { Rendered, RenderEnv } from './env.ts';
import { IN_PROCESS_UNITS, RENDER_DEADLINE_MS, THREAD_START_MS } from './limits.ts';
import { render, renderPlain } from './render.ts';

interface Job {
  readonly content: string;
  readonly env: RenderEnv;
  done(rendered: Rendered): void;
}

export interface RenderPool {
  render(content: string, env: RenderEnv): Promise<Rendered>;
  /** Ends the threads. What still waits is shown as plain text. */
  close(): Promise<void>;
}

export interface PoolOptions {
  readonly threads: number;
  readonly deadlineMs: number;
  /** How long a thread may take to load. */
  readonly startMs: number;
  /** Messages that may wait for a thread; more of them are shown as plain text at once. */
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

  return {
    render(content, env) {
      if (isClosed || waiting.length >= settings.maxWaiting)
        return Promise.resolve(renderPlain(content));
      return new Promise((resolve) => {
        waiting.push({ content, env, done: resolve });
        assign();
      });
    },
    async close() {
      isClosed = true;
      for (const job of waiting.splice(0)) job.done(renderPlain(job.content));
      await Promise.all([...threads].map((thread) => thread.end()));
    },
  };
}

/** One thread, which has at most one message at a time. */
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
      // Enough for the grammars and a large message, and not for what grows without end.
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // It needs no secret, so it gets none.
      env: {},
      execArgv: [],
    });
    this.worker.unref();
    // The time to load is not the message's, but it is not endless either.
    this.startTimer(settings.startMs);
    this.worker.on('message', (answer: Rendered | 'ready') => {
      if (answer === 'ready') this.begin();
      else this.finish(answer);
    });
    this.worker.once('error', () => void this.end());
    this.worker.once('exit', () => void this.end());
  }

  run(job: Job): void {
    this.job = job;
    // While a message is rendered the process waits for it; an idle thread lets it end.
    this.worker.ref();
    if (this.isReady) this.startTimer(this.settings.deadlineMs);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    this.worker.postMessage({ content: job.content, env: job.env });
  }

  async end(): Promise<void> {
    if (this.isEnded) return;
    this.isEnded = true;
    clearTimeout(this.timer);
    const { job } = this;
    this.job = undefined;
    this.listener.onEnd();
    job?.done(renderPlain(job.content));
    await this.worker.terminate();
  }

  private finish(rendered: Rendered): void {
    const { job } = this;
    clearTimeout(this.timer);
    this.job = undefined;
    this.worker.unref();
    job?.done(rendered);
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

/** Renders a message within the deadline; the promise is never rejected. */
export function renderBounded(content: string, env: RenderEnv): Promise<Rendered> {
  if (isQuick(content, env)) return Promise.resolve(render(content, env));
  shared ??= createRenderPool();
  return shared.render(content, env);
}

/** Ends the threads of this process; they are started again when they are needed. */
export async function closeRenderPool(): Promise<void> {
  const pool = shared;
  shared = undefined;
  await pool?.close();
}

/**
 * Whether a text may be rendered in this thread. Every rule that remains reads a text of this length in
 * a few milliseconds at worst: hostile.test.ts measures it. Formulas, code blocks and the organization's
 * patterns are the parts whose cost is not ours to know.
 */
export const isQuick = (content: string, { linkifiers, defaultCodeLanguage }: RenderEnv): boolean =>
  content.length <= IN_PROCESS_UNITS &&
  linkifiers.length === 0 &&
  !/\$\$|```|~~~/.test(content) &&
  // Indented code is coloured only where the organization has a language for it.
  (defaultCodeLanguage === '' || !/ {4}|\t/.test(content));
