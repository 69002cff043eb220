// The interface through which the hub asks who gets an event. The products implement it, because they know the
// rights of people; the hub knows when to ask.
import type { Audience, ChannelAudience, LoggedEvent } from '../events/event.ts';
import type { QueueDescription } from './queue.ts';

/**
 * Holds the rights of the people who have a queue at this node, and of nobody else. The log's events advance it,
 * in order, so every answer is as of the last applied event: a newly gained right brings nothing from before it,
 * however late the node is.
 */
export interface Directory {
  /** Loads what concerns everybody, forgetting all people. Returns the position from which it is exact. */
  open(): Promise<number>;
  /**
   * Loads what concerns this person, unless it is loaded. Answers about them are exact once every event up to the
   * returned position has been applied.
   */
  enter(userId: number): Promise<number>;
  leave(userId: number): void;
  /** Applies the next event of the log; returns whose rights it changed. */
  apply(event: LoggedEvent): DirectoryChange;
  /** People at this node who may be in the audience; includes everybody who is. */
  candidates(audience: ChannelAudience): Iterable<number>;
  /** Whether the queue can get events of channels to which its owner is not subscribed. */
  isWide(queue: QueueDescription): boolean;
  /** Whether the queue is in the audience. */
  admits(queue: QueueDescription, audience: Audience): boolean;
  /** Whether the person may still see something that was sent to this audience earlier. */
  mayKeep(userId: number, audience: Audience): boolean;
  /**
   * For an event that withdraws what earlier ones said (such as a deleted message): which of those must no longer
   * be sent to its receivers. Undefined for most events.
   */
  withdraws(event: LoggedEvent): EventWithdrawal | undefined;
  /** The channels whose events can reach the person by subscription. */
  channelsOf(userId: number): readonly number[];
  /** The form of the event in this queue: the JSON texts, in order; none when the queue does not get it. */
  shape(event: LoggedEvent, queue: QueueDescription): readonly string[];
}

/** Whether an earlier event must no longer be sent to this queue. */
export type EventWithdrawal = (earlier: LoggedEvent, queue: QueueDescription) => boolean;

export interface DirectoryChange {
  /** Whose rights this event may have changed. */
  readonly affected: Iterable<number> | 'everybody';
  /** Who must get no events at all any more. */
  readonly gone: Iterable<number>;
}

export const NO_CHANGE: DirectoryChange = { affected: [], gone: [] };

const texts = new WeakMap<LoggedEvent, Map<string, string>>();

/** The text of one variant of an event, made once however many queues get it. */
export function shared(event: LoggedEvent, variant: string, make: () => string): string {
  let made = texts.get(event);
  if (made === undefined) texts.set(event, (made = new Map<string, string>()));
  let text = made.get(variant);
  if (text === undefined) made.set(variant, (text = make()));
  return text;
}
