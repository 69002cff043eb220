// The queues that this node holds. Any node can serve any queue: what it does not have in memory it
// rebuilds from the queue's description, the event log and the id that the client sends anyway.
import type pg from 'pg';
import type { Bus, BusSubscription } from '../bus/bus.ts';
import { SUBJECTS } from '../bus/subjects.ts';
import { readAtStart } from '../db/busy.ts';
import type { Audience, LoggedEvent } from '../events/event.ts';
import { EVERYBODY, idOf, positionOf } from '../events/event.ts';
import { readBounds } from '../events/log.ts';
import { startConsumer, type Consumer } from '../events/consumer.ts';
import { Refusal } from '../http/refusal.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Clock } from '../std/clock.ts';
import type { Directory } from './directory.ts';
import {
  isWanted,
  LiveQueue,
  passes,
  toPending,
  type QueueDescription,
  type WantsEvent,
} from './queue.ts';
import { createReplay } from './replay.ts';
import { decodeSignal } from './signals.ts';
import { deleteQueue, findQueue, touchQueues } from './store.ts';

export interface HubOptions {
  /** For following the log. */
  pool: pg.Pool;
  /** For what a client asks for: its queue, and what it has missed. */
  readers: pg.Pool;
  bus: Bus;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  pollMs: number;
  heartbeatMs: number;
  /** Which event types go to clients that did not choose. */
  wantedByDefault: WantsEvent;
  /** Who may be told what, and in which form. */
  directory: Directory;
  /** A queue that is this many positions behind what it holds is not rebuilt: its client registers again. */
  replayMax: number;
}

export interface PollRequest {
  queueId: string;
  userId: number;
  lastEventId: number;
  dontBlock: boolean;
  /** Aborted when the client goes away. */
  signal: AbortSignal;
}

/** The JSON text of an array of events, or the one reason why there is none. */
export type PollResult = { readonly events: string } | 'bad queue';

export interface Hub {
  poll(request: PollRequest): Promise<PollResult>;
  /** Takes a queue that was just registered here, so that its first poll needs no rebuild. */
  adopt(description: QueueDescription): Promise<void>;
  close(queueId: string, userId: number): Promise<boolean>;
  /** Everything up to this position has reached the queues of this node. */
  position(): number;
  /** Answers every waiting poll; clients come again, here or at another node. */
  releaseAll(): void;
  stop(): Promise<void>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const TOUCH_EVERY_MS = 60_000;
const HEARTBEAT_JITTER_MS = 10_000;
/**
 * Nothing is handed out by a node that has not made sure, at most this long ago, that it knows everything
 * in the log: it might not know yet that a right was taken away.
 */
const FRESH_MS = 500;
/** How long a node that is behind may keep a client waiting before it has to ask again. */
const CATCH_UP_MS = 5000;

export async function startHub(options: HubOptions): Promise<Hub> {
  const { pool, readers, bus, log, metrics, clock, pollMs, heartbeatMs } = options;
  const { wantedByDefault, directory, replayMax } = options;
  const replay = createReplay({ readers, wantedByDefault, directory, replayMax });
  const queues = new Map<string, LiveQueue>();
  const byUser = new Map<number, Set<LiveQueue>>();
  /** Queues that may get events of channels to which their owners are not subscribed. */
  const wide = new Set<LiveQueue>();
  const loading = new Map<string, Promise<LiveQueue | undefined>>();
  let confirming: Promise<boolean> | undefined;
  let waiting = 0;
  let isStopping = false;

  const consumer: Consumer = startConsumer({
    pool,
    bus,
    log,
    pollMs,
    after: await readAtStart(log, () => directory.open()),
    handle: deliver,
    onLost: (head) => {
      log.error({ head }, 'The event log was trimmed past this node; its queues start over.');
      for (const queue of queues.values()) queue.chill();
      // A node that cannot read its directory now does so when the next queue needs it.
      directory.open().catch((error: unknown) => log.warn({ err: error }, 'No directory yet.'));
    },
  });

  function deliver(event: LoggedEvent): void {
    // First the rights, then the telling: whoever gains a right by this event is told of it.
    const { affected, gone } = directory.apply(event);
    const isWithdrawn = directory.withdraws(event);
    for (const queue of candidatesOf(event.audience)) {
      const { description } = queue;
      if (!queue.takesArrivals) continue;
      const isPassed = passes(description, event, wantedByDefault);
      // Also a client that does not ask for such events is not given what one of them took back.
      if (!isPassed && isWithdrawn === undefined) continue;
      if (!directory.admits(description, event.audience)) continue;
      const texts = directory.shape(event, description);
      if (isWithdrawn !== undefined && texts.length > 0) {
        queue.forget((earlier) => !isWithdrawn(earlier, description));
      }
      if (isPassed) queue.push(toPending(event, texts));
    }
    for (const queue of queuesOf(affected)) {
      const { userId } = queue.description;
      queue.forget((earlier) => directory.mayKeep(userId, earlier.audience));
    }
    for (const queue of queuesOf(gone)) {
      queue.forget(() => false);
      drop(queue);
    }
    // Whoever's rights changed has to prove anew who they are before anything more is handed out.
    const { rightsOf } = event;
    for (const queue of queuesOf(rightsOf.includes(EVERYBODY) ? 'everybody' : rightsOf)) {
      queue.release();
    }
  }

  function* queuesOf(users: Iterable<number> | 'everybody'): Iterable<LiveQueue> {
    if (users === 'everybody') yield* queues.values();
    else for (const userId of users) yield* byUser.get(userId) ?? [];
  }

  /** Every queue that the audience can mean, each once. */
  function* candidatesOf(audience: Audience): Iterable<LiveQueue> {
    if ('everyone' in audience) yield* queues.values();
    else if ('users' in audience) yield* queuesOf(new Set(audience.users));
    else {
      for (const userId of directory.candidates(audience)) {
        for (const queue of byUser.get(userId) ?? []) if (!wide.has(queue)) yield queue;
      }
      yield* wide;
    }
  }

  function insert(queue: LiveQueue): LiveQueue {
    const { id, userId } = queue.description;
    queues.set(id, queue);
    const own = byUser.get(userId) ?? new Set();
    byUser.set(userId, own.add(queue));
    if (directory.isWide(queue.description)) wide.add(queue);
    metrics.queuesLive(queues.size);
    return queue;
  }

  function drop(queue: LiveQueue): void {
    const { id, userId } = queue.description;
    queues.delete(id);
    wide.delete(queue);
    const own = byUser.get(userId);
    own?.delete(queue);
    if (own?.size === 0) {
      byUser.delete(userId);
      directory.leave(userId);
    }
    queue.release();
    metrics.queuesLive(queues.size);
  }

  /** Finds the queue and brings it to the client's `lastEventId`; undefined: register again. */
  async function locate(request: PollRequest): Promise<LiveQueue | undefined> {
    const { queueId, userId, lastEventId } = request;
    if (!UUID.test(queueId)) return undefined;
    // One rebuild of a queue at a time: two would overwrite each other's arrivals.
    const under = loading.get(queueId);
    if (under !== undefined) {
      await under.catch(() => {});
      return locate(request);
    }
    const live = queues.get(queueId);
    if (live !== undefined && live.description.userId !== userId) return undefined;
    if (live === undefined || live.isCold) return rebuild(queueId, userId, live, lastEventId);
    if (lastEventId === -1 && live.doneId === idOf(live.description.startPosition)) return live;
    // A client that goes back gets the past again: the log has it.
    if (lastEventId < live.doneId) return rebuild(queueId, userId, live, lastEventId);
    if (positionOf(lastEventId) > consumer.position()) {
      const { head } = await readBounds(readers);
      if (positionOf(lastEventId) > head) live.acknowledgeHandedOut();
      else live.acknowledge(lastEventId);
    } else {
      live.acknowledge(lastEventId);
    }
    return live;
  }

  function rebuild(
    queueId: string,
    userId: number,
    live: LiveQueue | undefined,
    lastEventId: number,
  ): Promise<LiveQueue | undefined> {
    const work = rebuildFromLog(queueId, userId, live, lastEventId).finally(() =>
      loading.delete(queueId),
    );
    loading.set(queueId, work);
    return work;
  }

  async function rebuildFromLog(
    queueId: string,
    userId: number,
    live: LiveQueue | undefined,
    lastEventId: number,
  ): Promise<LiveQueue | undefined> {
    const description = live?.description ?? (await findQueue(readers, queueId));
    if (description === undefined || description.userId !== userId) return undefined;
    const fromId = Math.max(lastEventId, idOf(description.startPosition));
    const queue = live ?? insert(new LiveQueue(description, clock.now()));
    try {
      const exactFrom = await directory.enter(userId);
      if (!(await consumer.reach(exactFrom, CATCH_UP_MS))) throw behind();
      if (queues.get(queueId) !== queue) {
        if (!byUser.has(userId)) directory.leave(userId);
        return undefined;
      }
      // From this moment arrivals are kept, so the log is needed up to here and no further.
      const through = consumer.position();
      queue.load(fromId);
      const read = await replay(description, fromId, through);
      if (queues.get(queueId) !== queue) return undefined;
      if (read === undefined) {
        drop(queue);
        return undefined;
      }
      // What was taken away while the log was read is not handed out either.
      const { pending, isComplete } = read;
      const kept = pending.filter(({ event }) => directory.mayKeep(userId, event.audience));
      queue.loaded(kept, isComplete);
      return queue;
    } catch (error) {
      queue.chill();
      throw error;
    }
  }

  /** Whether this node knew everything a moment ago; if not, it learns it first. */
  async function isFresh(): Promise<boolean> {
    if (performance.now() - consumer.confirmedMs() < FRESH_MS) return true;
    confirming ??= consumer.catchUp(CATCH_UP_MS).finally(() => {
      confirming = undefined;
    });
    return confirming;
  }

  async function poll(request: PollRequest): Promise<PollResult> {
    const queue = await locate(request);
    if (queue === undefined) {
      metrics.queueLost();
      return 'bad queue';
    }
    queue.polledMs = clock.now();
    if (!queue.hasPending && !request.dontBlock && !isStopping && !request.signal.aborted) {
      const outcome = await waitForEvents(queue, request.signal);
      if (outcome === 'silence') return { events: queue.takeHeartbeat() };
    }
    // What is kept back stays pending, and is there when the client comes again.
    if (queue.hasPending && !(await isFresh())) return { events: '[]' };
    return { events: queue.take() };
  }

  function waitForEvents(queue: LiveQueue, signal: AbortSignal): Promise<'finished' | 'silence'> {
    return new Promise((resolve) => {
      const silenceMs = heartbeatMs + Math.random() * Math.min(HEARTBEAT_JITTER_MS, heartbeatMs);
      const end = (outcome: 'finished' | 'silence') => {
        clearTimeout(timer);
        signal.removeEventListener('abort', finish);
        queue.stopWaiting(finish);
        queue.polledMs = clock.now();
        waiting -= 1;
        metrics.pollsWaiting(waiting);
        resolve(outcome);
      };
      const finish = () => end('finished');
      const timer = setTimeout(end, silenceMs, 'silence');
      waiting += 1;
      metrics.pollsWaiting(waiting);
      queue.wait(finish);
      signal.addEventListener('abort', finish, { once: true });
    });
  }

  const closed: BusSubscription = bus.subscribe(SUBJECTS.queueClosed, (id) => {
    const queue = queues.get(id);
    if (queue !== undefined) drop(queue);
  });

  const signals: BusSubscription = bus.subscribe(SUBJECTS.signal, (text) => {
    const event = decodeSignal(text);
    for (const queue of candidatesOf(event.audience)) {
      const { description } = queue;
      if (!queue.takesSignals || !isWanted(description, event.type, wantedByDefault)) continue;
      if (directory.admits(description, event.audience)) {
        queue.signal(event, directory.shape(event, description));
      }
    }
  });

  /** Saves who was seen, learns who is gone, and forgets who has not come back. */
  async function touch(): Promise<void> {
    const nowMs = clock.now();
    const seen: string[] = [];
    for (const queue of queues.values()) {
      if (queue.isWaiting) queue.polledMs = nowMs;
      if (nowMs - queue.polledMs < TOUCH_EVERY_MS * 1.5) seen.push(queue.description.id);
      else if (nowMs - queue.polledMs > queue.description.idleSeconds * 1000) drop(queue);
    }
    const alive = await touchQueues(pool, seen);
    for (const id of seen) {
      const queue = queues.get(id);
      if (queue !== undefined && !alive.has(id)) drop(queue);
    }
  }
  const touching = setInterval(() => {
    touch().catch((error: unknown) => log.warn({ err: error }, 'Queue times could not be saved.'));
  }, TOUCH_EVERY_MS);
  touching.unref();

  function releaseAll(): void {
    isStopping = true;
    for (const queue of queues.values()) queue.release();
  }

  return {
    poll,
    async adopt(description) {
      const queue = insert(new LiveQueue(description, clock.now()));
      const { id, userId, startPosition } = description;
      // A node that has not gone past the queue's start, and knows what its owner may see, need read
      // nothing. What goes wrong here is no loss: the first poll does the same.
      try {
        const exactFrom = await directory.enter(userId);
        const position = consumer.position();
        if (exactFrom <= position && position <= startPosition && queues.get(id) === queue) {
          queue.load(idOf(startPosition));
          queue.loaded([], true);
        } else await rebuild(id, userId, queue, -1);
      } catch (error) {
        log.warn({ err: error }, 'A new queue could not be taken; its first poll tries again.');
      }
    },
    async close(queueId, userId) {
      if (!UUID.test(queueId) || !(await deleteQueue(readers, queueId, userId))) return false;
      const queue = queues.get(queueId);
      if (queue !== undefined) drop(queue);
      bus.publish(SUBJECTS.queueClosed, queueId);
      return true;
    },
    position: consumer.position,
    releaseAll,
    async stop() {
      releaseAll();
      clearInterval(touching);
      closed.unsubscribe();
      signals.unsubscribe();
      await consumer.stop();
      await touch().catch(() => {});
    },
  };
}

/** Not an error of the client's: another node, or this one in a moment, can answer. */
const behind = () =>
  new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    message: 'This server is catching up with events; try again shortly.',
    status: 503,
    headers: { 'retry-after': '1' },
  });
