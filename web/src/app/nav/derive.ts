// What stands in the navigation: pinned channels, folders, other channels, and the topics of open ones. Pure.
import { isResolved } from '../../chat/topics/resolved.ts';
import { fold } from '../../i18n/fold.ts';
import type { Channel, RecentDirect } from '../../state/entities.ts';
import { topicKey } from '../../state/keys.ts';
import {
  folders,
  isTopicMuted,
  subscribedChannels,
  topicsOf,
  unreadCounts,
  unreadOfChannel,
  type UnreadCounts,
} from '../../state/select.ts';
import type { State } from '../../state/state.ts';

export interface NavTopic {
  readonly name: string;
  readonly count: number;
  readonly isMentioned: boolean;
  readonly isMuted: boolean;
}

export interface NavChannel {
  readonly channel: Channel;
  readonly count: number;
  readonly mutedCount: number;
  readonly isMentioned: boolean;
  readonly isOpen: boolean;
  /** Empty while it is closed. */
  readonly topics: readonly NavTopic[];
  readonly hasMore: boolean;
}

export interface NavSection {
  /** `pinned`, `folder:7` or `other`. */
  readonly key: string;
  /** The folder's own name. */
  readonly name: string | undefined;
  readonly isOpen: boolean;
  /** Unread in all of its channels. */
  readonly count: number;
  /** Empty while it is closed. */
  readonly channels: readonly NavChannel[];
}

export interface NavDirect {
  readonly key: string;
  readonly userIds: readonly number[];
  readonly count: number;
}

/** What is open, and what is looked for. */
export interface NavWish {
  readonly filter: string;
  readonly closedSections: ReadonlySet<string>;
  readonly openChannels: ReadonlySet<number>;
  /** Where the reader is: its channel is open, and its topic shown. */
  readonly at?: { readonly channelId: number; readonly topic: string | undefined } | undefined;
}

const TOPICS_MAX = 6;
const FOUND_TOPICS_MAX = 20;
const DIRECTS_MAX = 6;

export function deriveSections(state: State, wish: NavWish): readonly NavSection[] {
  const sought = fold(wish.filter);
  const known = folders(state).filter(({ isArchived }) => !isArchived);
  const folderIds = new Set(known.map(({ id }) => id));
  const counts = unreadCounts(state);
  const rows = new Map<string, NavChannel[]>();
  for (const channel of subscribedChannels(state)) {
    const row = channelRow(state, counts, channel, wish, sought);
    if (row === undefined) continue;
    const key = sectionOf(channel, folderIds);
    rows.set(key, [...(rows.get(key) ?? []), row]);
  }
  const sections = [
    { key: 'pinned', name: undefined },
    ...known.map(({ id, name }) => ({ key: `folder:${id}`, name })),
    { key: 'other', name: undefined },
  ];
  return sections.flatMap(({ key, name }) => {
    const channels = rows.get(key);
    if (channels === undefined) return [];
    const isOpen = sought !== '' || !wish.closedSections.has(key);
    const count = channels.reduce((sum, one) => sum + one.count, 0);
    return [{ key, name, isOpen, count, channels: isOpen ? channels.sort(quietLast) : [] }];
  });
}

/** Muted channels stand last. The order by name stays. */
const quietLast = (a: NavChannel, b: NavChannel): number =>
  Number(a.channel.subscription?.isMuted === true) -
  Number(b.channel.subscription?.isMuted === true);

function sectionOf({ folderId, subscription }: Channel, known: ReadonlySet<number>): string {
  if (subscription?.isPinned === true) return 'pinned';
  return folderId !== null && known.has(folderId) ? `folder:${folderId}` : 'other';
}

function channelRow(
  state: State,
  counts: UnreadCounts,
  channel: Channel,
  wish: NavWish,
  sought: string,
): NavChannel | undefined {
  const { count, mutedCount, mentions } = unreadOfChannel(state, channel.id);
  const isHere = wish.at?.channelId === channel.id;
  const isNamed = sought === '' || fold(channel.name).includes(sought);
  const isOpen = wish.openChannels.has(channel.id) || (!isNamed && sought !== '');
  const all = isOpen || isHere ? topicRows(state, counts, channel.id) : [];
  const fitting = isNamed ? all : all.filter(({ name }) => fold(name).includes(sought));
  if (!isNamed && fitting.length === 0) return undefined;
  const max = sought === '' ? TOPICS_MAX : FOUND_TOPICS_MAX;
  const current = wish.at?.topic;
  const shown = isOpen ? fitting.filter(worthShowing(current)).slice(0, max) : [];
  const here = fitting.find(({ name }) => isHere && isSameTopic(name, current));
  return {
    channel,
    count,
    mutedCount,
    isMentioned: mentions > 0,
    isOpen: isOpen || here !== undefined,
    topics: here === undefined || shown.includes(here) ? shown : [...shown, here],
    hasMore: isOpen && fitting.length > shown.length,
  };
}

const isSameTopic = (one: string, other: string | undefined): boolean =>
  other !== undefined && one.toLowerCase() === other.toLowerCase();

const worthShowing =
  (current: string | undefined) =>
  ({ name, isMuted, count }: NavTopic): boolean =>
    isSameTopic(name, current) || (!isMuted && (count > 0 || !isResolved(name)));

/** Those with something unread first, then the newest. */
function topicRows(state: State, counts: UnreadCounts, channelId: number): NavTopic[] {
  const names = new Map(topicsOf(state, channelId).map(({ name }) => [name.toLowerCase(), name]));
  for (const { conversation } of counts.byConversation.values()) {
    if (conversation.kind !== 'topic' || conversation.channelId !== channelId) continue;
    const key = conversation.topic.toLowerCase();
    if (!names.has(key)) names.set(key, conversation.topic);
  }
  return [...names.values()]
    .map((name) => {
      const unread = counts.byConversation.get(topicKey(channelId, name));
      return {
        name,
        count: unread?.count ?? 0,
        isMentioned: (unread?.mentions ?? 0) > 0,
        isMuted: isTopicMuted(state, channelId, name),
      };
    })
    .sort((a, b) => Number(b.count > 0) - Number(a.count > 0));
}

/** The latest conversations with people, those with something unread always among them. */
export function deriveDirects(state: State, filter: string): readonly NavDirect[] {
  const sought = fold(filter);
  const counts = unreadCounts(state);
  const newestFirst = [...state.recentDirect.values()].sort((a, b) => b.maxId - a.maxId);
  const rows = newestFirst
    .filter((one) => sought === '' || namesOf(state, one).some((name) => name.includes(sought)))
    .map(({ key, userIds }) => ({
      key,
      userIds,
      count: counts.byConversation.get(key)?.count ?? 0,
    }));
  return rows.filter(({ count }, index) => count > 0 || index < DIRECTS_MAX);
}

const namesOf = (state: State, { userIds }: RecentDirect): string[] =>
  userIds.map((id) => fold(state.people.get(id)?.fullName ?? ''));
