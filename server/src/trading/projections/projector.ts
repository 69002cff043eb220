// Follows what the engine does and writes it down for readers. Any number of workers may run one: the row of
// the checkpoint is locked by whoever works, and what was written and how far that goes are one commit, so
// nothing is written twice whoever dies when.
import type pg from 'pg';
import { SUBJECTS } from '../../platform/bus/subjects.ts';
import type { Context } from '../../platform/context.ts';
import { readBounds } from '../../platform/events/log.ts';
import { rarely } from '../../platform/observe/rarely.ts';
import { assert } from '../../platform/std/assert.ts';
import { pause } from '../../platform/std/wait.ts';
import { machineAt, readJournalHead } from '../engine/replay.ts';
import type { Queryable } from './bulk.ts';
import type { OutcomeBatch, Counters, Fold } from './fold.ts';
import { foldBatches, openBatch, projectReplayed } from './project.ts';
import {
  inTransactionOf,
  lockCheckpoint,
  readBatches,
  writeAccounts,
  writeCheckpoint,
  writeFold,
  type BatchEvent,
  type Checkpoint,
} from './store.ts';

export interface Projector {
  stop(): Promise<void>;
}

/** Text of events that one transaction expands: some five thousand orders, whose rows are three times that. */
const BYTES_PER_TRANSACTION = 2 * 1024 * 1024;
/** A stretch of bulk writes is slower than what a request may take, on a busy disk. */
const STATEMENT_TIMEOUT_MS = 60_000;
const COMPLAIN_EVERY_MS = 5000;
const ERROR_PAUSE_MS = 500;
/** How often a worker that found another one at work looks again. */
const RIVAL_PAUSE_MS = 100;

/**
 * Rest after a stretch, as a share of the time it took. The engine comes first: orders that are being placed are
 * worth more than tables that are up to date at once, and stretches that had time to grow cost less an order,
 * because an order that changes often is written once and every statement holds more.
 */
const REST_SHARE = 0.5;
/** While there is more to do than it gets done, which is when it would take the most from the engine. */
const REST_SHARE_BEHIND = 4;
const REST_MAX_MS = 5000;

type Turn = 'worked' | 'idle' | 'rival' | 'gap';

export function startProjector(ctx: Context, { shard = 0 } = {}): Projector {
  const { bus, log, metrics } = ctx;
  const pollMs = ctx.config.EVENT_POLL_MS;
  const lagMaxMs = ctx.config.PROJECTION_LAG_MAX_MS;
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  let client: pg.PoolClient | undefined;
  /** The log was looked at through here; beyond the checkpoint there was nothing of ours. */
  let looked = 0;
  let ahead: Promise<Page> | undefined;
  let bell = Promise.withResolvers<void>();
  const subscription = bus.subscribe(SUBJECTS.log, () => bell.resolve());
  /** Somebody waits for what is not in the tables yet. */
  let wanted = Promise.withResolvers<void>();
  const asking = bus.subscribe(SUBJECTS.projectionWanted, (text) => {
    if (Number(text) === shard) wanted.resolve();
  });

  async function connect(): Promise<pg.PoolClient> {
    const fresh = await ctx.database.pool.connect();
    // A commit that a crash of the database undoes is done again, because the checkpoint is undone with it:
    // there is no need to wait for the disk, and the engine's own commits have it for themselves.
    try {
      await fresh.query(
        `SET statement_timeout = ${STATEMENT_TIMEOUT_MS}; SET synchronous_commit = off`,
      );
    } catch (error) {
      // One that is never given back would keep the pool from closing for ever.
      fresh.release(true);
      throw error;
    }
    return fresh;
  }

  async function readPage(
    db: Queryable,
    after: number,
    head: number,
    counters: Counters,
    bytesMax = BYTES_PER_TRANSACTION,
  ): Promise<Page> {
    const { events, through } = await readBatches(db, after, head, bytesMax);
    return { after, through, events: events.map((event) => openEvent(event, counters)) };
  }

  function readAhead(after: number, head: number, counters: Counters): void {
    if (after >= head) return;
    ahead = readPage(ctx.database.pool, after, head, counters);
    // Whoever takes it looks at its failure, and reads again.
    ahead.catch(() => {});
  }

  /** The page after this position, if it was read already and holds anything. */
  async function takeAhead(after: number): Promise<Page | undefined> {
    const page = await ahead?.catch(() => undefined);
    ahead = undefined;
    return page?.after === after && page.events.length > 0 ? page : undefined;
  }

  /** Does what has come, a transaction's worth. */
  async function turn(db: pg.PoolClient): Promise<Turn> {
    const done = await inTransactionOf(db, async () => {
      const before = await lockCheckpoint(db, shard);
      if (before === undefined) return { turn: 'rival' as const };
      const { head, trimmedThrough } = await readBounds(db);
      const after = Math.max(before.logPosition, looked);
      if (after < trimmedThrough) return { turn: 'gap' as const };
      let page = (await takeAhead(after)) ?? (await readPage(db, after, head, before));
      let chosen = choose(page.events, before, shard);
      if (chosen !== 'gap' && chosen.batches.length === 0 && chosen.isCut) {
        // One row of the journal is more than a page: it has to be read as a whole.
        page = await readPage(db, after, head, before, Number.MAX_SAFE_INTEGER);
        chosen = choose(page.events, before, shard);
        // Its last part has not been numbered yet.
        if (chosen !== 'gap' && chosen.batches.length === 0) return { turn: 'idle' as const };
      }
      if (chosen === 'gap') return { turn: 'gap' as const };
      if (chosen.batches.length === 0) {
        looked = page.through;
        return { turn: page.through < head ? ('worked' as const) : ('idle' as const) };
      }
      const startedMs = performance.now();
      const fold = await foldBatches(db, before, chosen.batches);
      // While the database writes this stretch, the next one is read and taken apart.
      readAhead(chosen.position, head, fold.counters);
      await writeFold(db, fold);
      await writeAccounts(db, [...fold.accounts.values()]);
      const { seq, engineSeq, position: logPosition } = chosen;
      const checkpoint = { seq, engineSeq, logPosition, ...fold.counters };
      await writeCheckpoint(db, shard, checkpoint);
      const isBehind = logPosition < head;
      const { lastOrderId } = before;
      const { atMs } = chosen;
      return { turn: 'worked' as const, checkpoint, fold, lastOrderId, startedMs, atMs, isBehind };
    });
    if (done.fold !== undefined) {
      announce(done.checkpoint, done.fold, done.startedMs, done.atMs);
      countByMarket(done.fold, done.lastOrderId);
      await rest(performance.now() - done.startedMs, done.atMs, done.isBehind);
    }
    return done.turn;
  }

  /** Leaves the machine to the engine for a while, unless the tables are too old for that or are waited for. */
  async function rest(workedMs: number, atMs: number, isBehind: boolean): Promise<void> {
    const leftMs = lagMaxMs - (ctx.clock.now() - atMs);
    const wishedMs = workedMs * (isBehind ? REST_SHARE_BEHIND : REST_SHARE);
    const restMs = Math.floor(Math.min(wishedMs, leftMs, REST_MAX_MS));
    if (restMs <= 0 || stopping.signal.aborted) return;
    wanted = Promise.withResolvers<void>();
    const awake = new AbortController();
    const isDisturbed = AbortSignal.any([awake.signal, stopping.signal]);
    await Promise.race([pause(restMs, isDisturbed), wanted.promise]);
    awake.abort();
  }

  function announce(checkpoint: Checkpoint, fold: Fold, startedMs: number, atMs: number): void {
    looked = Math.max(looked, checkpoint.logPosition);
    bus.publish(SUBJECTS.projected, `${shard} ${checkpoint.seq}`);
    metrics.projected(
      fold.stepCount,
      (performance.now() - startedMs) / 1000,
      Math.max(0, (ctx.clock.now() - atMs) / 1000),
    );
  }

  function countByMarket(fold: Fold, lastOrderId: number): void {
    const counts = new Map<string, { orders: number; trades: number }>();
    const of = (symbol: string) => {
      const count = counts.get(symbol) ?? { orders: 0, trades: 0 };
      counts.set(symbol, count);
      return count;
    };
    for (const { orderId, symbol } of fold.orders.values()) {
      if (orderId > lastOrderId) of(symbol).orders += 1;
    }
    for (const { trade } of fold.trades) of(trade.symbol).trades += 1;
    for (const [symbol, { orders, trades }] of counts) metrics.traded(symbol, orders, trades);
  }

  /** The log does not reach back to the checkpoint: the journal does. */
  async function catchUp(db: pg.PoolClient): Promise<void> {
    // The position is read before the journal's head: what the log holds up to it is in the journal then.
    const { head: logPosition } = await readBounds(db);
    const through = await readJournalHead(db, shard);
    const start = await inTransactionOf(db, () => lockCheckpoint(db, shard));
    if (start === undefined) return;
    if (start.seq >= through) {
      // Only others' events have gone: nothing of ours was missed.
      await inTransactionOf(db, async () => {
        const before = await lockCheckpoint(db, shard);
        if (before !== undefined) await writeCheckpoint(db, shard, { ...before, logPosition });
      });
      return;
    }
    log.warn(
      { from: start.seq, through },
      'The event log no longer reaches back to the projections; they catch up from the journal.',
    );
    const machine = await machineAt(db, shard, start.seq, log);
    for (let isDone = false; !isDone && !stopping.signal.aborted;) {
      const startedMs = performance.now();
      const done = await inTransactionOf(db, async () => {
        const before = await lockCheckpoint(db, shard);
        // Another worker was here meanwhile, and knows better.
        if (before === undefined || before.seq !== machine.seq) return undefined;
        const fold = await projectReplayed(db, machine, through, before);
        if (fold !== undefined) await writeAccounts(db, [...fold.accounts.values()]);
        isDone = machine.seq >= through;
        const checkpoint: Checkpoint = {
          seq: machine.seq,
          engineSeq: machine.state.engineSeq,
          logPosition: isDone ? Math.max(before.logPosition, logPosition) : before.logPosition,
          ...(fold?.counters ?? {
            lastOrderId: before.lastOrderId,
            lastEntryId: before.lastEntryId,
          }),
        };
        await writeCheckpoint(db, shard, checkpoint);
        return { checkpoint, fold };
      });
      if (done === undefined) return;
      if (done.fold !== undefined) announce(done.checkpoint, done.fold, startedMs, ctx.clock.now());
      looked = done.checkpoint.logPosition;
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        client ??= await connect();
        bell = Promise.withResolvers<void>();
        const result = await turn(client);
        if (result === 'gap') await catchUp(client);
        if (result === 'rival') await pause(RIVAL_PAUSE_MS, stopping.signal);
        if (result === 'idle') {
          metrics.projectionIdle();
          await Promise.race([bell.promise, pause(pollMs, stopping.signal)]);
        }
      } catch (error) {
        complain((keptBack) =>
          log.error({ err: error, keptBack }, 'The projections could not be written.'),
        );
        client?.release(true);
        client = undefined;
        looked = 0;
        await pause(ERROR_PAUSE_MS, stopping.signal);
      }
    }
    client?.release(true);
  }

  const running = run();
  return {
    async stop() {
      stopping.abort();
      bell.resolve();
      wanted.resolve();
      subscription.unsubscribe();
      asking.unsubscribe();
      await running;
    },
  };
}

/** An event that was taken apart. */
interface OpenEvent {
  readonly position: number;
  readonly atMs: number;
  readonly shard: number;
  readonly seq: number;
  readonly engineSeq: number;
  /** Whether it is the last of its journal row. */
  readonly isLast: boolean;
  readonly batch: OutcomeBatch;
}

interface Page {
  readonly after: number;
  readonly through: number;
  readonly events: readonly OpenEvent[];
}

interface Chosen {
  readonly batches: readonly OutcomeBatch[];
  /** Parts of another row follow, without its last. */
  readonly isCut: boolean;
  /** Of the last row among them. */
  readonly seq: number;
  readonly engineSeq: number;
  readonly position: number;
  readonly atMs: number;
}

const HEADER =
  /^\{"type":"trading_batch","shard":(\d+),"seq":(\d+),"engineSeq":(\d+),"part":(\d+),"parts":(\d+),/;

function openEvent({ position, atMs, payload }: BatchEvent, counters: Counters): OpenEvent {
  const header = HEADER.exec(payload);
  assert(header !== null, 'a trading batch begins with its header', { position });
  const [shard = 0, seq = 0, engineSeq = 0, part = 0, parts = 0] = header.slice(1).map(Number);
  const batch = openBatch(payload, counters);
  return { position, atMs, shard, seq, engineSeq, isLast: part + 1 === parts, batch };
}

/**
 * The whole journal rows among the events that follow the checkpoint. Rows that are known already are passed
 * over, and a row whose last part is not among the events is left for the next time.
 */
function choose(
  events: readonly OpenEvent[],
  checkpoint: Checkpoint,
  shard: number,
): Chosen | 'gap' {
  const batches: OutcomeBatch[] = [];
  let whole = 0;
  let { seq, engineSeq, logPosition: position } = checkpoint;
  let atMs = 0;
  for (const event of events) {
    if (event.shard !== shard || event.seq <= checkpoint.seq) continue;
    if (event.seq !== seq + 1) return 'gap';
    batches.push(event.batch);
    if (!event.isLast) continue;
    ({ seq, engineSeq, position, atMs } = event);
    whole = batches.length;
  }
  const isCut = batches.length > whole;
  return { batches: batches.slice(0, whole), isCut, seq, engineSeq, position, atMs };
}
