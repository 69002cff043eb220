// From the shapes of the API to the client's own. Every entity is made here, so a register and an event make equal ones.
import type {
  Channel,
  ChannelPermission,
  Conversation,
  CustomEmoji,
  Destination,
  Draft,
  Folder,
  Group,
  GroupSetting,
  Linkifier,
  Person,
  Playground,
  ProfileField,
  Reminder,
  Role,
  Scheduled,
  Snippet,
  Status,
  Subscription,
  UserTopic,
  Visibility,
} from './entities.ts';
import { directOf, topicOf } from './keys.ts';
import type {
  WireChannel,
  WireDraft,
  WireEmoji,
  WireField,
  WireFolder,
  WireGroup,
  WireLinkifier,
  WirePerson,
  WirePlayground,
  WireReminder,
  WireScheduled,
  WireSnippet,
  WireStatus,
  WireSubscription,
  WireUserTopic,
} from './wire.ts';

export const personFrom = (row: WirePerson, isActive: boolean): Person => ({
  id: row.user_id,
  fullName: row.full_name,
  email: row.email,
  deliveryEmail: row.delivery_email,
  role: row.role as Role,
  isActive,
  isBot: row.is_bot,
  isSystemBot: row.is_system_bot === true,
  botType: row.bot_type,
  botOwnerId: row.bot_owner_id,
  timezone: row.timezone,
  dateJoined: row.date_joined,
  avatarUrl: row.avatar_url,
  avatarVersion: row.avatar_version,
  isImportedStub: row.is_imported_stub,
  profile: Object.fromEntries(
    Object.entries(row.profile_data ?? {}).map(([id, { value, rendered_value }]) => [
      id,
      { value, ...(rendered_value !== undefined && { renderedValue: rendered_value }) },
    ]),
  ),
});

/** Empty parts are left out, as the server does. */
export const statusFrom = (row: WireStatus): Status => ({
  ...(row.status_text && { text: row.status_text }),
  ...(row.emoji_name && { emojiName: row.emoji_name }),
  ...(row.emoji_code && { emojiCode: row.emoji_code }),
  ...(row.reaction_type && { reactionType: row.reaction_type }),
  ...(row.away === true && { isAway: true }),
});

const PERMISSION = /^can_.*_group$/;

const permissionsIn = (row: object): Record<string, GroupSetting> =>
  Object.fromEntries(Object.entries(row).filter(([name]) => PERMISSION.test(name)));

export const isPermission = (name: string): boolean => PERMISSION.test(name);

export const groupFrom = (row: WireGroup): Group => ({
  id: row.id,
  name: row.name,
  description: row.description,
  creatorId: row.creator_id,
  dateCreated: row.date_created,
  memberIds: row.members,
  subgroupIds: row.direct_subgroup_ids,
  isSystem: row.is_system_group,
  isDeactivated: row.deactivated,
  permissions: permissionsIn(row),
});

export const channelFrom = (row: WireChannel, subscription: Subscription | undefined): Channel => ({
  id: row.stream_id,
  name: row.name,
  description: row.description,
  renderedDescription: row.rendered_description,
  dateCreated: row.date_created,
  creatorId: row.creator_id,
  isPrivate: row.invite_only,
  isWebPublic: row.is_web_public,
  isHistoryPublic: row.history_public_to_subscribers,
  isArchived: row.is_archived,
  isRecentlyActive: row.is_recently_active,
  retentionDays: row.message_retention_days,
  folderId: row.folder_id,
  topicsPolicy: row.topics_policy,
  pushesByDefault: row.default_push_notifications,
  subscriberCount: row.subscriber_count,
  weeklyTraffic: row.stream_weekly_traffic,
  permissions: permissionsIn(row) as Record<ChannelPermission, GroupSetting>,
  subscription,
});

export const subscriptionFrom = (row: WireSubscription, isActive: boolean): Subscription => ({
  isActive,
  color: row.color,
  isMuted: row.is_muted,
  isPinned: row.pin_to_top,
  desktopNotifications: row.desktop_notifications,
  audibleNotifications: row.audible_notifications,
  pushNotifications: row.push_notifications,
  emailNotifications: row.email_notifications,
  wildcardMentionsNotify: row.wildcard_mentions_notify,
});

export const folderFrom = (row: WireFolder): Folder => ({
  id: row.id,
  name: row.name,
  description: row.description,
  renderedDescription: row.rendered_description,
  order: row.order,
  creatorId: row.creator_id,
  dateCreated: row.date_created,
  isArchived: row.is_archived,
});

export const userTopicFrom = (row: WireUserTopic): UserTopic => ({
  channelId: row.stream_id,
  topic: row.topic_name,
  visibility: row.visibility_policy as Visibility,
  updatedAt: row.last_updated,
});

export const draftFrom = (row: WireDraft, ownId: number): Draft => ({
  id: row.id,
  destination: destinationFrom(row, ownId),
  content: row.content,
  editedAt: row.timestamp,
});

function destinationFrom({ type, to, topic }: WireDraft, ownId: number): Destination {
  const [channelId] = to;
  if (type === 'stream' && channelId !== undefined) return topicOf(channelId, topic);
  if (type === 'private' && to.length > 0) return directOf(ownId, to);
  return { kind: 'nowhere' };
}

export const scheduledFrom = (row: WireScheduled, ownId: number): Scheduled => ({
  id: row.scheduled_message_id,
  conversation: conversationFrom(row, ownId),
  content: row.content,
  renderedContent: row.rendered_content,
  deliverAt: row.scheduled_delivery_timestamp,
  hasFailed: row.failed,
});

const conversationFrom = ({ to, topic = '' }: WireScheduled, ownId: number): Conversation =>
  typeof to === 'number' ? topicOf(to, topic) : directOf(ownId, to);

export const reminderFrom = (row: WireReminder): Reminder => ({
  id: row.reminder_id,
  messageId: row.reminder_target_message_id,
  content: row.content,
  renderedContent: row.rendered_content,
  deliverAt: row.scheduled_delivery_timestamp,
  hasFailed: row.failed,
});

export const snippetFrom = (row: WireSnippet): Snippet => ({
  id: row.id,
  title: row.title,
  content: row.content,
  dateCreated: row.date_created,
});

export const emojiFrom = (row: WireEmoji): CustomEmoji => ({
  id: row.id,
  name: row.name,
  sourceUrl: row.source_url,
  stillUrl: row.still_url,
  isDeactivated: row.deactivated,
  authorId: row.author_id,
});

export const linkifierFrom = (row: WireLinkifier): Linkifier => ({
  id: row.id,
  pattern: row.pattern,
  urlTemplate: row.url_template,
});

export const playgroundFrom = (row: WirePlayground): Playground => ({
  id: row.id,
  name: row.name,
  language: row.pygments_language,
  urlTemplate: row.url_template,
});

export const fieldFrom = (row: WireField): ProfileField => ({
  id: row.id,
  name: row.name,
  type: row.type,
  hint: row.hint,
  fieldData: row.field_data,
  order: row.order,
  isRequired: row.required,
  isEditableByUser: row.editable_by_user,
  isInSummary: row.display_in_profile_summary === true,
});
