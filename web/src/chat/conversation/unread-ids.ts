// Which unread messages a view shows, for the line above the first of them and for opening there.
import { isConversationMuted, unreadIdsOf } from '../../state/select.ts';
import { directOf, topicOf } from '../../state/keys.ts';
import type { Conversation } from '../../state/entities.ts';
import type { State } from '../../state/state.ts';
import { viewOf } from '../narrow/narrow.ts';
import type { Narrow } from '../narrow/terms.ts';

/** Ascending. Empty for views of which only the server can tell, such as a search: they have no line. */
export function unreadIdsIn(state: State, narrow: Narrow): readonly number[] {
  const view = viewOf(narrow);
  switch (view.kind) {
    case 'topic':
      return unreadIdsOf(state, topicOf(view.channelId, view.topic));
    case 'direct':
      return unreadIdsOf(state, directOf(state.own.userId, view.userIds));
    case 'channel':
      return gather(state, (one) => one.kind === 'topic' && one.channelId === view.channelId);
    case 'directs':
      return gather(state, ({ kind }) => kind === 'direct');
    case 'all':
      return gather(state, (one) => !isConversationMuted(state, one));
    case 'mentions':
      return [...state.mentions].sort((a, b) => a - b);
    case 'starred':
    case 'search':
      return [];
  }
}

function gather(state: State, isShown: (conversation: Conversation) => boolean): number[] {
  return [...state.unreads.values()]
    .flatMap(({ conversation, ids }) => (isShown(conversation) ? ids : []))
    .sort((a, b) => a - b);
}
