// One client's event queue as a node holds it: a cursor on the log and the pending events after it. The pending
// entries refer to texts that many queues share; they are never copies.
import { isVisibleIn, type DatabaseSnapshot } from '../db/snapshot.ts';
import { idAfter, idOf, positionOf, type LoggedEvent } from '../events/event.ts';

/** The definition of a queue. It is stored; the events in it are not. */
export interface QueueDescription {
  readonly id: string;
  readonly userId: number;
  readonly startPosition: number;
  readonly snapshot: DatabaseSnapshot;
  /** Null: everything that the products send to clients that did not choose. */
  readonly eventTypes: ReadonlySet<string> | null;
  /** Further options of the client, by which the products filter and shape its events. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly idleSeconds: number;
}

/** Beyond this many pending events, or bytes of them, the queue drops them and reads the log again when asked. */
export const PENDING_MAX = 10_000;
export const PENDING_BYTES = 8 * 1024 * 1024;
/** One answer has as many events as fit into this, and at least one; the rest comes with the next poll. */
const ANSWER_BYTES = 2 * 1024 * 1024;

/** Texts by their length in characters, which is close enough for a memory bound. */
export const lengthOf = (texts: readonly string[]): number =>
  texts.reduce((sum, text) => sum + text.length, 0);

/** With this many pending events, the client polls too rarely for transient signals. */
const SIGNALS_BEHIND_MAX = 200;

export type WantsEvent = (type: string) => boolean;

/** Whether the client wants such events. */
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
  return isWanted(queue, event.type, wantedByDefault) && isNews(queue, event);
}

/** Whether the queue's initial state does not include it. */
export const isNews = (
  { startPosition, snapshot }: QueueDescription,
  { position, xid }: LoggedEvent,
): boolean => position > startPosition && !isVisibleIn(snapshot, xid);

/** One text of an event, under its id. An event may have several texts for this client. */
export interface Pending {
  readonly id: number;
  readonly text: string;
  readonly event: LoggedEvent;
}

/** For an event that many queues get: those with the same text share one list, so a queue costs no objects of its own. */
export function createSharedPending(event: LoggedEvent) {
  let latest:
    { readonly text: string | undefined; readonly pending: readonly Pending[] } | undefined;
  return (texts: readonly string[]): readonly Pending[] => {
    if (texts.length > 1) return toPending(event, texts);
    const [text] = texts;
    if (latest === undefined || latest.text !== text) {
      latest = { text, pending: toPending(event, texts) };
    }
    return latest.pending;
  };
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

/** Ends a wait: for an event, which may wait for others to come, or now. */
export type Finish = (why: 'event' | 'now') => void;

export class LiveQueue {
  readonly description: QueueDescription;
  /** Cold: new events are not kept, and the next poll reads the log from the client's last id. */
  isCold = true;
  /** While the log is being read, arrivals are also kept here. */
  isLoading = false;
  polledMs: number;
  #pending: Pending[] = [];
  /** Updated by each arrival, and recomputed after removals. */
  #pendingBytes = 0;
  /** Filters to apply to everything that the log still brings. */
  #keeps: ((event: LoggedEvent) => boolean)[] = [];
  /** Everything up to this id is finished: acknowledged here, or sent by another node. */
  #doneId: number;
  /** The largest id that was sent from here. */
  #lastId: number;
  #finish: Finish | undefined;
  /** When the last answer with events left, by the monotonic clock. */
  answeredMs = Number.NEGATIVE_INFINITY;

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

  /** Whether an arrival would be kept; if not, its text need not be made. */
  get takesArrivals(): boolean {
    return !this.isCold || this.isLoading;
  }

  /** Adds an event's texts. Wakes the waiting poll, if any. */
  push(arrivals: readonly Pending[]): void {
    if (!this.takesArrivals) return;
    let fresh = 0;
    let bytes = this.#pendingBytes;
    for (const { id, text } of arrivals) {
      if (id <= this.#doneId) continue;
      fresh += 1;
      bytes += text.length;
    }
    if (fresh === 0) return;
    if (this.#pending.length + fresh > PENDING_MAX || bytes > PENDING_BYTES) return this.chill();
    for (const arrival of arrivals) if (arrival.id > this.#doneId) this.#pending.push(arrival);
    this.#pendingBytes = bytes;
    if (!this.isLoading) this.#finish?.('event');
  }

  /** Whether a signal would be kept. While the log is read the next id is not known. */
  get takesSignals(): boolean {
    return !this.isCold && !this.isLoading && this.#pending.length < SIGNALS_BEHIND_MAX;
  }

  /**
   * Adds a signal's texts, under the next ids that no event can have; when there is none left before the next
   * event, the signal is lost.
   */
  signal(event: LoggedEvent, texts: readonly string[]): void {
    if (!this.takesSignals) return;
    for (const text of texts) {
      const id = idAfter(Math.max(this.#lastId, this.#pending.at(-1)?.id ?? 0));
      if (id === undefined) break;
      this.#pending.push({ id, text, event });
      this.#pendingBytes += text.length;
    }
    if (this.hasPending) this.#finish?.('event');
  }

  #replace(pending: Pending[]): void {
    this.#pending = pending;
    this.#pendingBytes = lengthOf(pending.map(({ text }) => text));
  }

  /** Drops all pending events; the log still has them. */
  chill(): void {
    this.#replace([]);
    this.isCold = true;
    this.isLoading = false;
    this.#finish?.('now');
  }

  /** Drops what the owner may no longer see. It will not come again. */
  forget(mayKeep: (event: LoggedEvent) => boolean): void {
    // Events that are being read from the log are filtered when they come.
    if (this.isLoading) this.#keeps.push(mayKeep);
    if (this.#pending.length === 0) return;
    this.#replace(this.#pending.filter(({ event }) => mayKeep(event)));
  }

  /** Restarts after `id`, keeping arrivals until `loaded` puts the log's part before them. */
  load(id: number): void {
    this.#replace([]);
    this.#doneId = id;
    this.#lastId = Math.max(this.#lastId, id);
    this.#keeps = [];
    this.isLoading = true;
  }

  loaded(fromLog: readonly Pending[], isComplete: boolean): void {
    // A chill during the load means that arrivals were dropped; only the log's part is complete then.
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

  /** For an id that was never sent: everything sent counts as seen, and no more. */
  acknowledgeHandedOut(): void {
    this.acknowledge(this.#lastId);
  }

  /** The pending events that fit, as the JSON text of an array, each with its id. They stay until acknowledged. */
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

  /** A heartbeat, under an id that no event has; nothing when there is no such id. */
  takeHeartbeat(): string {
    const id = idAfter(this.#lastId);
    if (id === undefined) return '[]';
    this.#lastId = id;
    return `[{"id":${id},"type":"heartbeat"}]`;
  }

  /** Registers the one waiting poll; an earlier one is answered with what is there. */
  wait(finish: Finish): void {
    this.#finish?.('now');
    this.#finish = finish;
  }

  stopWaiting(finish: Finish): void {
    if (this.#finish === finish) this.#finish = undefined;
  }

  /** Answers the waiting poll now, with whatever there is. */
  release(): void {
    this.#finish?.('now');
  }
}
