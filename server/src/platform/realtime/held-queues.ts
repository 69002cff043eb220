// The queues that this node holds in memory, findable by id, by owner and by the audience of an event.
import type { Audience } from '../events/event.ts';
import type { Metrics } from '../observe/metrics.ts';
import type { Directory } from './directory.ts';
import type { LiveQueue } from './queue.ts';

export class HeldQueues {
  readonly #directory: Directory;
  readonly #metrics: Metrics;
  readonly #byId = new Map<string, LiveQueue>();
  readonly #byUser = new Map<number, Set<LiveQueue>>();
  /** Queues that may get events of channels to which their owners are not subscribed. */
  readonly #wide = new Set<LiveQueue>();

  constructor(directory: Directory, metrics: Metrics) {
    this.#directory = directory;
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
    else {
      for (const userId of this.#directory.candidates(audience)) {
        for (const queue of this.#byUser.get(userId) ?? []) {
          if (!this.#wide.has(queue)) yield queue;
        }
      }
      yield* this.#wide;
    }
  }

  add(queue: LiveQueue): LiveQueue {
    const { id, userId } = queue.description;
    this.#byId.set(id, queue);
    const own = this.#byUser.get(userId) ?? new Set();
    this.#byUser.set(userId, own.add(queue));
    if (this.#directory.isWide(queue.description)) this.#wide.add(queue);
    this.#metrics.queuesLive(this.#byId.size);
    return queue;
  }

  /** Also answers the queue's waiting poll; its client polls again, and registers a new queue if it has to. */
  drop(queue: LiveQueue): void {
    const { id, userId } = queue.description;
    this.#byId.delete(id);
    this.#wide.delete(queue);
    const own = this.#byUser.get(userId);
    own?.delete(queue);
    if (own?.size === 0) {
      this.#byUser.delete(userId);
      this.#directory.leave(userId);
    }
    queue.release();
    this.#metrics.queuesLive(this.#byId.size);
  }
}
