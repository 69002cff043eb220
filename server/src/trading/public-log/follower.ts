// The follower: turns what the engine did into the public log. Any number of workers may run one; the worker that
// holds the claim works. Events and progress are one commit, so nothing is written twice, even if a worker dies.
import type pg from 'pg';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { readBounds } from '../../platform/events/log.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { Bell } from '../../platform/std/bell.ts';
import { pause } from '../../platform/std/wait.ts';
import { Archive } from '../engine/journal/archive.ts';
import { machineAt, readJournalHead } from '../engine/replay.ts';
import { LogPages } from '../projections/log-pages.ts';
import { publishKey } from './keys.ts';
import { beginLog, findPlace, type Place } from './place.ts';
import { claimFollowing, readProgress } from './store.ts';
import { replayStretch, takeTurn } from './turn.ts';

export interface Follower {
  stop(): Promise<void>;
}

export interface FollowerOptions {
  readonly shard?: number;
  /** Called after each commit; a test stops the follower between two of them. */
  onWritten?(events: number): void;
}

/** On a busy disk, bulk writes may take longer than the time limit of a request's statement. */
const STATEMENT_TIMEOUT_MS = 60_000;
const COMPLAIN_EVERY_MS = 5000;
/** A fault may lie in the data, and finding the place again costs a replay: so the pause grows. */
const ERROR_PAUSE_MS = 500;
const ERROR_PAUSE_MAX_MS = 60_000;
/** How often an idle worker checks whether the working one still holds the claim. */
const CLAIMED_PAUSE_MS = 1000;
/** The engine and the projections come first. A longer turn also costs less per event. */
const REST_MIN_MS = 250;
const REST_MAX_MS = 1000;

export function startFollower(ctx: Context, options: FollowerOptions = {}): Follower {
  if (ctx.config.PUBLIC_LOG !== 'true') return { stop: async () => {} };
  const follower = new Following(ctx, options);
  const running = follower.run();
  return {
    async stop() {
      follower.stop();
      await running;
    },
  };
}

class Following {
  readonly #ctx: Context;
  readonly #shard: number;
  readonly #onWritten: (events: number) => void;
  readonly #stopping = new AbortController();
  readonly #subscription: { unsubscribe(): void };
  readonly #bell = new Bell();
  #client: pg.PoolClient | undefined;
  #isClaimed = false;
  #pages: LogPages;
  #place: Place | undefined;

  constructor(ctx: Context, { shard = 0, onWritten = () => {} }: FollowerOptions) {
    this.#ctx = ctx;
    this.#shard = shard;
    this.#onWritten = onWritten;
    this.#pages = new LogPages(ctx.database.pool);
    this.#subscription = ctx.bus.subscribe(SUBJECTS.log, () => this.#bell.ring());
  }

  stop(): void {
    this.#stopping.abort();
    this.#bell.ring();
    this.#subscription.unsubscribe();
  }

  async run(): Promise<void> {
    const { log, metrics } = this.#ctx;
    const complain = rarely(COMPLAIN_EVERY_MS);
    let failures = 0;
    while (!this.#stopping.signal.aborted) {
      try {
        this.#client ??= await this.#connect();
        this.#bell.clear();
        await this.#work(this.#client);
        failures = 0;
      } catch (error) {
        complain((keptBack) =>
          log.error({ err: error, keptBack }, 'The public log could not be written.'),
        );
        metrics.publicLogFailed();
        this.#forget();
        await pause(
          Math.min(ERROR_PAUSE_MS * 2 ** failures, ERROR_PAUSE_MAX_MS),
          this.#stopping.signal,
        );
        failures += 1;
      }
    }
    this.#forget();
  }

  /** The claim ends with the connection. What is in memory may be ahead of what was committed. */
  #forget(): void {
    this.#client?.release(true);
    this.#client = undefined;
    this.#isClaimed = false;
    this.#place = undefined;
    this.#pages = new LogPages(this.#ctx.database.pool);
  }

  async #connect(): Promise<pg.PoolClient> {
    const fresh = await this.#ctx.database.pool.connect();
    try {
      await fresh.query(`SET statement_timeout = ${STATEMENT_TIMEOUT_MS}`);
    } catch (error) {
      // A connection that is never released would keep the pool from closing.
      fresh.release(true);
      throw error;
    }
    return fresh;
  }

  async #work(db: pg.PoolClient): Promise<void> {
    const { signal } = this.#stopping;
    if (!this.#isClaimed) {
      this.#isClaimed = await claimFollowing(db, this.#shard);
      if (!this.#isClaimed) {
        await pause(CLAIMED_PAUSE_MS, signal);
        return;
      }
      await publishKey(this.#ctx);
    }
    this.#place ??= await this.#find(db);
    if (this.#place === undefined) {
      await pause(CLAIMED_PAUSE_MS, signal);
      return;
    }
    const startedMs = performance.now();
    const done = await takeTurn(db, this.#pages, this.#shard, this.#place);
    switch (done.turn) {
      case 'worked':
        if (done.atMs > 0) this.#tell(done.events, done.atMs);
        await this.#rest(performance.now() - startedMs);
        return;
      case 'gap':
        await this.#catchUp(db, this.#place);
        return;
      case 'moved':
        this.#place = undefined;
        return;
      case 'locked':
        await pause(CLAIMED_PAUSE_MS, signal);
        return;
      case 'idle':
        this.#ctx.metrics.publicLogIdle();
        if (!signal.aborted) await this.#bell.wait(this.#ctx.config.EVENT_POLL_MS);
    }
  }

  async #find(db: pg.PoolClient): Promise<Place | undefined> {
    const progress = await readProgress(db, this.#shard);
    if (progress.lastEvent === 0) return beginLog(db, this.#ctx, this.#shard);
    return findPlace(db, this.#ctx, this.#shard, progress);
  }

  #tell(events: number, atMs: number): void {
    const { clock, metrics } = this.#ctx;
    metrics.publicLogged(events, Math.max(0, (clock.now() - atMs) / 1000));
    this.#onWritten(events);
  }

  #rest(workedMs: number): Promise<void> {
    const restMs = Math.min(Math.max(workedMs, REST_MIN_MS), REST_MAX_MS);
    return pause(Math.floor(restMs), this.#stopping.signal);
  }

  /** From the journal, because the event log no longer reaches back. */
  async #catchUp(db: pg.PoolClient, place: Place): Promise<void> {
    const { files, log } = this.#ctx;
    // Read before the journal's head, so that the journal has everything that the log has up to this position.
    const { head: logPosition } = await readBounds(db);
    const through = await readJournalHead(db, this.#shard);
    log.warn(
      { from: place.seq, through },
      'The event log no longer reaches back to the public log, which catches up from the journal.',
    );
    const archive = new Archive(files);
    const machine = await machineAt(db, this.#shard, place.seq, { log, archive });
    for (let isDone = false; !isDone && !this.#stopping.signal.aborted;) {
      const startedMs = performance.now();
      const stretch = { through, archive, logPosition };
      const done = await replayStretch(db, this.#shard, { place, machine }, stretch);
      if (done.turn !== 'worked') {
        this.#place = undefined;
        return;
      }
      isDone = machine.seq >= through;
      if (isDone) this.#pages.lookedThrough = logPosition;
      this.#tell(done.events, done.atMs);
      await this.#rest(performance.now() - startedMs);
    }
  }
}
