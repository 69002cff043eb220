// What the reader has marked: read, starred and the like.
import type { UpdateMessageFlagsAddEvent, UpdateMessageFlagsRemoveEvent } from '@rialto/sdk';
import { IN_INDEXES } from '../convert-message.ts';
import { directOf, topicOf } from '../keys.ts';
import type { Changed, Slice, State } from '../state.ts';
import { addUnread, removeUnread } from '../unreads.ts';

type FlagsEvent = UpdateMessageFlagsAddEvent | UpdateMessageFlagsRemoveEvent;

export function applyFlags(state: State, event: FlagsEvent): Changed {
  const slices = new Set<Slice>();
  if (event.flag === 'read') {
    const hasChanged = event.op === 'add' ? markRead(state, event) : markUnread(state, event);
    if (hasChanged) slices.add('unreads').add('unreadIndex').add('mentions');
  }
  if (event.flag === 'starred') {
    for (const id of event.messages) {
      if (event.op === 'add') state.starred.add(id);
      else state.starred.delete(id);
    }
    slices.add('starred');
  }
  if (IN_INDEXES.has(event.flag)) return slices;
  for (const id of event.messages) {
    if (setFlag(state, id, event.flag, event.op)) slices.add('messages');
  }
  return slices;
}

function markRead(state: State, event: UpdateMessageFlagsAddEvent): boolean {
  if (event.all) state.away.clear();
  else for (const id of event.messages) state.away.delete(id);
  return removeUnread(state, event.all ? [...state.unreadIndex.keys()] : event.messages);
}

function markUnread(state: State, event: UpdateMessageFlagsRemoveEvent): boolean {
  for (const [text, one] of Object.entries(event.message_details ?? {})) {
    const id = Number(text);
    const { stream_id: channelId, topic = '', user_ids: userIds = [] } = one;
    const conversation =
      channelId === undefined ? directOf(state.own.userId, userIds) : topicOf(channelId, topic);
    state.away.delete(id);
    addUnread(state, [id], conversation);
    if (one.mentioned === true) state.mentions.add(id);
  }
  return true;
}

function setFlag(state: State, id: number, flag: string, op: 'add' | 'remove'): boolean {
  const known = state.messages.get(id);
  if (known === undefined || known.flags.has(flag) === (op === 'add')) return false;
  const flags = new Set(known.flags);
  if (op === 'add') flags.add(flag);
  else flags.delete(flag);
  state.messages.set(id, { ...known, flags });
  return true;
}
