// What waits to be read, in the order of the side bar: direct messages, then folders, channels and topics.
import { derive } from '../../state/derive.ts';
import type { Channel, Folder } from '../../state/entities.ts';
import { unreadConversations, type UnreadCount } from '../../state/select.ts';
import type { State } from '../../state/state.ts';

export interface Inbox {
  readonly directs: readonly Waiting[];
  readonly sections: readonly InboxSection[];
  /** Unread messages in all that is shown. */
  readonly count: number;
  /** Conversations beyond the limit, the oldest ones. */
  readonly leftOut: number;
}

export interface InboxSection {
  /** `pinned`, `folder:7` or `other`. */
  readonly key: string;
  /** Undefined for pinned channels and for those in no folder: the view has words for them. */
  readonly name: string | undefined;
  readonly channels: readonly InboxChannel[];
}

export interface InboxChannel {
  readonly channel: Channel;
  readonly topics: readonly WaitingTopic[];
}

/** A conversation with unread messages, which is not muted. */
export type Waiting = Pick<UnreadCount, 'key' | 'conversation' | 'count' | 'lastId'> & {
  readonly isMentioned: boolean;
  readonly isFollowed: boolean;
};

export type WaitingTopic = Waiting & { readonly topic: string };

/** More conversations than anybody reads in one sitting; the rest comes up as these are read. */
export const INBOX_LIMIT = 500;

export const deriveInbox = derive(
  ['unreads', 'mentions', 'userTopics', 'channels', 'folders', 'mutedUsers'],
  (state): Inbox => {
    const shown = unreadConversations(state).filter((one) => one.count > 0 && isShown(one, state));
    const kept = shown.slice(0, INBOX_LIMIT);
    return {
      directs: kept.filter(({ conversation }) => conversation.kind === 'direct').map(waitingOf),
      sections: groupBySection(kept, state),
      count: kept.reduce((sum, { count }) => sum + count, 0),
      leftOut: shown.length - kept.length,
    };
  },
);

const waitingOf = ({
  key,
  conversation,
  count,
  lastId,
  mentions,
  isFollowed,
}: UnreadCount): Waiting => ({
  key,
  conversation,
  count,
  lastId,
  isMentioned: mentions > 0,
  isFollowed,
});

/** Whether a conversation counts at all, as mutes have it. */
function isShown({ conversation, isMuted }: UnreadCount, state: State): boolean {
  if (conversation.kind === 'direct') {
    return conversation.userIds.some((id) => !state.mutedUsers.has(id));
  }
  const channel = state.channels.get(conversation.channelId);
  return !isMuted && channel?.subscription?.isActive === true && !channel.isArchived;
}

function groupBySection(kept: readonly UnreadCount[], state: State): InboxSection[] {
  const byChannel = new Map<number, WaitingTopic[]>();
  for (const one of kept) {
    const { conversation } = one;
    if (conversation.kind !== 'topic') continue;
    const topics = byChannel.get(conversation.channelId) ?? [];
    byChannel.set(conversation.channelId, topics);
    topics.push({ ...waitingOf(one), topic: conversation.topic });
  }
  const folders = state.folders.filter(({ isArchived }) => !isArchived);
  const bySection = new Map<string, InboxChannel[]>();
  for (const [channelId, topics] of byChannel) {
    const channel = state.channels.get(channelId);
    if (channel === undefined) continue;
    const key = sectionOf(channel, folders);
    const channels = bySection.get(key) ?? [];
    bySection.set(key, channels);
    channels.push({ channel, topics });
  }
  const sections = [
    { key: 'pinned', name: undefined },
    ...folders.map(({ id, name }) => ({ key: `folder:${id}`, name })),
    { key: 'other', name: undefined },
  ];
  return sections.flatMap(({ key, name }) => {
    const channels = bySection.get(key);
    return channels === undefined ? [] : [{ key, name, channels: channels.sort(byName) }];
  });
}

function sectionOf(channel: Channel, folders: readonly Folder[]): string {
  if (channel.subscription?.isPinned === true) return 'pinned';
  const folder = folders.find(({ id }) => id === channel.folderId);
  return folder === undefined ? 'other' : `folder:${folder.id}`;
}

/** Muted channels come last: they are here only for topics that somebody asked for. */
const byName = (a: InboxChannel, b: InboxChannel): number =>
  Number(a.channel.subscription?.isMuted) - Number(b.channel.subscription?.isMuted) ||
  a.channel.name.localeCompare(b.channel.name) ||
  a.channel.id - b.channel.id;
