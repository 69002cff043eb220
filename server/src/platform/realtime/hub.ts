// The queues that this node holds. Any node can serve any queue: what it does not have in memory it
// rebuilds from the queue's description, the event log and the id that the client sends anyway.
import type pg from 'pg';
import type { Bus, Subscription } from '../bus/bus.ts';
import { SUBJECTS } from '../bus/subjects.ts';
import { isVisibleIn } from '../db/snapshot.ts';
import type { Audience, LoggedEvent } from '../events/event.ts';
import { idOf, positionOf } from '../events/event.ts';
import { readBounds } from '../events/log.ts';
import { startConsumer, type Consumer } from '../events/consumer.ts';
import type { Log } from '../observe/log.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Clock } from '../std/clock.ts';
import { LiveQueue, PENDING_MAX, passes, type QueueDescription, type Wanted } from './queue.ts';
import { deleteQueue, findQueue, readEventsFor, touchQueues } from './store.ts';

export interface HubOptions {
  pool: pg.Pool;
  bus: Bus;
  log: Log;
  metrics: Metrics;
  clock: Clock;
  pollMs: number;
  heartbeatMs: number;
  /** Which event types go to clients that did not choose. */
  wantedByDefault: Wanted;
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
  adopt(description: QueueDescription): void;
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
const REBUILD_PAGE = PENDING_MAX;

export async function startHub(options: HubOptions): Promise<Hub> {
  const { pool, bus, log, metrics, clock, pollMs, heartbeatMs, wantedByDefault } = options;
  const queues = new Map<string, LiveQueue>();
  const byUser = new Map<number, Set<LiveQueue>>();
  const loading = new Map<string, Promise<LiveQueue | undefined>>();
  let waiting = 0;
  let isStopping = false;

  const consumer: Consumer = startConsumer({
    pool,
    bus,
    log,
    pollMs,
    after: (await readBounds(pool)).head,
    handle: deliver,
    onLost: (head) => {
      log.error({ head }, 'The event log was trimmed past this node; its queues start over.');
      for (const queue of queues.values()) queue.chill();
    },
  });

  function deliver(event: LoggedEvent): void {
    for (const queue of audienceOf(event.audience)) {
      if (passes(queue.description, event, wantedByDefault)) queue.push(event);
    }
    // Whoever's rights changed has to prove anew who they are before anything more is handed out.
    for (const userId of event.rightsOf) {
      for (const queue of byUser.get(userId) ?? []) queue.release();
    }
  }

  function* audienceOf(audience: Audience): Iterable<LiveQueue> {
    if ('everyone' in audience) yield* queues.values();
    else for (const userId of audience.users) yield* byUser.get(userId) ?? [];
  }

  function insert(queue: LiveQueue): LiveQueue {
    const { id, userId } = queue.description;
    queues.set(id, queue);
    const own = byUser.get(userId) ?? new Set();
    byUser.set(userId, own.add(queue));
    metrics.queuesLive(queues.size);
    return queue;
  }

  function drop(queue: LiveQueue): void {
    const { id, userId } = queue.description;
    queues.delete(id);
    const own = byUser.get(userId);
    own?.delete(queue);
    if (own?.size === 0) byUser.delete(userId);
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
      const { head } = await readBounds(pool);
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
    const description = live?.description ?? (await findQueue(pool, queueId));
    if (description === undefined || description.userId !== userId) return undefined;
    const fromId = Math.max(lastEventId, idOf(description.startPosition));
    const queue = live ?? insert(new LiveQueue(description, clock.now()));
    // From this moment arrivals are kept, so the log is needed up to here and no further.
    const through = consumer.position();
    queue.load(fromId);
    try {
      const after = positionOf(fromId);
      const events = await readEventsFor(pool, userId, after, through, REBUILD_PAGE);
      // Asked after the reading: a trim in between must not go unnoticed.
      const { head, trimmedThrough } = await readBounds(pool);
      const isReachable = after >= trimmedThrough && after <= head;
      // A change that the initial state already shows is no change for this queue.
      const rightsChanged = events.some(
        (event) => event.rightsOf.includes(userId) && !isVisibleIn(description.snapshot, event.xid),
      );
      if (!isReachable || rightsChanged) {
        drop(queue);
        return undefined;
      }
      const wanted = events.filter((event) => passes(description, event, wantedByDefault));
      queue.loaded(wanted, events.length < REBUILD_PAGE);
      return queue;
    } catch (error) {
      queue.chill();
      throw error;
    }
  }

  async function poll(request: PollRequest): Promise<PollResult> {
    const queue = await locate(request);
    if (queue === undefined) return 'bad queue';
    queue.polledMs = clock.now();
    if (!queue.hasPending && !request.dontBlock && !isStopping && !request.signal.aborted) {
      const outcome = await waitForEvents(queue, request.signal);
      if (outcome === 'silence') return { events: queue.takeHeartbeat() };
    }
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

  const closed: Subscription = bus.subscribe(SUBJECTS.queueClosed, (id) => {
    const queue = queues.get(id);
    if (queue !== undefined) drop(queue);
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
    adopt(description) {
      // Only a node that has not gone past the queue's start can take it without reading the log.
      if (consumer.position() > description.startPosition) return;
      const queue = insert(new LiveQueue(description, clock.now()));
      queue.load(idOf(description.startPosition));
      queue.loaded([], true);
    },
    async close(queueId, userId) {
      if (!UUID.test(queueId) || !(await deleteQueue(pool, queueId, userId))) return false;
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
      await consumer.stop();
      await touch().catch(() => {});
    },
  };
}
