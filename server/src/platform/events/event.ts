// The words of the event spine. An event is kept and numbered; a signal (typing, presence) is neither.

/** What leaves: a type, and whatever that type declares. It becomes JSON once, when it is emitted. */
export interface OutgoingEvent {
  readonly type: string;
}

/** Who is told. It is data, resolved as of the event's position by whoever delivers. */
export type Audience = { readonly users: readonly number[] } | { readonly everyone: true };

export interface EmitOptions {
  /** People whose rights change with this event; their queues are never rebuilt across it. */
  readonly rightsOf?: readonly number[];
}

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
