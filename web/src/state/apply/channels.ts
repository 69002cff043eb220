// Channels, folders, and what the person has set for topics.
import type {
  ChannelFolderAddEvent,
  ChannelFolderReorderEvent,
  ChannelFolderUpdateEvent,
  DefaultStreamsEvent,
  StreamCreateEvent,
  StreamDeleteEvent,
  StreamUpdateEvent,
  UserTopicEvent,
} from '@rialto/sdk';
import { channelFrom, folderFrom, isPermission, userTopicFrom } from '../convert.ts';
import { VISIBILITY, type Channel, type Folder, type GroupSetting } from '../entities.ts';
import { topicKey } from '../keys.ts';
import { putChannel } from '../load.ts';
import { changed, UNCHANGED, type Changed, type Slice, type State } from '../state.ts';
import { removeUnreadOfChannel } from '../unreads.ts';

export function applyChannel(
  state: State,
  event: StreamCreateEvent | StreamUpdateEvent | StreamDeleteEvent,
): Changed {
  if (event.op === 'create') {
    for (const row of event.streams) {
      putChannel(state, { ...row, subscribers: [] }, channelFrom(row, undefined));
    }
    return changed('channels', 'subscribers', 'partialSubscribers');
  }
  if (event.op === 'delete') return removeChannels(state, event.stream_ids);
  const known = state.channels.get(event.stream_id);
  if (known === undefined) return UNCHANGED;
  state.channels.set(known.id, changeChannel(known, event));
  return changed('channels');
}

function removeChannels(state: State, ids: readonly number[]): Changed {
  const slices = new Set<Slice>(['channels', 'subscribers', 'topics']);
  for (const id of ids) {
    state.channels.delete(id);
    state.subscribers.delete(id);
    state.partialSubscribers.delete(id);
    state.topics.delete(id);
    state.staleTopics.delete(id);
    if (removeUnreadOfChannel(state, id)) slices.add('unreads').add('unreadIndex').add('mentions');
  }
  return slices;
}

/** The members of a channel by their names in the API. */
const MEMBERS: Readonly<Record<string, keyof Channel>> = {
  name: 'name',
  description: 'description',
  rendered_description: 'renderedDescription',
  date_created: 'dateCreated',
  creator_id: 'creatorId',
  invite_only: 'isPrivate',
  is_web_public: 'isWebPublic',
  history_public_to_subscribers: 'isHistoryPublic',
  is_archived: 'isArchived',
  is_recently_active: 'isRecentlyActive',
  message_retention_days: 'retentionDays',
  folder_id: 'folderId',
  topics_policy: 'topicsPolicy',
  default_push_notifications: 'pushesByDefault',
  subscriber_count: 'subscriberCount',
  stream_weekly_traffic: 'weeklyTraffic',
};

function changeChannel(channel: Channel, event: StreamUpdateEvent): Channel {
  const { property, value } = event;
  const { rendered_description, history_public_to_subscribers, is_web_public } = event;
  const member = MEMBERS[property];
  return {
    ...channel,
    ...(member !== undefined && { [member]: value }),
    ...(isPermission(property) && {
      permissions: { ...channel.permissions, [property]: value as GroupSetting },
    }),
    ...(rendered_description !== undefined && { renderedDescription: rendered_description }),
    ...(history_public_to_subscribers !== undefined && {
      isHistoryPublic: history_public_to_subscribers,
    }),
    ...(is_web_public !== undefined && { isWebPublic: is_web_public }),
  };
}

export function applyDefaultChannels(state: State, event: DefaultStreamsEvent): Changed {
  state.defaultChannels = event.default_streams;
  return changed('defaultChannels');
}

export function applyFolder(
  state: State,
  event: ChannelFolderAddEvent | ChannelFolderUpdateEvent | ChannelFolderReorderEvent,
): Changed {
  state.folders = foldersAfter(state.folders, event);
  return changed('folders');
}

function foldersAfter(
  folders: readonly Folder[],
  event: ChannelFolderAddEvent | ChannelFolderUpdateEvent | ChannelFolderReorderEvent,
): readonly Folder[] {
  switch (event.op) {
    case 'add':
      return [...folders, folderFrom(event.channel_folder)];
    case 'update': {
      const { name, description, rendered_description, is_archived } = event.data;
      const change = {
        ...(name !== undefined && { name }),
        ...(description !== undefined && { description }),
        ...(rendered_description !== undefined && { renderedDescription: rendered_description }),
        ...(is_archived !== undefined && { isArchived: is_archived }),
      };
      return folders.map((one) =>
        one.id === event.channel_folder_id ? { ...one, ...change } : one,
      );
    }
    default:
      return folders
        .map((one) => ({ ...one, order: event.order.indexOf(one.id) + 1 }))
        .sort((a, b) => a.order - b.order);
  }
}

export function applyUserTopic(state: State, event: UserTopicEvent): Changed {
  const key = topicKey(event.stream_id, event.topic_name);
  if (event.visibility_policy === VISIBILITY.inherit) state.userTopics.delete(key);
  else state.userTopics.set(key, userTopicFrom(event));
  return changed('userTopics');
}
