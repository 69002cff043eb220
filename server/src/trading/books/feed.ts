// Keeps the copies of the books up to date: a book comes from the engine once, and from then on its
// changes come from the event log. After a gap, or when the log no longer reaches back far enough,
// the engine is asked again. Streams follow the log here as well, so that a process reads it once for both.
import type { TimedBookChange } from '@rialto/matching';
import type { ApiContext } from '../../platform/context.ts';
import { readAtStart } from '../../platform/db/busy.ts';
import { startConsumer, type Consumer } from '../../platform/events/consumer.ts';
import type { LoggedEvent } from '../../platform/events/event.ts';
import { readBounds } from '../../platform/events/log.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { pause } from '../../platform/std/wait.ts';
import { TRADING_BATCH, type Batch, type OpenBatch } from '../batches/batch.ts';
import { isWalletEvent, parseWalletEvent, type WalletEvent } from '../custody/events.ts';
import type { Engine } from '../engine/door.ts';
import type { Books } from './replica.ts';

/** Who wants to know what the feed does; told in the order of the log. */
export interface FeedFollower {
  /** A change was applied to the copy of a book. */
  onChange(change: TimedBookChange): void;
  /** The copy of a book was replaced as a whole. */
  onReset(symbol: string): void;
  /** A batch of the log; the changes of its books were told before. */
  onBatch(batch: Batch): void;
  /** A deposit or a withdrawal changed. */
  onWallet?(event: WalletEvent): void;
  /** Batches are missing between the one before and the next. */
  onLost(): void;
}

export interface BookFeed {
  /**
   * Resolves when the market's book is there; fails with the engine's error when it cannot be
   * fetched.
   */
  load(symbol: string): Promise<void>;
  /** Whether the market's book is being fetched: the copy may lack something until it is replaced. */
  isLoading(symbol: string): boolean;
  follow(follower: FeedFollower): void;
  /** Everything up to this position of the log was told. */
  position(): number;
  stop(): Promise<void>;
}

/**
 * Levels per side that are fetched. An answer of the engine is one bus message, and five thousand
 * levels a side are less than half of its limit.
 */
const FETCHED_LEVELS = 5000;
/** Changes of one book that wait while it is being fetched; with more, the fetch starts again. */
const WAITING_MAX = 20_000;
const RETRY_MS = 250;
const COMPLAIN_EVERY_MS = 5000;

export async function startBookFeed(
  ctx: Pick<ApiContext, 'database' | 'bus' | 'log' | 'clock' | 'config'>,
  engine: Engine,
  books: Books,
  openBatch: OpenBatch,
): Promise<BookFeed> {
  const { log } = ctx;
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const followers: FeedFollower[] = [];
  /** Books that are being fetched, and what happened to them meanwhile. */
  const fetching = new Map<string, { changes: TimedBookChange[]; done: Promise<void> }>();

  function take(change: TimedBookChange): void {
    const fetch = fetching.get(change.symbol);
    if (fetch !== undefined) {
      if (fetch.changes.length < WAITING_MAX) fetch.changes.push(change);
      return;
    }
    // The first change of a new market: there was nothing before it.
    if (change.updateId === 1 && !books.has(change.symbol)) {
      const { priceDecimals: quotePrecision, volumeDecimals: basePrecision, time } = change;
      const nothing = { updateId: 0, bids: [], asks: [], limit: FETCHED_LEVELS, time };
      books.reset(change.symbol, { ...nothing, quotePrecision, basePrecision });
    }
    if (!books.apply(change)) void keepFetching(change.symbol);
    else for (const follower of followers) follower.onChange(change);
  }

  function handle(event: LoggedEvent): void {
    if (isWalletEvent(event.type)) {
      const told = parseWalletEvent(event.payload);
      for (const follower of followers) follower.onWallet?.(told);
    }
    if (event.type !== TRADING_BATCH) return;
    const batch = openBatch(event);
    for (const change of batch.books) take(change);
    for (const follower of followers) follower.onBatch(batch);
  }

  function load(symbol: string): Promise<void> {
    const under = fetching.get(symbol);
    if (under !== undefined) return under.done;
    const changes: TimedBookChange[] = [];
    const done = fetch(symbol, changes).finally(() => {
      if (fetching.get(symbol)?.changes === changes) fetching.delete(symbol);
    });
    fetching.set(symbol, { changes, done });
    return done;
  }

  async function fetch(symbol: string, changes: TimedBookChange[]): Promise<void> {
    for (;;) {
      const before = await precisionOf(symbol);
      const depth = await engine.read('depth', { symbol, limit: FETCHED_LEVELS });
      // A market that the engine does not have exists only in the definitions, and nothing trades
      // there.
      if (before === undefined || depth === null) return;
      const after = await precisionOf(symbol);
      const isSettled =
        after?.quotePrecision === before.quotePrecision &&
        after.basePrecision === before.basePrecision;
      const waiting = changes.splice(0);
      if (!isSettled || waiting.length === WAITING_MAX) continue;
      const time = Math.floor(ctx.clock.now());
      books.reset(symbol, { ...depth, ...before, limit: FETCHED_LEVELS, time });
      if (!waiting.every((change) => books.apply(change))) continue;
      // What is told from here on belongs to this book.
      fetching.delete(symbol);
      for (const follower of followers) follower.onReset(symbol);
      return;
    }
  }

  async function precisionOf(symbol: string) {
    const [market] = await engine.read('markets', { symbol });
    if (market === undefined) return undefined;
    const { quotePrecision, basePrecision } = market.config;
    return { quotePrecision, basePrecision };
  }

  /** Retries until it succeeds: meanwhile readers see the old book. */
  async function keepFetching(symbol: string): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await load(symbol);
        return;
      } catch (error) {
        complain((keptBack) =>
          log.warn(
            { err: error, symbol, keptBack },
            'A book cannot be fetched; it is tried again.',
          ),
        );
        await pause(RETRY_MS, stopping.signal);
      }
    }
  }

  /** Fetches every market, so that the first reader need not wait. */
  async function fetchAll(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        for (const { config } of await engine.read('markets', {})) {
          if (stopping.signal.aborted) return;
          await load(config.symbol);
        }
        return;
      } catch {
        // There is no engine yet; a reader who asks for a book gets that answer.
        await pause(RETRY_MS, stopping.signal);
      }
    }
  }

  const { head } = await readAtStart(log, () => readBounds(ctx.database.pool));
  const consumer: Consumer = startConsumer({
    pool: ctx.database.pool,
    bus: ctx.bus,
    log,
    after: head,
    pollMs: ctx.config.EVENT_POLL_MS,
    handle,
    onLost() {
      for (const follower of followers) follower.onLost();
      void fetchAll();
    },
  });
  void fetchAll();
  return {
    load,
    isLoading: (symbol) => fetching.has(symbol),
    follow: (follower) => void followers.push(follower),
    position: () => consumer.position(),
    async stop() {
      stopping.abort();
      await consumer.stop();
    },
  };
}
