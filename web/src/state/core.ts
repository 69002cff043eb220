// The state and those who watch it. Everything that changes the state goes through here, so everybody is told once.
import type { QueueEvent } from '@rialto/sdk';
import { apply } from './apply/apply.ts';
import { expireTyping } from './apply/typing.ts';
import { addMessages } from './messages.ts';
import { emptyState, touch, type Slice, type State } from './state.ts';
import type { WireMessage } from './wire.ts';

/** What followers of the events get, after the state has them and before components are told. */
export type Batch =
  | { readonly kind: 'events'; readonly events: readonly QueueEvent[] }
  /** A new register took the place of everything: spans of messages are unverified now. */
  | { readonly kind: 'reset' };

export interface Core {
  readonly state: State;
  /** Raised by every register. */
  readonly generation: number;
  readonly isReady: boolean;
  readonly subscribe: (listener: () => void) => () => void;
  readonly onBatch: (listener: (batch: Batch) => void) => () => void;
  /** Applies the events of one poll; tells once. */
  applyEvents(events: readonly QueueEvent[]): void;
  /** Puts a state that was built aside in the place of this one; messages stay, unverified. */
  replace(state: State): void;
  addMessages(messages: readonly WireMessage[]): readonly number[];
  /** Changes the state by hand, and tells. */
  change(slices: readonly Slice[], act: (state: State) => void): void;
  /** Tells that something beside the state has changed. */
  notify(): void;
}

const NEVER = Number.POSITIVE_INFINITY;

export function createCore(userId: number, now: () => number = Date.now): Core {
  let state = emptyState(userId);
  let generation = 0;
  let isReady = false;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  const listeners = new Set<() => void>();
  const followers = new Set<(batch: Batch) => void>();

  const notify = (): void => {
    for (const listener of listeners) listener();
  };
  const follow = (batch: Batch): void => {
    for (const follower of followers) follower(batch);
  };
  const watch = <F>(set: Set<F>, one: F): (() => void) => {
    set.add(one);
    return () => set.delete(one);
  };

  /** Somebody who stops typing without a word is taken off the list in time. */
  const awaitExpiry = (): void => {
    clearTimeout(expiry);
    const ends = [...state.typing.values()].flatMap((people) => [...people.values()]);
    const nextMs = Math.min(NEVER, ...ends);
    if (nextMs === NEVER) return;
    expiry = setTimeout(
      () => {
        touch(state, expireTyping(state, now()));
        notify();
        awaitExpiry();
      },
      Math.max(0, nextMs - now()),
    );
  };

  return {
    get state() {
      return state;
    },
    get generation() {
      return generation;
    },
    get isReady() {
      return isReady;
    },
    subscribe: (listener) => watch(listeners, listener),
    onBatch: (follower) => watch(followers, follower),
    applyEvents(events) {
      if (events.length === 0) return;
      const slices = new Set<Slice>();
      for (const event of events) {
        for (const slice of apply(state, event, now())) slices.add(slice);
      }
      touch(state, slices);
      if (slices.has('typing')) awaitExpiry();
      follow({ kind: 'events', events });
      notify();
    },
    replace(next) {
      carryOver(state, next);
      state = next;
      generation += 1;
      isReady = true;
      clearTimeout(expiry);
      follow({ kind: 'reset' });
      notify();
    },
    addMessages(messages) {
      addMessages(state, messages);
      touch(state, ['messages', 'unverified']);
      notify();
      return messages.map(({ id }) => id);
    },
    change(slices, act) {
      act(state);
      touch(state, slices);
      notify();
    },
    notify,
  };
}

/** What no register tells is kept, and not trusted until it is asked for again. */
function carryOver(from: State, to: State): void {
  for (const [id, message] of from.messages) {
    if (to.messages.has(id)) continue;
    to.messages.set(id, message);
    to.unverified.add(id);
  }
  for (const [channelId, topics] of from.topics) {
    to.topics.set(channelId, topics);
    to.staleTopics.add(channelId);
  }
}
