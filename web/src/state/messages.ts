// Messages that are at hand: those that came live and those that were fetched. The ones taken in first give way.
import { messageFrom } from './convert-message.ts';
import type { Message } from './entities.ts';
import type { State } from './state.ts';
import type { WireMessage } from './wire.ts';

export const MESSAGES_MAX = 20_000;

export function putMessage(state: State, message: Message): void {
  // Taken out first, so that it is the youngest in the Map.
  state.messages.delete(message.id);
  state.messages.set(message.id, message);
  state.unverified.delete(message.id);
  if (state.messages.size <= MESSAGES_MAX) return;
  for (const id of state.messages.keys()) {
    state.messages.delete(id);
    state.unverified.delete(id);
    if (state.messages.size <= MESSAGES_MAX) return;
  }
}

/**
 * Takes fetched messages in. Events are newer than any answer that was asked for before them, so a message that events
 * keep up to date stays. Nobody tells of changes in channels without a subscription; there, the answer counts.
 */
export function addMessages(state: State, fetched: readonly WireMessage[]): void {
  for (const row of fetched) {
    const known = state.messages.get(row.id);
    if (known !== undefined && isFollowed(state, known)) {
      // Asked for again, so it is worth keeping.
      state.messages.delete(known.id);
      state.messages.set(known.id, known);
    } else putMessage(state, messageFrom(row, state.own.userId));
  }
}

function isFollowed(state: State, { id, conversation }: Message): boolean {
  if (state.unverified.has(id)) return false;
  if (conversation.kind === 'direct') return true;
  return state.channels.get(conversation.channelId)?.subscription?.isActive === true;
}
