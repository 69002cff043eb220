// The messages of one narrow as the reader holds them: spans that follow the events of the server, and the fetches that
// make them grow. It lives outside of components, so a conversation that was open before is shown without a request.
import type { QueueEvent } from '@rialto/sdk';
import type { Batch, Store } from '../../state/store.ts';
import { toApiNarrow, viewOf } from '../narrow/narrow.ts';
import { printNarrow } from '../narrow/print.ts';
import type { Narrow } from '../narrow/terms.ts';
import { matches } from './matches.ts';
import {
  addMessage,
  beginFetch,
  coverOf,
  endFetch,
  newestSpan,
  NO_SPANS,
  removeMessage,
  replaceAll,
  spanAt,
  trimAround,
  type Span,
  type Spans,
} from './span.ts';
import type { Place } from './scroller.tsx';

const BEFORE = 60;
const AFTER = 150;
const MORE = 100;
const BODIES_MAX = 1_000;
/** So long a conversation waits for counts that are up to date; then it opens with those of the last visit. */
const CATCH_UP_MS = 5_000;

/** Where to open: at a message, at the first unread one, at the newest, or at the first one of a day. */
export type At = number | 'first_unread' | 'newest' | { readonly date: string };

export interface FeedView {
  /** What is read now; undefined until the first answer. */
  readonly span: Span | undefined;
  readonly loading: 'open' | 'older' | 'newer' | undefined;
  readonly error: unknown;
  /** The server was not reached: these are the messages of an earlier visit, until it is. */
  readonly isKept: boolean;
  /** Raised whenever the place to show changes by more than scrolling. */
  readonly turn: number;
  /** The message to show at `turn`; undefined for the end. */
  readonly target: number | undefined;
}

export class Feed {
  readonly narrow: Narrow;
  /** Where the reader was, kept for coming back. */
  place: Place | undefined;
  readonly #store: Store;
  #spans: Spans = NO_SPANS;
  #anchor = Infinity;
  #view: FeedView = {
    span: undefined,
    loading: undefined,
    error: undefined,
    isKept: false,
    turn: 0,
    target: undefined,
  };
  readonly #listeners = new Set<() => void>();
  #stop: () => void;

  constructor(store: Store, narrow: Narrow) {
    this.#store = store;
    this.narrow = narrow;
    this.#stop = store.onBatch((batch) => this.#follow(batch));
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly view = (): FeedView => this.#view;

  get reachesNewest(): boolean {
    return this.#view.span?.to === Infinity;
  }

  /** The reader is at this message: spans are kept around it. */
  moveTo(id: number): void {
    this.#anchor = id;
  }

  /** Shows a place, from what is held if it is there, else from the server. */
  async open(at: At): Promise<void> {
    const held = this.#held(at);
    if (held !== undefined) {
      this.#anchor = held.target ?? Infinity;
      this.#show({ span: held.span, target: held.target, turn: this.#view.turn + 1 });
      return;
    }
    await this.#fetch('open', at, BEFORE, at === 'newest' ? 0 : AFTER);
  }

  loadOlder(): Promise<void> {
    const { span, loading } = this.#view;
    if (span === undefined || span.from === 0 || loading !== undefined) return Promise.resolve();
    return this.#fetch('older', span.ids[0] ?? span.from, MORE, 0);
  }

  loadNewer(): Promise<void> {
    const { span, loading } = this.#view;
    if (span === undefined || span.to === Infinity || loading !== undefined)
      return Promise.resolve();
    return this.#fetch('newer', span.ids.at(-1) ?? span.to, 0, MORE);
  }

  /** Asks again for what failed. */
  retry(): Promise<void> {
    return this.#view.span === undefined ? this.open('first_unread') : this.loadOlder();
  }

  end(): void {
    this.#stop();
  }

  #held(at: At): { span: Span; target: number | undefined } | undefined {
    if (at === 'newest') {
      const span = newestSpan(this.#spans);
      return span && { span, target: undefined };
    }
    if (typeof at !== 'number') return undefined;
    const span = spanAt(this.#spans, at);
    return span && { span, target: at };
  }

  async #fetch(
    kind: NonNullable<FeedView['loading']>,
    at: At,
    before: number,
    after: number,
    replace = false,
  ): Promise<void> {
    this.#spans = beginFetch(this.#spans);
    this.#show({ loading: kind, error: undefined });
    const done = new AbortController();
    try {
      const asked = this.#store.client.chat.getMessages({
        ...(typeof at === 'object'
          ? { anchor: 'date', anchor_date: at.date }
          : { anchor: String(at) }),
        num_before: before,
        num_after: after,
        narrow: toApiNarrow(this.narrow),
        allow_empty_topic_name: true,
      });
      // The line above the first unread message is drawn once, with the count that the state has then.
      const [answer] = await Promise.all([
        // A register has just been answered, whatever the connection was before.
        kind === 'open' && !replace
          ? Promise.race([asked, offline(this.#store, done.signal)])
          : asked,
        at === 'first_unread' ? caughtUp(this.#store) : undefined,
      ]);
      const ids = this.#store.addMessages(answer.messages);
      const known = ids.filter((id) => this.#store.state.messages.has(id));
      const anchor = Math.min(answer.anchor ?? known.at(-1) ?? 0, Number.MAX_SAFE_INTEGER);
      const page = coverOf({
        ids: known,
        anchor,
        foundOldest: answer.found_oldest,
        foundNewest: answer.found_newest || at === 'newest',
      });
      const isNew = replace || this.#view.isKept;
      this.#spans = (isNew ? replaceAll : endFetch)(this.#spans, page);
      this.#view = { ...this.#view, isKept: false };
      if (kind === 'open' && !replace) {
        const isEnd = at === 'newest' || anchor > (page.ids.at(-1) ?? 0);
        this.#anchor = isEnd ? Infinity : anchor;
        this.#show({
          span: isEnd ? newestSpan(this.#spans) : spanAt(this.#spans, anchor),
          target: isEnd ? undefined : anchor,
          turn: this.#view.turn + 1,
          loading: undefined,
        });
        return;
      }
      this.#settle({ loading: undefined });
    } catch (error) {
      this.#spans = endFetch(this.#spans);
      if (kind === 'open' && this.#showKept()) return;
      this.#show({ loading: undefined, error });
    } finally {
      done.abort();
    }
  }

  /**
   * Shows what an earlier visit left of a conversation. It is taken for all there is, so that nothing more is asked for;
   * the register that follows replaces it.
   */
  #showKept(): boolean {
    const { kind } = viewOf(this.narrow);
    if (this.#view.span !== undefined || (kind !== 'topic' && kind !== 'direct')) return false;
    const { state } = this.#store;
    const ids = [...state.unverified].filter((id) => {
      const message = state.messages.get(id);
      return message !== undefined && matches(this.narrow, message, state) === true;
    });
    if (ids.length === 0) return false;
    const page = { from: 0, to: Infinity, ids: ids.sort((a, b) => a - b) };
    this.#spans = replaceAll(beginFetch(this.#spans), page);
    this.#anchor = Infinity;
    this.#show({
      span: newestSpan(this.#spans),
      target: undefined,
      isKept: true,
      turn: this.#view.turn + 1,
      loading: undefined,
    });
    return true;
  }

  #follow(batch: Batch): void {
    if (batch.kind === 'reset') {
      const { span, error } = this.#view;
      if (span === undefined) {
        // The server is there again, so nobody has to ask for it. The connection is called live a moment later.
        if (error !== undefined) setTimeout(() => void this.open('first_unread'));
        return;
      }
      const at = Number.isFinite(this.#anchor) ? this.#anchor : 'newest';
      void this.#fetch('open', at, BEFORE, at === 'newest' ? 0 : AFTER, true);
      return;
    }
    const before = this.#spans;
    for (const event of batch.events) this.#apply(event);
    if (this.#spans !== before) this.#settle({});
  }

  #apply(event: QueueEvent): void {
    switch (event.type) {
      case 'message':
        this.#place([event.message.id], false);
        break;
      case 'delete_message':
        for (const id of event.message_ids ?? [event.message_id ?? 0]) {
          this.#spans = removeMessage(this.#spans, id);
        }
        break;
      case 'update_message':
        if (event.subject !== undefined || event.new_stream_id !== undefined) {
          this.#place(event.message_ids, true);
        }
        break;
      case 'update_message_flags':
        if (event.flag === 'starred' && viewOf(this.narrow).kind === 'starred') {
          this.#place(event.messages, true);
        }
        break;
      default:
    }
  }

  /** Puts messages where they belong now. Those that were moved in from elsewhere are fetched first. */
  #place(ids: readonly number[], fetchMissing: boolean): void {
    const { state } = this.#store;
    const missing: number[] = [];
    for (const id of ids) {
      const message = state.messages.get(id);
      if (message === undefined) {
        this.#spans = removeMessage(this.#spans, id);
        missing.push(id);
      } else if (matches(this.narrow, message, state) === true) {
        this.#spans = addMessage(this.#spans, id);
      } else {
        this.#spans = removeMessage(this.#spans, id);
      }
    }
    const covered = missing.filter((id) => spanAt(this.#spans, id) !== undefined);
    if (fetchMissing && covered.length > 0) void this.#fetchBodies(covered.slice(0, BODIES_MAX));
  }

  async #fetchBodies(ids: readonly number[]): Promise<void> {
    const { messages } = await this.#store.client.chat
      .getMessages({ message_ids: ids, allow_empty_topic_name: true })
      .catch(() => ({ messages: [] }));
    this.#place(this.#store.addMessages(messages), false);
    this.#settle({});
  }

  /** The span that is read may have grown, or have been cut around the reader. */
  #settle(change: Partial<FeedView>): void {
    const anchor = Number.isFinite(this.#anchor) ? this.#anchor : Number.MAX_SAFE_INTEGER;
    this.#spans = trimAround(this.#spans, anchor);
    this.#show({ ...change, span: spanAt(this.#spans, anchor) ?? newestSpan(this.#spans) });
  }

  #show(change: Partial<FeedView>): void {
    this.#view = { ...this.#view, ...change };
    for (const listener of this.#listeners) listener();
  }
}

/** Rejects when the browser says that there is no network: nobody waits for an answer then. */
function offline(store: Store, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const check = (): void => {
      if (store.connection.kind === 'offline') reject(new Error('There is no network.'));
    };
    const stop = store.subscribe(check);
    signal.addEventListener('abort', stop, { once: true });
    check();
  });
}

/** Resolves once the state follows the server: what a browser stored may be a visit old. */
function caughtUp(store: Store): Promise<void> {
  return new Promise((resolve) => {
    if (store.connection.kind === 'live') {
      resolve();
      return;
    }
    const end = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(end, CATCH_UP_MS);
    const stop = store.subscribe(() => {
      if (store.connection.kind === 'live') end();
    });
  });
}

const FEEDS_MAX = 40;
const feeds = new WeakMap<Store, Map<string, Feed>>();

/** The feed of a narrow; the same one as long as it is among the last forty. */
export function feedOf(store: Store, narrow: Narrow): Feed {
  const known = feeds.get(store) ?? new Map<string, Feed>();
  feeds.set(store, known);
  const key = printNarrow({ terms: narrow.terms.filter(({ operator }) => operator !== 'with') });
  const feed = known.get(key) ?? new Feed(store, narrow);
  known.delete(key);
  known.set(key, feed);
  for (const [old, one] of known) {
    if (known.size <= FEEDS_MAX) break;
    one.end();
    known.delete(old);
  }
  return feed;
}
