// Where a conversation is, as a link.
import type { Conversation } from '../../state/entities.ts';
import type { State } from '../../state/state.ts';
import { channelNarrow, directNarrow, nearMessage, topicNarrow } from '../narrow/narrow.ts';
import { printNarrow, type Names } from '../narrow/print.ts';
import type { Narrow } from '../narrow/terms.ts';

export const narrowOf = (conversation: Conversation): Narrow =>
  conversation.kind === 'topic'
    ? topicNarrow(conversation.channelId, conversation.topic)
    : directNarrow(conversation.userIds);

export const namesIn = (state: State): Names => ({
  channelName: (id) => state.channels.get(id)?.name,
  personName: (id) => state.people.get(id)?.fullName,
});

export const hrefOf = (state: State, narrow: Narrow): string =>
  `/${printNarrow(narrow, namesIn(state))}`;

export const conversationHref = (state: State, conversation: Conversation, near?: number): string =>
  hrefOf(
    state,
    near === undefined ? narrowOf(conversation) : nearMessage(narrowOf(conversation), near),
  );

export const channelHref = (state: State, channelId: number): string =>
  hrefOf(state, channelNarrow(channelId));

/** The list of channels, in which one subscribes and creates. */
export const CHANNELS_HREF = '/channels';

export const RECENT_HREF = '/recent';

/** What a channel is and who is in it. */
export const channelPageHref = (channelId: number): string => `${CHANNELS_HREF}/${channelId}`;
