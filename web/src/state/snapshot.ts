// The part of the state that goes to disk, so that the next start has something to show at once: no balances, nobody's
// presence, and the latest messages of the latest conversations.
import type { ConversationKey, Message } from './entities.ts';
import { emptyState, type State } from './state.ts';

/** Raised when the shape of the state changes: an older snapshot is not read then. */
export const SNAPSHOT_VERSION = 2;
export const CONVERSATIONS_MAX = 40;
export const MESSAGES_PER_CONVERSATION_MAX = 50;

export interface Snapshot {
  readonly version: number;
  readonly savedAtMs: number;
  /** The queue that was open; whoever begins anew closes it. */
  readonly queueId: string | undefined;
  readonly state: State;
}

export const takeSnapshot = (
  state: State,
  queueId: string | undefined,
  savedAtMs: number,
): Snapshot => ({ version: SNAPSHOT_VERSION, savedAtMs, queueId, state: storable(state) });

/** For other tabs: everything that a register tells. Each tab has its own messages. */
export const withoutMessages = (state: State): State => ({
  ...state,
  messages: new Map(),
  unverified: new Set(),
  topics: new Map(),
  staleTopics: new Set(),
});

function storable(state: State): State {
  const nothing = emptyState(state.own.userId);
  const messages = latestMessages(state.messages.values());
  return {
    ...withoutMessages(state),
    messages,
    unverified: new Set(messages.keys()),
    presences: nothing.presences,
    typing: nothing.typing,
    venue: nothing.venue,
  };
}

function latestMessages(all: Iterable<Message>): Map<number, Message> {
  const kept = new Map<ConversationKey, Message[]>();
  for (const message of [...all].sort((a, b) => b.id - a.id)) {
    const own = kept.get(message.key);
    if (own === undefined) {
      if (kept.size < CONVERSATIONS_MAX) kept.set(message.key, [message]);
    } else if (own.length < MESSAGES_PER_CONVERSATION_MAX) own.push(message);
  }
  const messages = [...kept.values()].flat().sort((a, b) => a.id - b.id);
  return new Map(messages.map((message) => [message.id, message]));
}
