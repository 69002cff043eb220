// The queues that this node holds in memory, findable by id, by owner and by the audience of an event.
import type { Audience } from '../events/event.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Directory } from './directory.ts';
import { wantsExpansion, type Expander } from './expander.ts';
import type { LiveQueue } from './queue.ts';

export class HeldQueues {
  readonly #directory: Directory;
  readonly #expander: Expander | undefined;
  readonly #metrics: Metrics;
  readonly #byId = new Map<string, LiveQueue>();
  readonly #byUser = new Map<number, Set<LiveQueue>>();
  /** Queues that may get events of channels to which their owners are not subscribed. */
  readonly #wide = new Set<LiveQueue>();
  /** Queues that get events of expanded rows, by owner. */
  readonly #expanding = new Map<number, Set<LiveQueue>>();

  constructor(directory: Directory, metrics: Metrics, expander?: Expander) {
    this.#directory = directory;
    this.#expander = expander;
    this.#metrics = metrics;
  }

  get(id: string): LiveQueue | undefined {
    return this.#byId.get(id);
  }

  all(): Iterable<LiveQueue> {
    return this.#byId.values();
  }

  /** False once the queue was dropped, even if another queue has its id by now. */
  holds(queue: LiveQueue): boolean {
    return this.#byId.get(queue.description.id) === queue;
  }

  hasQueueOf(userId: number): boolean {
    return this.#byUser.has(userId);
  }

  *ofUsers(users: Iterable<number> | 'everybody'): Iterable<LiveQueue> {
    if (users === 'everybody') yield* this.#byId.values();
    else for (const userId of users) yield* this.#byUser.get(userId) ?? [];
  }

  /** Every queue whose owner may be in the audience, each once. */
  *candidatesFor(audience: Audience): Iterable<LiveQueue> {
    if ('everyone' in audience) yield* this.#byId.values();
    else if ('users' in audience) yield* this.ofUsers(new Set(audience.users));
    else if ('channel' in audience) {
      for (const userId of this.#directory.candidates(audience)) {
        for (const queue of this.#byUser.get(userId) ?? []) {
          if (!this.#wide.has(queue)) yield queue;
        }
      }
      yield* this.#wide;
    }
  }

  /** Whether there is any queue for the events of an expanded row. */
  get isExpanding(): boolean {
    return this.#expanding.size > 0;
  }

  *expandingOf(users: Iterable<number> | 'everybody'): Iterable<LiveQueue> {
    if (users !== 'everybody') {
      for (const userId of users) yield* this.#expanding.get(userId) ?? [];
    } else for (const own of this.#expanding.values()) yield* own;
  }

  add(queue: LiveQueue): LiveQueue {
    const { id, userId } = queue.description;
    this.#byId.set(id, queue);
    addTo(this.#byUser, userId, queue);
    if (wantsExpansion(this.#expander, queue.description)) addTo(this.#expanding, userId, queue);
    if (this.#directory.isWide(queue.description)) this.#wide.add(queue);
    this.#metrics.queuesLive(this.#byId.size);
    return queue;
  }

  /** Also answers the queue's waiting poll; its client polls again, and registers a new queue if it has to. */
  drop(queue: LiveQueue): void {
    const { id, userId } = queue.description;
    this.#byId.delete(id);
    this.#wide.delete(queue);
    if (removeFrom(this.#byUser, userId, queue)) this.#directory.leave(userId);
    if (removeFrom(this.#expanding, userId, queue)) this.#expander?.leave(userId);
    queue.release();
    this.#metrics.queuesLive(this.#byId.size);
  }
}

function addTo(queues: Map<number, Set<LiveQueue>>, userId: number, queue: LiveQueue): void {
  const own = queues.get(userId) ?? new Set();
  queues.set(userId, own.add(queue));
}

/** Whether this was the last of that person. */
function removeFrom(
  queues: Map<number, Set<LiveQueue>>,
  userId: number,
  queue: LiveQueue,
): boolean {
  const own = queues.get(userId);
  own?.delete(queue);
  if (own?.size !== 0) return false;
  return queues.delete(userId);
}
