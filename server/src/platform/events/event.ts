// The types of the event system. An event is stored and numbered; a signal (typing, presence) is
// neither.

/**
 * What clients get: a type, and the fields that the type declares. It is serialised to JSON once,
 * when it is emitted.
 */
export interface OutgoingEvent {
  readonly type: string;
}

/**
 * Who gets the event. It is data that the delivering process resolves as of the event's position,
 * so its size does not depend on the number of people.
 */
export type Audience = (
  | { readonly users: readonly number[] }
  | { readonly everyone: true; readonly butGuests?: true }
  | ChannelAudience
  | BatchAudience
) & {
  /** Only queues of clients that declared this capability, or that did not. */
  readonly capability?: { readonly name: string; readonly has: boolean };
};

/** Everybody whom a batch of the engine concerns: only its content says who that is. */
interface BatchAudience {
  /** The shard of the engine that wrote it. */
  readonly trading: number;
}

/**
 * The type of the rows with a batch of the engine. There may be a thousand of them a second, so the log has an index
 * with them and one without them, and both name this type.
 */
export const TRADING_BATCH = 'trading_batch';

export interface ChannelAudience {
  readonly channel: number;
  /**
   * Its subscribers; everybody who may know that it exists; or everybody who gained or lost
   * knowledge of it by the last change of the channel's rights.
   */
  readonly who: 'subscribers' | 'aware' | 'gained' | 'lost';
  /** Queues that follow channels without a subscription get it too, where that is allowed. */
  readonly isMessage?: true;
  /** In channels with protected history: only people who received this message there. */
  readonly heard?: { readonly channel: number; readonly seq: number };
  /** These too, if they may read the channel. */
  readonly also?: readonly number[];
  /** These too, whether or not they may read the channel: the content concerns them. */
  readonly called?: readonly number[];
  /** But not these. */
  readonly except?: readonly number[];
}

/** Whether the audience names the person explicitly. */
export const isCalled = (audience: Audience, userId: number): boolean =>
  'channel' in audience && audience.called?.includes(userId) === true;

export interface EmitOptions {
  /** People whose rights change with this event; their queues are never rebuilt across it. */
  readonly rightsOf?: readonly number[];
}

/** Stands for everybody in that list, where naming them all would be too long. */
export const EVERYBODY = 0;

/** An event in the log. */
export interface LoggedEvent {
  readonly position: number;
  /** The transaction that wrote it. */
  readonly xid: bigint;
  readonly type: string;
  /** The JSON text of the event, without its id. */
  readonly payload: string;
  readonly audience: Audience;
  readonly rightsOf: readonly number[];
}

/**
 * Event ids leave room between two positions for the outcomes of an expanded batch, for heartbeats
 * and for signals. A position stays below 2^41, so an id stays below 2^53 and is exact as a JSON
 * number.
 */
const IDS_PER_POSITION = 4096;

export const idOf = (position: number): number => position * IDS_PER_POSITION;
export const positionOf = (id: number): number => Math.floor(id / IDS_PER_POSITION);

/** The next id that no event can have, for a heartbeat or a signal; undefined when none is left. */
export function idAfter(id: number): number | undefined {
  return positionOf(id + 1) === positionOf(id) ? id + 1 : undefined;
}
