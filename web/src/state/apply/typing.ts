// Who is writing. A start that is never followed by a stop ends by itself.
import type { TypingStartEvent, TypingStopEvent } from '@rialto/sdk';
import type { ConversationKey } from '../entities.ts';
import { directKey, topicKey } from '../keys.ts';
import { changed, UNCHANGED, type Changed, type State } from '../state.ts';

const EXPIRY_MS = 45_000;

export function applyTyping(
  state: State,
  event: TypingStartEvent | TypingStopEvent,
  nowMs: number,
): Changed {
  const userId = event.sender.user_id;
  if (userId === state.own.userId) return UNCHANGED;
  const key = placeOf(state, event);
  if (event.op === 'stop') return stopTyping(state, key, userId) ? changed('typing') : UNCHANGED;
  const expiryMs = state.organization.limits['typingExpiryMs'] ?? EXPIRY_MS;
  state.typing.set(key, new Map(state.typing.get(key)).set(userId, nowMs + expiryMs));
  return changed('typing');
}

function placeOf(state: State, event: TypingStartEvent | TypingStopEvent): ConversationKey {
  const { stream_id: channelId, topic = '', recipients = [] } = event;
  if (channelId !== undefined) return topicKey(channelId, topic);
  return directKey(
    state.own.userId,
    recipients.map(({ user_id }) => user_id),
  );
}

/** Gives whether anything changed. */
export function stopTyping(state: State, key: ConversationKey, userId: number): boolean {
  const known = state.typing.get(key);
  if (known?.has(userId) !== true) return false;
  const others = new Map(known);
  others.delete(userId);
  if (others.size === 0) state.typing.delete(key);
  else state.typing.set(key, others);
  return true;
}

/** Ends what nobody has confirmed for too long. */
export function expireTyping(state: State, nowMs: number): Changed {
  let hasChanged = false;
  for (const [key, people] of state.typing) {
    for (const [userId, untilMs] of people) {
      if (untilMs <= nowMs) hasChanged = stopTyping(state, key, userId) || hasChanged;
    }
  }
  return hasChanged ? changed('typing') : UNCHANGED;
}
