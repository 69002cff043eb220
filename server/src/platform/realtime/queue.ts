// One client's event queue as a node holds it: a cursor on the log and what is pending behind it. The
// pending entries refer to texts that many queues share, they are never copies.
import { isVisibleIn, type DatabaseSnapshot } from '../db/snapshot.ts';
import { idAfter, idOf, positionOf, type LoggedEvent } from '../events/event.ts';

/** What a queue is. It is stored; what is in the queue is not. */
export interface QueueDescription {
  readonly id: string;
  readonly userId: number;
  readonly startPosition: number;
  readonly snapshot: DatabaseSnapshot;
  /** Null: whatever the products send to clients that did not choose. */
  readonly eventTypes: ReadonlySet<string> | null;
  /** What else the client asked for; the products shape and filter their events by it. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly idleSeconds: number;
}

/** Beyond this many pending events, or bytes of them, the queue lets go of them and reads the log again when asked. */
export const PENDING_MAX = 10_000;
export const PENDING_BYTES = 8 * 1024 * 1024;
/** One answer has as many events as fit into this, and one at least; the rest comes with the next poll. */
const ANSWER_BYTES = 2 * 1024 * 1024;

/** Texts by their length in characters, which is close enough for a bound of memory. */
export const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

/** With this many pending, the client does not come often enough for what is only worth knowing now. */
const SIGNALS_BEHIND_MAX = 200;

export type WantsEvent = (type: string) => boolean;

/** Whether the client wants to know of such events. */
export const isWanted = (
  { eventTypes }: QueueDescription,
  type: string,
  wantedByDefault: WantsEvent,
): boolean => (eventTypes === null ? wantedByDefault(type) : eventTypes.has(type));

/** Whether the queue's owner, being in the audience, should get the event in this queue. */
export function passes(
  queue: QueueDescription,
  event: LoggedEvent,
  wantedByDefault: WantsEvent,
): boolean {
  if (event.position <= queue.startPosition) return false;
  if (!isWanted(queue, event.type, wantedByDefault)) return false;
  // The initial state already shows what this transaction did.
  return !isVisibleIn(queue.snapshot, event.xid);
}

/** One text of an event, under its id. An event that is several texts to this client has several. */
export interface Pending {
  readonly id: number;
  readonly text: string;
  readonly event: LoggedEvent;
}

export function toPending(event: LoggedEvent, texts: readonly string[]): Pending[] {
  const first = idOf(event.position);
  return texts.map((text, index) => {
    const id = first + index;
    if (positionOf(id) !== event.position) {
      throw new Error(
        `Event ${event.position} has ${texts.length} texts, more than there are ids.`,
      );
    }
    return { id, text, event };
  });
}

export class LiveQueue {
  readonly description: QueueDescription;
  /** Cold: events pass it by, and the next poll reads the log from the client's last id. */
  isCold = true;
  /** While the log is being read, arrivals are kept here as well. */
  isLoading = false;
  polledMs: number;
  #pending: Pending[] = [];
  /** Counted when something comes, and anew when something goes. */
  #pendingBytes = 0;
  /** What has to be asked of everything that the log still brings. */
  #keeps: ((event: LoggedEvent) => boolean)[] = [];
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

  /** Whether an arrival would be kept; if not, nobody need work out what it looks like. */
  get takesArrivals(): boolean {
    return !this.isCold || this.isLoading;
  }

  /** Takes what an event is to this client. Wakes the poll that waits, if any. */
  push(arrivals: readonly Pending[]): void {
    const fresh = arrivals.filter(({ id }) => id > this.#doneId);
    if (!this.takesArrivals || fresh.length === 0) return;
    const bytes = this.#pendingBytes + lengthOf(fresh.map(({ text }) => text));
    if (this.#pending.length + fresh.length > PENDING_MAX || bytes > PENDING_BYTES) {
      return this.chill();
    }
    this.#pending.push(...fresh);
    this.#pendingBytes = bytes;
    if (!this.isLoading) this.#finish?.();
  }

  /** Whether a signal would be kept. While the log is read nobody can say which id comes next. */
  get takesSignals(): boolean {
    return !this.isCold && !this.isLoading && this.#pending.length < SIGNALS_BEHIND_MAX;
  }

  /**
   * Takes what a signal is to this client, under the next ids that no event can have; when there is none
   * left before the next event, the signal is lost.
   */
  signal(event: LoggedEvent, texts: readonly string[]): void {
    if (!this.takesSignals) return;
    for (const text of texts) {
      const id = idAfter(Math.max(this.#lastId, this.#pending.at(-1)?.id ?? 0));
      if (id === undefined) break;
      this.#pending.push({ id, text, event });
      this.#pendingBytes += text.length;
    }
    if (this.hasPending) this.#finish?.();
  }

  #replace(pending: Pending[]): void {
    this.#pending = pending;
    this.#pendingBytes = lengthOf(pending.map(({ text }) => text));
  }

  /** Lets go of everything that is pending; the log still has it. */
  chill(): void {
    this.#replace([]);
    this.isCold = true;
    this.isLoading = false;
    this.#finish?.();
  }

  /** Drops what the owner may no longer be shown. It will not come again. */
  forget(mayKeep: (event: LoggedEvent) => boolean): void {
    // What is being read from the log meanwhile is asked when it comes.
    if (this.isLoading) this.#keeps.push(mayKeep);
    if (this.#pending.length === 0) return;
    this.#replace(this.#pending.filter(({ event }) => mayKeep(event)));
  }

  /** Starts over behind `id`, keeping arrivals until `loaded` puts the log's part before them. */
  load(id: number): void {
    this.#replace([]);
    this.#doneId = id;
    this.#lastId = Math.max(this.#lastId, id);
    this.#keeps = [];
    this.isLoading = true;
  }

  loaded(fromLog: readonly Pending[], isComplete: boolean): void {
    // A chill during the load means that arrivals were dropped; only the log's part is whole then.
    const isWhole = isComplete && this.isLoading;
    const earlier = fromLog.filter(
      ({ id, event }) => id > this.#doneId && this.#keeps.every((mayKeep) => mayKeep(event)),
    );
    this.#keeps = [];
    this.#replace(isWhole ? [...earlier, ...this.#pending] : earlier);
    this.isCold = !isWhole;
    this.isLoading = false;
  }

  acknowledge(id: number): void {
    if (id > this.#doneId) this.#doneId = id;
    if (id > this.#lastId) this.#lastId = id;
    const { length } = this.#pending;
    let done = 0;
    while (done < length && (this.#pending[done] as Pending).id <= id) done += 1;
    if (done > 0) this.#replace(this.#pending.slice(done));
  }

  /** For an id that nobody handed out: everything that was handed out counts as seen, and no more. */
  acknowledgeHandedOut(): void {
    this.acknowledge(this.#lastId);
  }

  /** What is pending and fits, as the JSON text of an array, each with its id. It stays until acknowledged. */
  take(): string {
    let text = '';
    let last: Pending | undefined;
    for (const pending of this.#pending) {
      if (last !== undefined && text.length + pending.text.length > ANSWER_BYTES) break;
      text += `${text === '' ? '[' : ','}{"id":${pending.id},${pending.text.slice(1)}`;
      last = pending;
    }
    if (last !== undefined) this.#lastId = Math.max(this.#lastId, last.id);
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
