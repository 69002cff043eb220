// One client's event queue as a node holds it: a cursor on the log and what is pending behind it. The
// pending entries are references to shared events, never copies.
import { isVisibleIn, type Snapshot } from '../db/snapshot.ts';
import { idAfter, idOf, type LoggedEvent } from '../events/event.ts';

/** What a queue is. It is stored; what is in the queue is not. */
export interface QueueDescription {
  readonly id: string;
  readonly userId: number;
  readonly startPosition: number;
  readonly snapshot: Snapshot;
  /** Null: whatever the products send to clients that did not choose. */
  readonly eventTypes: ReadonlySet<string> | null;
  readonly idleSeconds: number;
}

/** Beyond this many pending events the queue lets go of them and reads the log again when asked. */
export const PENDING_MAX = 10_000;

export type Wanted = (type: string) => boolean;

/** Whether the queue's owner, being in the audience, should get the event in this queue. */
export function passes(
  queue: QueueDescription,
  event: LoggedEvent,
  wantedByDefault: Wanted,
): boolean {
  if (event.position <= queue.startPosition) return false;
  const { eventTypes } = queue;
  if (eventTypes === null ? !wantedByDefault(event.type) : !eventTypes.has(event.type))
    return false;
  // The initial state already shows what this transaction did.
  return !isVisibleIn(queue.snapshot, event.xid);
}

export class LiveQueue {
  readonly description: QueueDescription;
  /** Cold: events pass it by, and the next poll reads the log from the client's last id. */
  isCold = true;
  /** While the log is being read, arrivals are kept here as well. */
  isLoading = false;
  polledMs: number;
  #pending: LoggedEvent[] = [];
  /** Everything up to this id is done with: acknowledged here, or handed out by another node. */
  #doneId: number;
  /** The largest id that was handed out from here. */
  #lastId: number;
  #finish: (() => void) | undefined;

  constructor(description: QueueDescription, nowMs: number) {
    this.description = description;
    this.#doneId = idOf(description.startPosition);
    this.#lastId = this.#doneId;
    this.polledMs = nowMs;
  }

  get doneId(): number {
    return this.#doneId;
  }

  get hasPending(): boolean {
    return this.#pending.length > 0;
  }

  get isWaiting(): boolean {
    return this.#finish !== undefined;
  }

  /** Takes an event that passes the filter. Wakes the poll that waits, if any. */
  push(event: LoggedEvent): void {
    if ((this.isCold && !this.isLoading) || idOf(event.position) <= this.#doneId) return;
    if (this.#pending.length >= PENDING_MAX) return this.chill();
    this.#pending.push(event);
    if (!this.isLoading) this.#finish?.();
  }

  /** Lets go of everything that is pending; the log still has it. */
  chill(): void {
    this.#pending = [];
    this.isCold = true;
    this.isLoading = false;
    this.#finish?.();
  }

  /** Starts over behind `id`, keeping arrivals until `loaded` puts the log's part before them. */
  load(id: number): void {
    this.#pending = [];
    this.#doneId = id;
    this.#lastId = Math.max(this.#lastId, id);
    this.isLoading = true;
  }

  loaded(fromLog: readonly LoggedEvent[], isComplete: boolean): void {
    // A chill during the load means that arrivals were dropped; only the log's part is whole then.
    const isWhole = isComplete && this.isLoading;
    this.#pending = isWhole ? [...fromLog, ...this.#pending] : [...fromLog];
    this.isCold = !isWhole;
    this.isLoading = false;
  }

  acknowledge(id: number): void {
    if (id > this.#doneId) this.#doneId = id;
    if (id > this.#lastId) this.#lastId = id;
    const { length } = this.#pending;
    let done = 0;
    while (done < length && idOf((this.#pending[done] as LoggedEvent).position) <= id) done += 1;
    if (done > 0) this.#pending = this.#pending.slice(done);
  }

  /** For an id that nobody handed out: everything that was handed out counts as seen, and no more. */
  acknowledgeHandedOut(): void {
    this.acknowledge(this.#lastId);
  }

  /** What is pending, as the JSON text of an array, each with its id. It stays until acknowledged. */
  take(): string {
    let text = '';
    for (const event of this.#pending) {
      text += `${text === '' ? '[' : ','}{"id":${idOf(event.position)},${event.payload.slice(1)}`;
    }
    const last = this.#pending.at(-1);
    if (last !== undefined) this.#lastId = Math.max(this.#lastId, idOf(last.position));
    return text === '' ? '[]' : `${text}]`;
  }

  /** A sign of life, under an id that no event has; nothing when there is no such id. */
  takeHeartbeat(): string {
    const id = idAfter(this.#lastId);
    if (id === undefined) return '[]';
    this.#lastId = id;
    return `[{"id":${id},"type":"heartbeat"}]`;
  }

  /** Registers the one poll that waits; an earlier one is finished with what is there. */
  wait(finish: () => void): void {
    this.#finish?.();
    this.#finish = finish;
  }

  stopWaiting(finish: () => void): void {
    if (this.#finish === finish) this.#finish = undefined;
  }

  /** Answers the waiting poll now, with whatever there is. */
  release(): void {
    this.#finish?.();
  }
}
