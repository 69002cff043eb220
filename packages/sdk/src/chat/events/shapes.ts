// What the event loop takes and gives.
import type { QueueEvent, RegisterQueueParams, RegisterQueueResult } from '../types.generated.ts';

/** The answer of `register`: the state that the events start from. Its members depend on the types asked for. */
export type QueueState = RegisterQueueResult & Readonly<Record<string, unknown>>;

/** First of all events: the queue is open. */
export interface StartedEvent {
  readonly type: 'started';
  readonly state: QueueState;
}

/** The server had forgotten the queue. Events in between are lost: begin anew from `state`. */
export interface RestartedEvent {
  readonly type: 'restarted';
  readonly state: QueueState;
}

export type AnyEvent = StartedEvent | RestartedEvent | QueueEvent;

export type EventType = QueueEvent['type'];

/** Where to go on reading, for a program that is started again. */
export interface QueuePosition {
  readonly queueId: string;
  readonly lastEventId: number;
}

export interface EventsOptions {
  /** The types of events to get; all types of the chat by default. Types of trading have to be named. */
  readonly types?: readonly (EventType | (string & Record<never, never>))[];
  /** More parameters of `register`, such as `narrow` or `apply_markdown`. */
  readonly register?: Omit<RegisterQueueParams, 'event_types'>;
  readonly signal?: AbortSignal;
  /** Goes on with a queue from before instead of opening one. */
  readonly resume?: QueuePosition;
  /** Leaves the queue open at the end, so that `resume` can go on with it. */
  readonly keepQueue?: boolean;
  /** Told after each event that the loop has finished with. */
  readonly onPosition?: (position: QueuePosition) => void;
  /** How long a silent connection is trusted. The server sends a heartbeat within 60 seconds. Default: 90 seconds. */
  readonly silenceMs?: number;
  /** Told of a failed request, after which the loop goes on. */
  readonly onTrouble?: (error: unknown) => void;
}
