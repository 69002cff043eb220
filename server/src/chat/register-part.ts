// What a feature declares about its part in register. Each feature with events or with state has one such description in
// its `state.ts`; `events/parts.ts` lists them. It stands at the root of chat so that every feature can import it.
import type { TObject } from 'typebox';
import type { User } from '../accounts/user.ts';
import type { ApiContext } from '../platform/context.ts';
import type { Db } from '../platform/db/pool.ts';

/** What a client says about itself that changes the initial state it is given. */
export interface ClientOptions {
  readonly includeSubscribers: 'true' | 'false' | 'partial';
  readonly includeArchived: boolean;
  readonly allowsNullNotifications: boolean;
  /** Whether the client knows that a topic may be empty. */
  readonly knowsEmptyTopics: boolean;
  readonly includeDeactivatedGroups: boolean;
  readonly presence: { readonly isSlim: boolean; readonly historyDays?: number | undefined };
  /** Whether the client knows that its list of people may be incomplete. */
  readonly knowsIncompleteLists: boolean;
  /** Whether the client understands linkifiers as they are today. */
  readonly knowsLinkifiers: boolean;
}

/** One client's question for its initial state. All loaders of one answer get the same question. */
export interface StateQuery {
  readonly ctx: ApiContext;
  /** The one snapshot of the database that the whole answer is loaded from. */
  readonly db: Db;
  /** The client's user as the snapshot shows them, which may be newer than what authentication saw. */
  readonly user: User;
  readonly options: ClientOptions;
  /** Whether the client fetches this type. */
  readonly wants: (type: string) => boolean;
  /** Loads what several types need once per answer; the function itself is the key. */
  readonly once: <T>(load: (query: StateQuery) => Promise<T>) => Promise<T>;
}

type Fields = Readonly<Record<string, unknown>>;

export type LoadState = (query: StateQuery) => Fields | Promise<Fields>;

/**
 * The fields of a client's state that an event changes, with their new values. Features type the two parameters as what
 * they need: `never` accepts that, and `testing/verify-events.ts` passes the whole state.
 */
type Apply = (state: never, event: never) => object;

export interface RegisterPart {
  /** By the name that a client fetches (`fetch_event_types`): the fields that the answer has for it. */
  readonly load?: Readonly<Record<string, LoadState>>;
  /** The shapes of the events that clients get. The order in the list of parts is the order in the contract. */
  readonly events: readonly TObject[];
  /** The shapes of events that are sent to nobody in this form, or only to clients that name their type. */
  readonly internalEvents?: readonly TObject[];
  /**
   * By event type: how this feature's state changes with its own events. Only tests call this, the server never does. It
   * stands beside `load` because both describe the same state, and a change to one is a change to the other.
   */
  readonly applyInTests?: Readonly<Record<string, Apply>>;
  /** The same for other features' events. It is called after their owners have applied them. */
  readonly followInTests?: Readonly<Record<string, Apply>>;
}

/** For events about something that is not in the initial state. */
export const notInState = (): object => ({});
