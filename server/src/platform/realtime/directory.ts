// What a node has to know of people's rights to tell an event to exactly those whom it concerns. The
// products know what a right is; the hub knows when to ask.
import type { Audience, ChannelAudience, LoggedEvent } from '../events/event.ts';
import type { QueueDescription } from './queue.ts';

/**
 * Holds the rights of the people who have a queue at this node, and of nobody else. It is advanced by the
 * events of the log, in their order, so every answer is as of the last event that was applied: a right
 * that is gained brings nothing from before it, however late the node is.
 */
export interface Directory {
  /** Reads what concerns everybody, forgetting all people. Returns the position it is exact from. */
  open(): Promise<number>;
  /**
   * Reads what concerns this person, unless that is known. Answers about them are exact once every event
   * up to the returned position has been applied.
   */
  enter(userId: number): Promise<number>;
  leave(userId: number): void;
  /** Takes the next event of the log; says whose rights became fewer or more by it. */
  apply(event: LoggedEvent): DirectoryChange;
  /** People at this node among whom all are that the audience can mean. */
  candidates(audience: ChannelAudience): Iterable<number>;
  /** Whether the queue can get events of channels to which its owner is not subscribed. */
  isWide(queue: QueueDescription): boolean;
  /** Whether the audience means this queue. */
  admits(queue: QueueDescription, audience: Audience): boolean;
  /** Whether the person may still be shown something that was sent to this audience earlier. */
  mayKeep(userId: number, audience: Audience): boolean;
  /**
   * When the event takes back what earlier ones told (a message is gone, say): which of them are not to be
   * handed out any more to whoever gets this one. Undefined for most events.
   */
  withdraws(event: LoggedEvent): EventWithdrawal | undefined;
  /** The channels whose events can concern the person by subscription. */
  channelsOf(userId: number): readonly number[];
  /** How the event looks in this queue: the JSON texts, in order; none when the queue does not get it. */
  shape(event: LoggedEvent, queue: QueueDescription): readonly string[];
}

/** Whether what was told earlier is not to be handed out any more, to this queue. */
export type EventWithdrawal = (earlier: LoggedEvent, queue: QueueDescription) => boolean;

export interface DirectoryChange {
  /** Whose rights this event may have changed. */
  readonly affected: Iterable<number> | 'everybody';
  /** Who may no longer be told anything at all. */
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
