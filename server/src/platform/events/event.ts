// The words of the event spine. An event is kept and numbered; a signal (typing, presence) is neither.

/** What leaves: a type, and whatever that type declares. It becomes JSON once, when it is emitted. */
export interface OutgoingEvent {
  readonly type: string;
}

/**
 * Who is told. It is data, resolved as of the event's position by whoever delivers, so its size does not
 * depend on how many are told.
 */
export type Audience = (
  | { readonly users: readonly number[] }
  | { readonly everyone: true; readonly butGuests?: true }
  | ChannelAudience
) & {
  /** Only queues of clients that declared this capability, or that did not. */
  readonly capability?: { readonly name: string; readonly has: boolean };
};

export interface ChannelAudience {
  readonly channel: number;
  /**
   * Its subscribers; whoever may know that it exists; or whoever came to know of it, or may no longer
   * know of it, by the last change of the channel's rights.
   */
  readonly who: 'subscribers' | 'aware' | 'gained' | 'lost';
  /** Queues that follow channels without a subscription get it too, where that is allowed. */
  readonly isMessage?: true;
  /** Where the past belongs to those who were there: only whoever received this message there. */
  readonly heard?: { readonly channel: number; readonly seq: number };
  /** These too, as far as they may read the channel. */
  readonly also?: readonly number[];
  /** These too, whatever they may read of the channel: what is told is theirs to know. */
  readonly called?: readonly number[];
  /** But not these. */
  readonly except?: readonly number[];
}

/** Whether the audience names the person as one who was called. */
export const isCalled = (audience: Audience, userId: number): boolean =>
  'channel' in audience && audience.called?.includes(userId) === true;

export interface EmitOptions {
  /** People whose rights change with this event; their queues are never rebuilt across it. */
  readonly rightsOf?: readonly number[];
}

/** Stands for everybody among those whose rights change, where naming them all would be too much. */
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
 * Event ids leave room between two positions for the outcomes of an expanded batch, for heartbeats and
 * for signals. A position stays below 2^41, so an id stays below 2^53 and is exact as a JSON number.
 */
const IDS_PER_POSITION = 4096;

export const idOf = (position: number): number => position * IDS_PER_POSITION;
export const positionOf = (id: number): number => Math.floor(id / IDS_PER_POSITION);

/** The next id that no event can have, for a heartbeat or a signal; undefined when none is left. */
export function idAfter(id: number): number | undefined {
  return positionOf(id + 1) === positionOf(id) ? id + 1 : undefined;
}
