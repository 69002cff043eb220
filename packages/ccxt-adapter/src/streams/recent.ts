// The last trades, orders or candles that a stream has brought. A caller gets what is new since its last call, or all of
// them when the library's option `newUpdates` is false.

/** Of one market, or of all of them. */
type Scope = string | undefined;

interface Fresh {
  readonly keys: Set<string>;
  /** Somebody has read them: the next item begins anew. */
  isRead: boolean;
}

export class RecentItems<T> {
  readonly #max: number;
  readonly #items = new Map<string, { readonly item: T; readonly symbol: Scope }>();
  readonly #fresh = new Map<Scope, Fresh>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Adds an item, or replaces the one with its key, which then is the last. */
  add(key: string, symbol: Scope, item: T): void {
    this.#items.delete(key);
    this.#items.set(key, { item, symbol });
    if (this.#items.size > this.#max) {
      const [oldest = ''] = this.#items.keys();
      this.#items.delete(oldest);
      for (const { keys } of this.#fresh.values()) keys.delete(oldest);
    }
    this.#note(undefined, key);
    if (symbol !== undefined) this.#note(symbol, key);
  }

  #note(scope: Scope, key: string): void {
    const fresh = this.#fresh.get(scope);
    if (fresh === undefined || fresh.isRead) {
      this.#fresh.set(scope, { keys: new Set([key]), isRead: false });
    } else fresh.keys.add(key);
  }

  /** Whether something came that nobody has read. */
  isUnread(scope: Scope): boolean {
    return this.#fresh.get(scope)?.isRead === false;
  }

  /** What came since the last reading; two callers who wait for the same push both get it. */
  readFresh(scope: Scope): T[] {
    const fresh = this.#fresh.get(scope);
    if (fresh === undefined) return [];
    fresh.isRead = true;
    return [...this.#items].filter(([key]) => fresh.keys.has(key)).map(([, { item }]) => item);
  }

  readAll(scope: Scope): T[] {
    return [...this.#items.values()]
      .filter(({ symbol }) => scope === undefined || symbol === scope)
      .map(({ item }) => item);
  }
}
