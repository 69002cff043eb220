// Finds the queue that a client asks for and brings it to the event that the client saw last. A queue that
// is not in memory, or not up to date there, is rebuilt from its description and the log.
import type pg from 'pg';
import type { Consumer } from '../events/consumer.ts';
import { idOf, positionOf } from '../events/event.ts';
import { readBounds } from '../events/log.ts';
import { Refusal } from '../http/refusal.ts';
import type { Clock } from '../std/clock.ts';
import type { Directory } from './directory.ts';
import { wantsExpansion, type Expander } from './expander.ts';
import type { HeldQueues } from './held-queues.ts';
import { LiveQueue } from './queue.ts';
import type { Replay } from './replay.ts';
import { findQueue } from './store.ts';

/** How long a client waits for a node that is behind; then it has to poll again. */
export const CATCH_UP_MS = 5000;

export interface LocatorOptions {
  readonly queues: HeldQueues;
  readonly directory: Directory;
  readonly expander: Expander | undefined;
  readonly consumer: Consumer;
  readonly replay: Replay;
  readonly readers: pg.Pool;
  readonly clock: Clock;
}

/** What a client sends about its queue, not checked yet. */
export interface Sought {
  readonly queueId: string;
  readonly userId: number;
  readonly lastEventId: number;
}

export class Locator {
  readonly #options: LocatorOptions;
  readonly #rebuilds = new Map<string, Promise<LiveQueue | undefined>>();

  constructor(options: LocatorOptions) {
    this.#options = options;
  }

  /** Undefined: the client has to register again. A queue that is up to date here is returned without a promise. */
  locate(sought: Sought): LiveQueue | undefined | Promise<LiveQueue | undefined> {
    const { queueId, userId, lastEventId } = sought;
    // One rebuild of a queue at a time: two would overwrite each other's arrivals.
    const rebuild = this.#rebuilds.get(queueId);
    if (rebuild !== undefined) return this.#locateAfter(rebuild, sought);
    const live = this.#options.queues.get(queueId);
    if (live === undefined) return isQueueId(queueId) ? this.rebuild(sought, live) : undefined;
    if (live.description.userId !== userId) return undefined;
    if (live.isCold) return this.rebuild(sought, live);
    if (lastEventId === -1 && live.doneId === idOf(live.description.startPosition)) return live;
    // A client that sends an older id gets those events again, from the log.
    if (lastEventId < live.doneId) return this.rebuild(sought, live);
    if (positionOf(lastEventId) > this.#options.consumer.position()) {
      return this.#acknowledgeAhead(live, lastEventId);
    }
    live.acknowledge(lastEventId);
    return live;
  }

  async #locateAfter(
    rebuild: Promise<LiveQueue | undefined>,
    sought: Sought,
  ): Promise<LiveQueue | undefined> {
    await rebuild.catch(() => {});
    return this.locate(sought);
  }

  /** Of an id that another node sent, or nobody. */
  async #acknowledgeAhead(live: LiveQueue, lastEventId: number): Promise<LiveQueue> {
    const { head } = await readBounds(this.#options.readers);
    if (positionOf(lastEventId) > head) live.acknowledgeHandedOut();
    else live.acknowledge(lastEventId);
    return live;
  }

  rebuild(sought: Sought, live: LiveQueue | undefined): Promise<LiveQueue | undefined> {
    const work = this.#rebuildFromLog(sought, live).finally(() =>
      this.#rebuilds.delete(sought.queueId),
    );
    this.#rebuilds.set(sought.queueId, work);
    return work;
  }

  async #rebuildFromLog(
    { queueId, userId, lastEventId }: Sought,
    live: LiveQueue | undefined,
  ): Promise<LiveQueue | undefined> {
    const { queues, directory, expander, consumer, replay, readers, clock } = this.#options;
    const description = live?.description ?? (await findQueue(readers, queueId));
    if (description === undefined || description.userId !== userId) return undefined;
    const fromId = Math.max(lastEventId, idOf(description.startPosition));
    const queue = live ?? queues.add(new LiveQueue(description, clock.now()));
    try {
      const exactFrom = await directory.enter(userId);
      if (wantsExpansion(expander, description)) await expander?.enter(userId);
      if (!(await consumer.reach(exactFrom, CATCH_UP_MS))) throw behind();
      if (!queues.holds(queue)) {
        if (!queues.hasQueueOf(userId)) directory.leave(userId);
        return undefined;
      }
      // The queue keeps arrivals from now on, so the log is read only up to here.
      const through = consumer.position();
      queue.load(fromId);
      const read = await replay(description, fromId, through);
      if (!queues.holds(queue)) return undefined;
      if (read === undefined) {
        queues.drop(queue);
        return undefined;
      }
      // Rights may have been lost while the log was read.
      const { pending, isComplete } = read;
      const kept = pending.filter(({ event }) => directory.mayKeep(userId, event.audience));
      queue.loaded(kept, isComplete);
      return queue;
    } catch (error) {
      queue.chill();
      throw error;
    }
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

export const isQueueId = (text: string): boolean => UUID.test(text);

/** Not the client's fault: it can try again, here or at another node. */
const behind = () =>
  new Refusal({
    code: 'SERVICE_UNAVAILABLE',
    message: 'This server is catching up with events; try again shortly.',
    status: 503,
    headers: { 'retry-after': '1' },
  });
