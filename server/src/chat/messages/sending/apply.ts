// How a client's state follows from messages and what happens to them.
import type { RecentDirect } from '../../conversations/direct/state.ts';
import { applyUnreadEvent, type MuteState, type UnreadEvent } from '../read-state/state.ts';
import type { MessageSent } from '../message/events.ts';

interface ChannelBrief {
  readonly stream_id: number;
  readonly first_message_id: number | null;
}

export interface MessagesState {
  readonly max_message_id: number;
  readonly starred_messages: readonly number[];
  readonly recent_private_conversations: readonly RecentDirect[];
  readonly unread_msgs: MuteState['unread_msgs'];
}

type State = MessagesState &
  MuteState & {
    readonly streams: readonly ChannelBrief[];
    readonly subscriptions: readonly ChannelBrief[];
    readonly unsubscribed: readonly ChannelBrief[];
    readonly never_subscribed: readonly ChannelBrief[];
  };

export function applyMessageEvent<S extends State>(state: S, event: UnreadEvent): S {
  const next: S = { ...state, unread_msgs: applyUnreadEvent(state, event) };
  switch (event.type) {
    case 'message':
      return applySent(next, event);
    case 'delete_message': {
      const gone = new Set(event.message_ids ?? [event.message_id]);
      return { ...next, starred_messages: next.starred_messages.filter((id) => !gone.has(id)) };
    }
    case 'update_message_flags': {
      if (event.flag !== 'starred') return next;
      const changed = new Set(event.messages);
      const others = next.starred_messages.filter((id) => !changed.has(id));
      const starred = event.op === 'add' ? [...others, ...event.messages] : others;
      return { ...next, starred_messages: starred.sort((a, b) => a - b) };
    }
    default:
      return next;
  }
}

function applySent<S extends State>(state: S, { message }: MessageSent): S {
  const maxed = { ...state, max_message_id: Math.max(state.max_message_id, message.id) };
  const { display_recipient: recipient, stream_id: channelId } = message;
  if (typeof recipient !== 'string') {
    const others = recipient.map(({ id }) => id).filter((id) => id !== state.user_id);
    const key = String(others);
    const rest = state.recent_private_conversations.filter(
      ({ user_ids }) => String(user_ids) !== key,
    );
    return {
      ...maxed,
      recent_private_conversations: [{ user_ids: others, max_message_id: message.id }, ...rest],
    };
  }
  // A channel's first message is known from the message itself.
  const withFirst = <C extends ChannelBrief>(rows: readonly C[]): C[] =>
    rows.map((row) =>
      row.stream_id === channelId && row.first_message_id === null
        ? { ...row, first_message_id: message.id }
        : row,
    );
  return {
    ...maxed,
    streams: withFirst(state.streams),
    subscriptions: withFirst(state.subscriptions),
    unsubscribed: withFirst(state.unsubscribed),
    never_subscribed: withFirst(state.never_subscribed),
  };
}
