// Keeps one ready connection: opens it, opens another when it ends or is about to, and waits longer after each failure.
import type { Link, LinkEnd } from './link.ts';

interface DialerOptions {
  /** Opens a connection and makes it ready: signed in, subscribed, resumed. */
  open(): Promise<Link>;
  /** The connection that serves from now on; the one before it, if it still lives, may end. */
  onReady(link: Link, before: Link | undefined): void;
  /** An error that no other attempt would change. */
  isFatal(error: unknown): boolean;
  onFatal(error: Error): void;
  onWait(error: unknown, waitMs: number): void;
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
}

/** A connection that lived shorter than this counts as another failure. */
const STABLE_MS = 5000;

export class Dialer {
  #options: DialerOptions;
  #link: Link | undefined;
  #readyMs = 0;
  #isDialing = false;
  #isStopped = false;
  #failures = 0;
  #waiters = new Set<PromiseWithResolvers<Link>>();
  #wake: (() => void) | undefined;

  constructor(options: DialerOptions) {
    this.#options = options;
  }

  /** The connection that serves now. */
  get link(): Link | undefined {
    return this.#link;
  }

  /** Waits for a connection that serves, and opens one if there is none. */
  async ready(): Promise<Link> {
    if (this.#link !== undefined) return this.#link;
    const waiter = Promise.withResolvers<Link>();
    this.#waiters.add(waiter);
    this.dial();
    try {
      return await waiter.promise;
    } finally {
      this.#waiters.delete(waiter);
    }
  }

  /** Opens a connection beside the present one, after `delayMs`, and then serves from it. */
  dial(delayMs = 0): void {
    if (this.#isDialing || this.#isStopped) return;
    this.#isDialing = true;
    void this.#run(delayMs).finally(() => {
      this.#isDialing = false;
      // It may have ended while its last step was under way.
      if (this.#link === undefined && this.#waiters.size > 0) this.dial();
    });
  }

  /** To be told of the end of every connection. */
  ended(link: Link, end: LinkEnd): void {
    if (link !== this.#link) return;
    this.#link = undefined;
    if (performance.now() - this.#readyMs < STABLE_MS) this.#failures += 1;
    // A server that stops in order is expected elsewhere at once; after a loss everybody comes back, so not together.
    this.dial(end.code === 4010 ? 0 : this.#waitMs());
  }

  /** Fails everything that waits. */
  stop(error: Error): void {
    this.#isStopped = true;
    this.#wake?.();
    for (const waiter of this.#waiters) waiter.reject(error);
    this.#waiters.clear();
    this.#link = undefined;
  }

  async #run(delayMs: number): Promise<void> {
    if (delayMs > 0) await this.#sleep(delayMs);
    while (!this.#isStopped) {
      try {
        const link = await this.#options.open();
        if (this.#isStopped || link.isEnded) continue;
        const before = this.#link;
        this.#link = link;
        if (performance.now() - this.#readyMs >= STABLE_MS) this.#failures = 0;
        this.#readyMs = performance.now();
        this.#options.onReady(link, before);
        for (const waiter of this.#waiters) waiter.resolve(link);
        return;
      } catch (error) {
        if (this.#isStopped) return;
        if (this.#options.isFatal(error)) return this.#options.onFatal(error as Error);
        this.#failures += 1;
        const waitMs = this.#waitMs();
        this.#options.onWait(error, waitMs);
        await this.#sleep(waitMs);
      }
    }
  }

  /** Doubles with each failure; half of it is chance, so that many clients do not come back at one moment. */
  #waitMs(): number {
    const { firstWaitMs, maxWaitMs } = this.#options;
    const longest = Math.min(maxWaitMs, firstWaitMs * 2 ** Math.min(this.#failures, 20));
    return longest / 2 + (Math.random() * longest) / 2;
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}
