// What is asked of the server once and then kept for a while: lists of the administration, subscribers, history. What
// events keep up to date is in the store instead.

export type Asked<T> =
  | { readonly state: 'asking' }
  | { readonly state: 'known'; readonly value: T; readonly isRefreshing: boolean }
  | { readonly state: 'failed'; readonly error: unknown };

export type Fetcher<T> = (signal: AbortSignal) => Promise<T>;

interface Entry {
  asked: Asked<unknown>;
  askedAtMs: number;
  controller: AbortController | undefined;
  readonly listeners: Set<() => void>;
}

/** Answers that nobody looks at any more; going back finds them at once. */
const KEPT = 40;
/** An answer younger than this is not asked for again. */
const FRESH_MS = 30_000;

const ASKING: Asked<never> = { state: 'asking' };

export class AskedCache {
  readonly #entries = new Map<string, Entry>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  read<T>(key: string): Asked<T> {
    return (this.#entries.get(key)?.asked ?? ASKING) as Asked<T>;
  }

  /** Asks if nothing fresh is known. The last one to leave ends a question that is still open. */
  observe<T>(key: string, fetcher: Fetcher<T>, listener: () => void): () => void {
    const entry = this.#entryOf(key);
    entry.listeners.add(listener);
    const { state } = entry.asked;
    const isFresh = state === 'known' && this.#nowMs() - entry.askedAtMs < FRESH_MS;
    if (entry.controller === undefined && !isFresh) this.ask(key, fetcher);
    return () => {
      entry.listeners.delete(listener);
      if (entry.listeners.size > 0) return;
      entry.controller?.abort();
      entry.controller = undefined;
      this.#forgetOldest();
    };
  }

  /** Asks anew. What is known stays on the screen meanwhile. */
  ask<T>(key: string, fetcher: Fetcher<T>): void {
    const entry = this.#entryOf(key);
    entry.controller?.abort();
    const controller = new AbortController();
    entry.controller = controller;
    const before = entry.asked;
    this.#change(entry, before.state === 'known' ? { ...before, isRefreshing: true } : ASKING);
    fetcher(controller.signal).then(
      (value) => {
        if (controller.signal.aborted) return;
        entry.controller = undefined;
        entry.askedAtMs = this.#nowMs();
        this.#change(entry, { state: 'known', value, isRefreshing: false });
      },
      (error: unknown) => {
        if (controller.signal.aborted) return;
        entry.controller = undefined;
        this.#change(entry, { state: 'failed', error });
      },
    );
  }

  /** Puts the result of an act in place without asking. An answer under way is older, so it is given up. */
  set<T>(key: string, change: (value: T) => T): void {
    const entry = this.#entries.get(key);
    if (entry?.asked.state !== 'known') return;
    entry.controller?.abort();
    entry.controller = undefined;
    const value = change(entry.asked.value as T);
    this.#change(entry, { state: 'known', value, isRefreshing: false });
  }

  #entryOf(key: string): Entry {
    const known = this.#entries.get(key);
    // The youngest is last, so that the oldest can be forgotten first.
    if (known !== undefined) this.#entries.delete(key);
    const entry = known ?? {
      asked: ASKING,
      askedAtMs: 0,
      controller: undefined,
      listeners: new Set(),
    };
    this.#entries.set(key, entry);
    return entry;
  }

  #change(entry: Entry, asked: Asked<unknown>): void {
    entry.asked = asked;
    for (const listener of entry.listeners) listener();
  }

  #forgetOldest(): void {
    for (const [key, entry] of this.#entries) {
      if (this.#entries.size <= KEPT) return;
      if (entry.listeners.size === 0) this.#entries.delete(key);
    }
  }
}
