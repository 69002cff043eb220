// Messages that come, change and go.
import type {
  DeleteMessageEvent,
  MessageEvent,
  ReactionAddEvent,
  ReactionRemoveEvent,
  SubmessageEvent,
  UpdateMessageEvent,
} from '@rialto/sdk';
import { messageFrom, reactionFrom } from '../convert-message.ts';
import type { Message } from '../entities.ts';
import { directKey, keyOf, topicOf } from '../keys.ts';
import { putMessage } from '../messages.ts';
import { changed, UNCHANGED, type Changed, type Slice, type State } from '../state.ts';
import { noteMessageInTopic, noteTopicsChanged } from '../topics.ts';
import { addUnread, moveUnread, removeUnread } from '../unreads.ts';
import { stopTyping } from './typing.ts';

export const isMention = (flag: string): boolean => flag.endsWith('mentioned');

const isSubscribed = (state: State, channelId: number): boolean =>
  state.channels.get(channelId)?.subscription?.isActive === true;

export function applyMessage(state: State, event: MessageEvent): Changed {
  const message = messageFrom(event.message, state.own.userId, event.flags);
  const slices = new Set<Slice>(['messages', 'maxMessageId']);
  putMessage(state, message);
  state.maxMessageId = Math.max(state.maxMessageId, message.id);
  const { conversation, id } = message;
  const isHere = conversation.kind === 'direct' || isSubscribed(state, conversation.channelId);
  if (isHere && !event.flags.includes('read')) {
    addUnread(state, [id], conversation);
    slices.add('unreads').add('unreadIndex');
    if (event.flags.some(isMention)) {
      state.mentions.add(id);
      slices.add('mentions');
    }
  }
  if (conversation.kind === 'direct') {
    const { userIds } = conversation;
    const key = directKey(state.own.userId, userIds);
    state.recentDirect.set(key, { key, userIds, maxId: id });
    slices.add('recentDirect');
  } else {
    const { channelId, topic } = conversation;
    if (noteMessageInTopic(state, channelId, topic, id)) slices.add('topics');
  }
  if (stopTyping(state, message.key, message.senderId)) slices.add('typing');
  return slices;
}

export function applyUpdateMessage(state: State, event: UpdateMessageEvent): Changed {
  const slices = new Set<Slice>();
  if (event.rendered_content !== undefined) changeContent(state, event, slices);
  if (event.subject !== undefined || event.new_stream_id !== undefined) move(state, event, slices);
  return slices;
}

function changeContent(state: State, event: UpdateMessageEvent, slices: Set<Slice>): void {
  const id = event.message_id;
  const known = state.messages.get(id);
  if (known !== undefined) {
    const others = [...known.flags].filter((flag) => !isAboutContent(flag));
    state.messages.set(id, {
      ...known,
      content: event.rendered_content ?? known.content,
      isMe: event.is_me_message ?? known.isMe,
      editedAt: event.rendering_only ? known.editedAt : event.edit_timestamp,
      flags: new Set([...others, ...event.flags.filter(isAboutContent)]),
    });
    slices.add('messages');
  }
  if (state.unreadIndex.has(id)) {
    if (event.flags.some(isMention)) state.mentions.add(id);
    else state.mentions.delete(id);
    slices.add('mentions');
  }
}

/** Flags that follow from the text; the others are the reader's. */
const isAboutContent = (flag: string): boolean => isMention(flag) || flag === 'has_alert_word';

function move(state: State, event: UpdateMessageEvent, slices: Set<Slice>): void {
  const from = event.stream_id;
  if (from === undefined) return;
  const channelId = event.new_stream_id ?? from;
  const topic = event.subject ?? event.orig_subject ?? '';
  const conversation = topicOf(channelId, topic);
  const key = keyOf(conversation, state.own.userId);
  for (const id of event.message_ids) {
    const known = state.messages.get(id);
    if (known === undefined) continue;
    // Without a new topic each message keeps its own, however it is spelled.
    const own = known.conversation.kind === 'topic' ? known.conversation.topic : topic;
    const moved: Message = {
      ...known,
      conversation: topicOf(channelId, event.subject ?? own),
      key,
      movedAt: event.edit_timestamp,
      topicLinks: event.topic_links ?? known.topicLinks,
    };
    state.messages.set(id, moved);
    slices.add('messages');
  }
  const isHere = isSubscribed(state, channelId);
  moveUnread(state, event.message_ids, conversation, isHere);
  // Of this one message, the event tells.
  const isUnread = channelId !== from && !event.flags.includes('read');
  if (isHere && isUnread) addUnread(state, [event.message_id], conversation);
  slices.add('unreads').add('unreadIndex').add('mentions');
  noteTopicsChanged(state, [from, channelId]);
  slices.add('staleTopics');
}

export function applyDeleteMessage(state: State, event: DeleteMessageEvent): Changed {
  const ids = event.message_ids ?? (event.message_id === undefined ? [] : [event.message_id]);
  const slices = new Set<Slice>();
  for (const id of ids) {
    if (state.messages.delete(id)) slices.add('messages');
    if (state.starred.delete(id)) slices.add('starred');
    state.unverified.delete(id);
    state.away.delete(id);
  }
  if (removeUnread(state, ids)) slices.add('unreads').add('unreadIndex').add('mentions');
  if (event.stream_id !== undefined) {
    noteTopicsChanged(state, [event.stream_id]);
    slices.add('staleTopics');
  }
  return slices;
}

export function applyReaction(
  state: State,
  event: ReactionAddEvent | ReactionRemoveEvent,
): Changed {
  const known = state.messages.get(event.message_id);
  if (known === undefined) return UNCHANGED;
  const reaction = reactionFrom(event);
  const others = known.reactions.filter(
    (one) =>
      one.userId !== reaction.userId ||
      one.emojiCode !== reaction.emojiCode ||
      one.reactionType !== reaction.reactionType,
  );
  const reactions = event.op === 'add' ? [...others, reaction] : others;
  state.messages.set(known.id, { ...known, reactions });
  return changed('messages');
}

export function applySubmessage(state: State, event: SubmessageEvent): Changed {
  const known = state.messages.get(event.message_id);
  if (known === undefined) return UNCHANGED;
  const { submessage_id: id, sender_id: senderId, msg_type: type, content } = event;
  const others = known.submessages.filter((one) => one.id !== id);
  state.messages.set(known.id, {
    ...known,
    submessages: [...others, { id, senderId, type, content }],
  });
  return changed('messages');
}
