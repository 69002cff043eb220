// States for tests of what is derived from them: a test says only what matters to it.
import type { Channel, Folder, Message, Person, Subscription } from '../../state/entities.ts';
import { keyOf, othersOf } from '../../state/keys.ts';
import { emptyState, type State } from '../../state/state.ts';

export const OWN_ID = 5;

const SUBSCRIPTION: Subscription = {
  isActive: true,
  color: '#2f6f8f',
  isMuted: false,
  isPinned: false,
  desktopNotifications: null,
  audibleNotifications: null,
  pushNotifications: null,
  emailNotifications: null,
  wildcardMentionsNotify: null,
};

const NOBODY = 1;

export const channel = (
  id: number,
  name: string,
  more: Partial<Channel> = {},
  subscription: Partial<Subscription> = {},
): Channel => ({
  id,
  name,
  description: '',
  renderedDescription: '',
  dateCreated: 0,
  creatorId: null,
  isPrivate: false,
  isWebPublic: false,
  isHistoryPublic: true,
  isArchived: false,
  isRecentlyActive: true,
  retentionDays: null,
  folderId: null,
  topicsPolicy: 'inherit',
  pushesByDefault: false,
  subscriberCount: 1,
  weeklyTraffic: null,
  permissions: {
    can_add_subscribers_group: NOBODY,
    can_administer_channel_group: NOBODY,
    can_create_topic_group: NOBODY,
    can_delete_any_message_group: NOBODY,
    can_delete_own_message_group: NOBODY,
    can_move_messages_out_of_channel_group: NOBODY,
    can_move_messages_within_channel_group: NOBODY,
    can_remove_subscribers_group: NOBODY,
    can_resolve_topics_group: NOBODY,
    can_send_message_group: NOBODY,
    can_subscribe_group: NOBODY,
  },
  subscription: { ...SUBSCRIPTION, ...subscription },
  ...more,
});

export const folder = (id: number, name: string): Folder => ({
  id,
  name,
  description: '',
  renderedDescription: '',
  order: id,
  creatorId: null,
  dateCreated: 0,
  isArchived: false,
});

export const person = (id: number, fullName: string, more: Partial<Person> = {}): Person => ({
  id,
  fullName,
  email: `user${id}@example.com`,
  deliveryEmail: null,
  role: 400,
  isActive: true,
  isBot: false,
  isSystemBot: false,
  botType: null,
  botOwnerId: null,
  timezone: '',
  dateJoined: '2026-01-01T00:00Z',
  avatarUrl: null,
  avatarVersion: 1,
  isImportedStub: false,
  profile: {},
  ...more,
});

export const inTopic = (channelId: number, topic: string): Message['conversation'] => ({
  kind: 'topic',
  channelId,
  topic,
});

export const withPeople = (...userIds: number[]): Message['conversation'] => ({
  kind: 'direct',
  userIds: othersOf(OWN_ID, userIds),
});

export interface Given {
  readonly channels?: readonly Channel[];
  readonly folders?: readonly Folder[];
  readonly people?: readonly Person[];
  readonly unread?: readonly (readonly [Message['conversation'], readonly number[]])[];
  readonly mentions?: readonly number[];
  readonly mutedUsers?: readonly number[];
}

export function stateOf(given: Given): State {
  const state = emptyState(OWN_ID);
  state.folders = given.folders ?? [];
  state.mutedUsers = new Map((given.mutedUsers ?? []).map((id) => [id, 0]));
  for (const one of given.channels ?? []) state.channels.set(one.id, one);
  for (const one of given.people ?? []) state.people.set(one.id, one);
  for (const id of given.mentions ?? []) state.mentions.add(id);
  for (const [conversation, ids] of given.unread ?? []) {
    const key = keyOf(conversation, OWN_ID);
    state.unreads.set(key, { key, conversation, ids });
    for (const id of ids) state.unreadIndex.set(id, key);
  }
  return state;
}
