// The queues that this node holds. Any node can serve any queue: what it does not have in memory it
// rebuilds from the queue's description, the event log and the id that the client sends anyway.
import type pg from 'pg';
import type { Bus } from '../bus/bus.ts';
import { SUBJECTS } from '../bus/subjects.ts';
import { readAtStart } from '../db/busy.ts';
import { startConsumer, type Consumer } from '../events/consumer.ts';
import { idOf } from '../events/event.ts';
import type { Departure } from '../http/departure.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Clock } from '../std/clock.ts';
import { deliverEvent, deliverSignal } from './deliver.ts';
import type { Directory } from './directory.ts';
import { wantsExpansion, type Expander } from './expander.ts';
import { HeldQueues } from './held-queues.ts';
import { CATCH_UP_MS, isQueueId, Locator } from './locate.ts';
import { LiveQueue, type QueueDescription, type WantsEvent } from './queue.ts';
import { createReplay } from './replay.ts';
import { decodeSignal } from './signals.ts';
import { deleteQueue } from './store.ts';
import { startTouching, touch } from './touching.ts';
import { WaitingPolls } from './waiting.ts';

export interface HubOptions {
  /** Connections for following the log. */
  pool: pg.Pool;
  /** Connections for the requests of clients: reading a queue and what it missed. */
  readers: pg.Pool;
  bus: Bus;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  pollMs: number;
  heartbeatMs: number;
  /** Which event types go to clients that did not choose. */
  wantedByDefault: WantsEvent;
  /** Decides who gets which event, and in which form. */
  directory: Directory;
  /** Makes events of another product's rows. */
  expander?: Expander;
  /** A queue that is more than this many positions behind is not rebuilt; its client registers again. */
  replayMax: number;
}

export interface PollRequest {
  queueId: string;
  userId: number;
  lastEventId: number;
  dontBlock: boolean;
  /** Whether the caller may have this queue, which is the user's. */
  accepts?(queue: QueueDescription): boolean;
  /** Aborted when the client goes away. */
  signal: Departure;
}

/** The JSON text of an array of events, or the one reason why there is none. */
export type PollResult = { readonly events: string } | 'bad queue';

export interface Hub {
  poll(request: PollRequest): Promise<PollResult>;
  /** Takes a queue that was just registered here, so that its first poll needs no rebuild. */
  adopt(description: QueueDescription): Promise<void>;
  close(queueId: string, userId: number): Promise<boolean>;
  /** Makes events of another product's rows, if there is such a product. */
  readonly expander: Expander | undefined;
  /** Everything up to this position has reached the queues of this node. */
  position(): number;
  /** Answers every waiting poll; clients come again, here or at another node. */
  releaseAll(): void;
  stop(): Promise<void>;
}

/**
 * A node hands out events only if it confirmed within this time that it has read the whole log. Otherwise it
 * might not know yet that a right was taken away.
 */
const FRESH_MS = 500;

export async function startHub(options: HubOptions): Promise<Hub> {
  const { pool, readers, bus, log, metrics, clock, pollMs, heartbeatMs } = options;
  const { wantedByDefault, directory, expander, replayMax } = options;
  const queues = new HeldQueues(directory, metrics, expander);
  const delivery = { queues, directory, expander, wantedByDefault };
  const consumer = startConsumer({
    pool,
    bus,
    log,
    pollMs,
    after: await readAtStart(log, () => directory.open()),
    handle: (event) => deliverEvent(delivery, event),
    onLost: (head) => {
      log.error({ head }, 'The event log was trimmed past this node; its queues start over.');
      for (const queue of queues.all()) queue.chill();
      expander?.clear();
      // If this fails, the directory is loaded when the next queue needs it.
      directory.open().catch((error: unknown) => log.warn({ err: error }, 'No directory yet.'));
    },
  });
  const replay = createReplay({ readers, wantedByDefault, directory, expander, replayMax });
  const locator = new Locator({ queues, directory, expander, consumer, replay, readers, clock });
  const waiting = new WaitingPolls({ heartbeatMs, clock, metrics });
  const isFresh = createFreshness(consumer);
  let isStopping = false;

  const closed = bus.subscribe(SUBJECTS.queueClosed, (id) => {
    const queue = queues.get(id);
    if (queue !== undefined) queues.drop(queue);
  });
  const signals = bus.subscribe(SUBJECTS.signal, (text) =>
    deliverSignal(delivery, decodeSignal(text)),
  );
  const touching = startTouching({ queues, pool, clock, log });

  function releaseAll(): void {
    isStopping = true;
    for (const queue of queues.all()) queue.release();
  }

  return {
    async poll(request) {
      const located = locator.locate(request);
      const queue = located instanceof Promise ? await located : located;
      if (queue === undefined || request.accepts?.(queue.description) === false) {
        metrics.queueLost();
        return 'bad queue';
      }
      queue.polledMs = clock.now();
      if (!queue.hasPending && !request.dontBlock && !isStopping && !request.signal.aborted) {
        const outcome = await waiting.wait(queue, request.signal);
        if (outcome === 'silence') return { events: queue.takeHeartbeat() };
      }
      // The events stay pending until the next poll.
      if (queue.hasPending) {
        const fresh = isFresh();
        if (fresh !== true && !(await fresh)) return { events: '[]' };
      }
      if (queue.hasPending) waiting.answered(queue);
      return { events: queue.take() };
    },
    async adopt(description) {
      const queue = queues.add(new LiveQueue(description, clock.now()));
      const { id, userId, startPosition } = description;
      // If this node has not passed the queue's start, and knows its owner's rights, it need not read the log.
      // A failure here does no harm: the first poll tries again.
      try {
        const exactFrom = await directory.enter(userId);
        if (wantsExpansion(expander, description)) await expander?.enter(userId);
        const position = consumer.position();
        if (exactFrom <= position && position <= startPosition && queues.holds(queue)) {
          queue.load(idOf(startPosition));
          queue.loaded([], true);
        } else await locator.rebuild({ queueId: id, userId, lastEventId: -1 }, queue);
      } catch (error) {
        log.warn({ err: error }, 'A new queue could not be taken; its first poll tries again.');
      }
    },
    async close(queueId, userId) {
      if (!isQueueId(queueId) || !(await deleteQueue(readers, queueId, userId))) return false;
      const queue = queues.get(queueId);
      if (queue !== undefined) queues.drop(queue);
      bus.publish(SUBJECTS.queueClosed, queueId);
      return true;
    },
    expander,
    position: consumer.position,
    releaseAll,
    async stop() {
      releaseAll();
      touching.stop();
      closed.unsubscribe();
      signals.unsubscribe();
      await consumer.stop();
      await touch({ queues, pool, clock }).catch(() => {});
    },
  };
}

/** Tells whether this node has read the whole log as of a moment ago; if not, it first catches up. */
function createFreshness(consumer: Consumer): () => true | Promise<boolean> {
  let confirming: Promise<boolean> | undefined;
  return () => {
    if (performance.now() - consumer.confirmedMs() < FRESH_MS) return true;
    confirming ??= consumer.catchUp(CATCH_UP_MS).finally(() => {
      confirming = undefined;
    });
    return confirming;
  };
}
