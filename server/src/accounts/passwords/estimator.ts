// Asks the thread that estimates passwords. The first question starts it and an idle period ends
// it, so a process that sets no passwords neither loads nor keeps the dictionaries.
import { Worker } from 'node:worker_threads';
import { passwordsNotChecked } from './errors.ts';
import type { Estimate } from './estimate.ts';

export interface EstimatorOptions {
  /** How long a question may take, not counting the loading of the dictionaries. */
  readonly deadlineMs: number;
  readonly startMs: number;
  readonly idleMs: number;
  /** Questions that may wait; more are refused at once. */
  readonly waitingMax: number;
  /** The thread's program; tests give one that never answers. */
  readonly program: URL;
}

const DEFAULTS: EstimatorOptions = {
  deadlineMs: 10_000,
  startMs: 60_000,
  idleMs: 60_000,
  waitingMax: 50,
  program: new URL('./estimate-thread.ts', import.meta.url),
};

interface Question {
  readonly password: string;
  readonly words: readonly string[];
  resolve(answer: Estimate): void;
  reject(error: Error): void;
}

export class Estimator {
  private readonly options: EstimatorOptions;
  private readonly waiting: Question[] = [];
  private asked: Question | undefined;
  private thread: Worker | undefined;
  private isReady = false;
  private timer: NodeJS.Timeout | undefined;

  constructor(options: Partial<EstimatorOptions> = {}) {
    this.options = { ...DEFAULTS, ...options };
  }

  /** Refuses when too many ask at once, or when the thread does not answer in time. */
  ask(password: string, words: readonly string[]): Promise<Estimate> {
    if (this.waiting.length >= this.options.waitingMax) {
      return Promise.reject(passwordsNotChecked());
    }
    return new Promise((resolve, reject) => {
      this.waiting.push({ password, words, resolve, reject });
      this.next();
    });
  }

  /** Ends the thread; pending questions are refused. */
  close(): Promise<void> {
    return this.end(this.thread);
  }

  private next(): void {
    if (this.asked !== undefined) return;
    const question = this.waiting.shift();
    if (question === undefined) return this.rest();
    this.asked = question;
    const thread = (this.thread ??= this.start());
    thread.ref();
    const { deadlineMs, startMs } = this.options;
    this.startTimer(this.isReady ? deadlineMs : startMs);
    const { password, words } = question;
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A thread is no window.
    thread.postMessage({ password, words });
  }

  /** An idle thread neither keeps the process alive nor, for long, its memory. */
  private rest(): void {
    this.thread?.unref();
    this.startTimer(this.options.idleMs);
    this.timer?.unref();
  }

  private start(): Worker {
    const thread = new Worker(this.options.program, {
      resourceLimits: { maxOldGenerationSizeMb: 256 },
      // It needs no secret of the process, so it gets none.
      env: {},
      execArgv: [],
    });
    thread.on('message', (answer: Estimate | 'ready') => {
      if (thread !== this.thread) return;
      if (answer === 'ready') {
        this.isReady = true;
        if (this.asked !== undefined) this.startTimer(this.options.deadlineMs);
        return;
      }
      const { asked } = this;
      this.asked = undefined;
      asked?.resolve(answer);
      this.next();
    });
    thread.once('error', () => void this.end(thread));
    thread.once('exit', () => void this.end(thread));
    return thread;
  }

  private startTimer(ms: number): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.end(this.thread), ms);
  }

  private async end(thread: Worker | undefined): Promise<void> {
    if (thread === undefined || thread !== this.thread) return;
    clearTimeout(this.timer);
    this.thread = undefined;
    this.isReady = false;
    const { asked } = this;
    this.asked = undefined;
    asked?.reject(passwordsNotChecked());
    await thread.terminate();
    if (this.waiting.length > 0) this.next();
  }
}

const shared = new Estimator();

export const askEstimator = (password: string, words: readonly string[]): Promise<Estimate> =>
  shared.ask(password, words);
