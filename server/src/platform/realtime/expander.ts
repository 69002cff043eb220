// The interface through which another product's rows become events of a queue. The log has one row for many people;
// each queue gets its own events of it, under ids of the row's position. The hub knows when to ask, and the bridge that
// implements this knows both products.
import type { Db } from '../db/pool.ts';
import type { LoggedEvent } from '../events/event.ts';
import type { QueueDescription } from './queue.ts';

export interface Expander {
  /** The type of the rows. */
  readonly source: string;
  /** The types of the events that come of them. Only a queue that names one of these gets any. */
  readonly yields: ReadonlySet<string>;
  /** What such a queue's client is told when it registers, as of the snapshot of the transaction. */
  describe(tx: Db, userId: number): Promise<Readonly<Record<string, unknown>>>;
  /** Loads what concerns this person, unless it is loaded. Until `leave`, everything asked about them is exact. */
  enter(userId: number): Promise<void>;
  leave(userId: number): void;
  /** Forgets everybody: events of the log were missed. */
  clear(): void;
  /** Takes the next event of the log, of any type, before anything else is asked about it. */
  apply(event: LoggedEvent): void;
  /** Those who entered and whom the row may concern, all of them and perhaps others. */
  concerned(row: LoggedEvent): Iterable<number> | 'everybody';
  /** The events of the row for this queue: their JSON texts, in order. */
  expand(row: LoggedEvent, queue: QueueDescription): readonly string[];
}

/** Whether the queue can get events of that expander. */
export const wantsExpansion = (
  expander: Expander | undefined,
  { eventTypes }: Pick<QueueDescription, 'eventTypes'>,
): boolean =>
  expander !== undefined &&
  eventTypes !== null &&
  [...eventTypes].some((type) => expander.yields.has(type));

/** What a queue keeps of the row: its own texts may be a small part of it, so it must not keep the whole. */
export const expandedFrom = (row: LoggedEvent): LoggedEvent => ({ ...row, payload: '' });
