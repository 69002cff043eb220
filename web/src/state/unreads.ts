// The index of what is unread: which conversation each message is in, and the messages of each conversation in order.
import type { Conversation, ConversationKey } from './entities.ts';
import { keyOf } from './keys.ts';
import type { State } from './state.ts';

/** Does nothing with messages that are unread already. */
export function addUnread(state: State, ids: readonly number[], conversation: Conversation): void {
  const fresh = [...new Set(ids)].filter((id) => !state.unreadIndex.has(id));
  if (fresh.length === 0) return;
  const key = keyOf(conversation, state.own.userId);
  const known = state.unreads.get(key);
  for (const id of fresh) state.unreadIndex.set(id, key);
  const all = [...(known?.ids ?? []), ...fresh].sort((a, b) => a - b);
  state.unreads.set(key, { key, conversation: known?.conversation ?? conversation, ids: all });
}

/** Takes messages out; gives whether any of them was unread. */
export function removeUnread(state: State, ids: Iterable<number>): boolean {
  const gone = new Map<ConversationKey, Set<number>>();
  for (const id of ids) {
    const key = state.unreadIndex.get(id);
    if (key === undefined) continue;
    state.unreadIndex.delete(id);
    state.mentions.delete(id);
    const others = gone.get(key);
    if (others === undefined) gone.set(key, new Set([id]));
    else others.add(id);
  }
  for (const [key, those] of gone) {
    const known = state.unreads.get(key);
    if (known === undefined) continue;
    const ids = known.ids.filter((id) => !those.has(id));
    if (ids.length === 0) state.unreads.delete(key);
    else state.unreads.set(key, { ...known, ids });
  }
  return gone.size > 0;
}

/** Takes out everything of a channel that was left. */
export function removeUnreadOfChannel(state: State, channelId: number): boolean {
  const ids = [...state.unreads.values()]
    .filter(({ conversation: one }) => one.kind === 'topic' && one.channelId === channelId)
    .flatMap(({ ids }) => ids);
  return removeUnread(state, ids);
}

/** Moves messages with their being unread, and with whom they mention. */
export function moveUnread(
  state: State,
  ids: readonly number[],
  conversation: Conversation,
  isHere: boolean,
): void {
  for (const id of ids) {
    const away = state.away.get(id);
    if (away === undefined && !state.unreadIndex.has(id)) continue;
    const isMentioned = away?.isMentioned ?? state.mentions.has(id);
    state.away.set(id, { conversation, isMentioned });
  }
  removeUnread(state, ids);
  if (isHere) bringBack(state, (id) => ids.includes(id));
}

/** What was moved to a channel is unread for somebody who joins it. */
export function joinUnread(state: State, channelId: number): void {
  bringBack(
    state,
    (_id, conversation) => conversation.kind === 'topic' && conversation.channelId === channelId,
  );
}

function bringBack(
  state: State,
  isMeant: (id: number, conversation: Conversation) => boolean,
): void {
  for (const [id, { conversation, isMentioned }] of state.away) {
    if (!isMeant(id, conversation)) continue;
    state.away.delete(id);
    addUnread(state, [id], conversation);
    if (isMentioned) state.mentions.add(id);
  }
}
