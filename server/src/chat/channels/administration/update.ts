// Changes and archives channels. Each changed property is one event, and people who gain or lose sight of the channel
// are told.
import { noteAct, noteChange } from '../../../accounts/audit/actions.ts';
import { hasAtLeast } from '../../../accounts/roles.ts';
import type { User } from '../../../accounts/user.ts';
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { EVERYBODY } from '../../../platform/events/event.ts';
import {
  announceDefaults,
  dropDefault,
  listDefaultChannelIds,
  makeDefault,
} from '../default-channels/actions.ts';
import { isDefaultChannel } from '../default-channels/access.ts';
import { announceRights } from '../../conversations/channel-rights/actions.ts';
import { checkFolder } from '../folders/access.ts';
import { badRequest } from '../../http/errors.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';
import { noteChannelEvent } from '../../messages/notices/actions.ts';
import { holdForNotices } from '../../messages/notices/channels.ts';
import { channelKindOf, type Texts } from '../../messages/notices/texts.ts';
import {
  listUsersInSetting,
  permissionsIn,
  readChannelPermissions,
} from '../../rights/permissions/access.ts';
import { changePermissions, type PermissionChanges } from '../../rights/permissions/actions.ts';
import {
  canReadChannel,
  isAdministrator,
  may,
  type Permissions,
  type Rights,
} from '../../rights/permissions/rights.ts';
import type { GroupSettingValue } from '../../rights/permissions/value.ts';
import { peersChanged } from '../subscriptions/events.ts';
import { announceAnew } from '../subscriptions/members.ts';
import { listSubscriberIds } from '../../conversations/subscribers/access.ts';
import { accessChannelToAdminister, type ChannelView } from '../../conversations/channel/access.ts';
import type { Channel, TopicsPolicy } from '../../conversations/channel/channel.ts';
import { checkDeletePolicy, checkTopicCreation, checkWebPublic } from '../creation/create.ts';
import { renderDescription } from '../../conversations/channel/description.ts';
import {
  channelAlreadyExists,
  contentAccessRequired,
  defaultCannotBePrivate,
  retentionIsForOwners,
} from '../../conversations/channel/errors.ts';
import {
  channelCreated,
  channelRow,
  channelsDeleted,
  channelUpdated,
  postPolicy,
  type ChannelUpdated,
} from '../../conversations/channel/events.ts';
import {
  changedPrivacy,
  checkChannelName,
  checkDescription,
  checkRetention,
  isSamePrivacy,
  type PrivacyRequest,
} from '../../conversations/channel/rules.ts';
import {
  findChannel,
  findChannelByName,
  hasOtherTopics,
  updateChannel,
} from '../../conversations/channel/store.ts';

export interface ChannelChanges extends PermissionChanges<'channel'>, PrivacyRequest {
  readonly new_name?: string | undefined;
  readonly description?: string | undefined;
  readonly is_default_stream?: boolean | undefined;
  readonly is_archived?: boolean | undefined;
  readonly message_retention_days?: number | string | undefined;
  /** Null removes the channel from its folder. */
  readonly folder_id?: number | null | undefined;
  readonly topics_policy?: TopicsPolicy | undefined;
  readonly default_push_notifications?: boolean | undefined;
}

/** Above this number, an event says that everybody's rights changed instead of naming the people. */
const NAMED_MAX = 1000;

/** Makes all changes or none. */
export function editChannel(
  ctx: Context,
  actor: User,
  channelId: number,
  changes: ChannelChanges,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await holdForNotices(tx, [channelId]);
    const { channel, rights } = await accessChannelToAdminister(tx, actor, channelId);
    const before = await readTerms(tx, channel);
    const work: Work = { ctx, tx, actor, channel, rights, changes };
    if (changes.is_archived !== undefined) await unarchive(work);
    await changePrivacy(work);
    await changeDefault(work);
    await changePlainProperties(work);
    await changeChannelPermissions(work);
    // Last, so that the other events carry the name that clients still know.
    await rename(work);
    noteChange(tx, {
      act: 'channel change',
      subject: channel.name,
      before,
      after: await readTerms(tx, channel),
      details: { channelId },
    });
  });
}

/** The properties of a channel that go into the audit log. */
async function readTerms(tx: Tx, { id }: Channel): Promise<Record<string, unknown>> {
  const channel = await findChannel(tx, id);
  const terms = TERMS.map((name) => [name, channel?.[name]]);
  return {
    ...Object.fromEntries(terms),
    isDefault: await isDefaultChannel(tx, id),
    ...permissionsIn(await readChannelPermissions(tx, [id]), id),
  };
}

const TERMS = [
  'name',
  'description',
  'inviteOnly',
  'isWebPublic',
  'historyPublicToSubscribers',
  'isArchived',
  'folderId',
  'topicsPolicy',
  'messageRetentionDays',
  'defaultPushNotifications',
] as const;

interface Work {
  readonly ctx: Context;
  readonly tx: Tx;
  readonly actor: User;
  /** The channel before the changes. */
  readonly channel: ChannelView;
  readonly rights: Rights;
  readonly changes: ChannelChanges;
}

/** Posts a notice about the change into the channel, after the event of the change. */
const note = ({ tx, ctx, actor, channel }: Work, say: (texts: Texts) => string): Promise<void> =>
  noteChannelEvent(tx, ctx, actor, channel, say);

const aware = ({ id }: Channel) => ({ channel: id, who: 'aware' }) as const;

async function changePrivacy(work: Work): Promise<void> {
  const { ctx, tx, actor, channel, rights, changes } = work;
  const privacy = changedPrivacy(channel, changes);
  if (privacy === undefined) return;
  if (!canReadChannel(rights, channel)) throw contentAccessRequired();
  if (isSamePrivacy(privacy, channel)) return;
  if (privacy.isWebPublic && !channel.isWebPublic) await checkWebPublic(ctx, tx, rights);
  if (privacy.inviteOnly !== channel.inviteOnly) {
    const needed = privacy.inviteOnly
      ? 'can_create_private_channel_group'
      : 'can_create_public_channel_group';
    if (!may(rights, needed)) throw insufficientPermission();
  }
  if (privacy.inviteOnly && changes.is_default_stream !== false) {
    const isDefault = changes.is_default_stream ?? (await isDefaultChannel(tx, channel.id));
    if (isDefault) throw defaultCannotBePrivate();
  }
  const topicCreation =
    changes.can_create_topic_group?.new ?? channel.permissions.can_create_topic_group;
  checkTopicCreation(privacy.historyPublicToSubscribers, topicCreation);
  await updateChannel(tx, channel.id, privacy);
  await announceRights(tx, channel.id, [EVERYBODY]);
  await announceVisibility(tx, { ...channel, ...privacy }, channel.permissions);
  tx.emit(
    channelUpdated(channel, 'invite_only', privacy.inviteOnly, {
      history_public_to_subscribers: privacy.historyPublicToSubscribers,
      is_web_public: privacy.isWebPublic,
    }),
    aware(channel),
  );
  await note(work, (texts) =>
    texts.privacyChanged(actor, channelKindOf(channel), channelKindOf(privacy)),
  );
}

/** Tells the people who gained sight of the channel, and those who lost it. */
async function announceVisibility(
  tx: Tx,
  channel: Channel,
  permissions: Permissions<'channel'>,
): Promise<void> {
  const subscribers = await listSubscriberIds(tx, channel.id);
  const gained = { channel: channel.id, who: 'gained' } as const;
  tx.emit(channelsDeleted([channel.id]), { channel: channel.id, who: 'lost' });
  // Starts with no subscribers: clients add up the subscribers that the next event names.
  tx.emit(channelCreated(channelRow(channel, permissions, 0)), gained);
  if (subscribers.length > 0) tx.emit(peersChanged('peer_add', channel.id, subscribers), gained);
}

async function changeDefault({ tx, channel, rights, changes }: Work): Promise<void> {
  const { is_default_stream: wanted } = changes;
  if (wanted === undefined) return;
  if (!isAdministrator(rights)) {
    throw badRequest('You do not have permission to change default channels.');
  }
  if (!wanted) return dropDefault(tx, channel.id);
  const isPrivate = changedPrivacy(channel, changes)?.inviteOnly ?? channel.inviteOnly;
  if (isPrivate) throw defaultCannotBePrivate();
  if (await makeDefault(tx, channel.id)) announceDefaults(tx, await listDefaultChannelIds(tx));
}

async function changePlainProperties(work: Work): Promise<void> {
  const { tx, actor, channel, rights, changes } = work;
  const set = async (
    property: string,
    value: string | number | boolean | null,
    row: Parameters<typeof updateChannel>[2],
    more: Parameters<typeof channelUpdated>[3] = {},
  ) => {
    await updateChannel(tx, channel.id, row);
    tx.emit(channelUpdated(channel, property, value, more), aware(channel));
  };

  if (changes.description !== undefined) {
    const description = checkDescription(changes.description);
    if (description !== channel.description) {
      const rendered_description = renderDescription(description);
      await set('description', description, { description }, { rendered_description });
      await note(work, (texts) => texts.described(actor, channel.description, description));
    }
  }
  if (changes.message_retention_days !== undefined) {
    if (!hasAtLeast(rights.role, 'owner')) throw retentionIsForOwners();
    const messageRetentionDays = checkRetention(changes.message_retention_days);
    if (messageRetentionDays !== channel.messageRetentionDays) {
      await set('message_retention_days', messageRetentionDays, { messageRetentionDays });
    }
  }
  if (changes.folder_id !== undefined && changes.folder_id !== channel.folderId) {
    if (changes.folder_id !== null) await checkFolder(tx, changes.folder_id);
    await set('folder_id', changes.folder_id, { folderId: changes.folder_id });
  }
  if (changes.topics_policy !== undefined && changes.topics_policy !== channel.topicsPolicy) {
    await checkTopicsPolicy(work, changes.topics_policy);
    await set('topics_policy', changes.topics_policy, { topicsPolicy: changes.topics_policy });
  }
  const { default_push_notifications: push } = changes;
  if (push !== undefined && push !== channel.defaultPushNotifications) {
    if (!isAdministrator(rights)) throw insufficientPermission();
    await set('default_push_notifications', push, { defaultPushNotifications: push });
  }
}

async function checkTopicsPolicy(
  { tx, channel, rights }: Work,
  policy: TopicsPolicy,
): Promise<void> {
  if (!may(rights, 'can_set_topics_policy_group')) throw insufficientPermission();
  if (policy === 'empty_topic_only' && (await hasOtherTopics(tx, channel.conversationId))) {
    throw badRequest(
      'To enable this configuration, all messages in this channel must be in the ' +
        `${EMPTY_TOPIC_DISPLAY_NAME} topic. Consider renaming or deleting other topics.`,
    );
  }
}

/** These decide who may join, so only people who can read the channel may change them. */
const JOIN_PERMISSIONS = ['can_add_subscribers_group', 'can_subscribe_group'] as const;
const SIGHT_PERMISSIONS = [...JOIN_PERMISSIONS, 'can_administer_channel_group'] as const;

async function changeChannelPermissions({ tx, channel, rights, changes }: Work): Promise<void> {
  if (
    JOIN_PERMISSIONS.some((name) => changes[name] !== undefined) &&
    !canReadChannel(rights, channel)
  ) {
    throw contentAccessRequired();
  }
  const { can_delete_any_message_group: any, can_delete_own_message_group: own } = changes;
  checkDeletePolicy(rights, {
    can_delete_any_message_group: any?.new,
    can_delete_own_message_group: own?.new,
  });
  const privacy = changedPrivacy(channel, changes) ?? channel;
  checkTopicCreation(privacy.historyPublicToSubscribers, changes.can_create_topic_group?.new);
  const changed = await changePermissions(tx, 'channel', channel.id, changes);
  if (SIGHT_PERMISSIONS.some((name) => changed[name] !== undefined)) {
    const permissions = { ...channel.permissions, ...changed };
    await announceRights(tx, channel.id, await listTouched(tx, channel, privacy, changed));
    if (privacy.inviteOnly) await announceVisibility(tx, { ...channel, ...privacy }, permissions);
  }
  for (const [setting, value] of Object.entries(changed)) {
    tx.emit(channelUpdated(channel, setting, value as ChannelUpdated['value']), aware(channel));
  }
  const { can_send_message_group: maySend } = changed;
  if (maySend === undefined) return;
  // Older clients know this permission in another form.
  for (const [property, value] of Object.entries(postPolicy(maySend))) {
    tx.emit(channelUpdated(channel, property, value), aware(channel));
  }
}

/** The people whose rights change: everybody in the old or the new value. */
async function listTouched(
  tx: Tx,
  channel: ChannelView,
  privacy: { readonly inviteOnly: boolean },
  changed: Partial<Permissions<'channel'>>,
): Promise<readonly number[]> {
  // In a public channel these permissions hide and show nothing.
  if (!privacy.inviteOnly) return [];
  const values: GroupSettingValue[] = SIGHT_PERMISSIONS.flatMap((name) => {
    const value = changed[name];
    return value === undefined ? [] : [value, channel.permissions[name]];
  });
  const touched = new Set<number>();
  for (const value of values) {
    for (const id of await listUsersInSetting(tx, value)) touched.add(id);
  }
  return touched.size > NAMED_MAX ? [EVERYBODY] : [...touched];
}

async function rename(work: Work): Promise<void> {
  const { tx, ctx, actor, channel, changes } = work;
  if (changes.new_name === undefined) return;
  const name = checkChannelName(changes.new_name);
  if (name === channel.name) throw badRequest('Channel already has that name.');
  const same = await findChannelByName(tx, name);
  if (same !== undefined && same.id !== channel.id) throw channelAlreadyExists(name);
  await updateChannel(tx, channel.id, { name });
  tx.emit(channelUpdated(channel, 'name', name), aware(channel));
  await noteChannelEvent(tx, ctx, actor, { ...channel, name }, (texts) =>
    texts.renamed(actor, channel.name, name),
  );
}

const ARCHIVED_CHANNELS = 'archived_channels';

/** Archives a channel. It stays readable, and its subscribers stay subscribed. */
export function archiveChannel(ctx: Context, actor: User, channelId: number): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await holdForNotices(tx, [channelId]);
    const { channel } = await accessChannelToAdminister(tx, actor, channelId);
    if (channel.isArchived) throw badRequest('Channel is already deactivated');
    // Posted first, because for clients that do not know archived channels, the channel ends below.
    await noteChannelEvent(tx, ctx, actor, channel, (texts) => texts.archived(channel.name));
    await dropDefault(tx, channel.id);
    await updateChannel(tx, channel.id, { isArchived: true });
    await announceRights(tx, channel.id, []);
    tx.emit(channelUpdated(channel, 'is_archived', true), {
      ...aware(channel),
      capability: { name: ARCHIVED_CHANNELS, has: true },
    });
    // Clients that do not know archived channels see it deleted.
    tx.emit(channelsDeleted([channel.id]), {
      ...aware(channel),
      capability: { name: ARCHIVED_CHANNELS, has: false },
    });
    noteAct(tx, {
      act: 'channel archive',
      subject: channel.name,
      before: { isArchived: false },
      after: { isArchived: true },
      details: { channelId },
    });
  });
}

async function unarchive(work: Work): Promise<void> {
  const { tx, channel, changes } = work;
  if (changes.is_archived === true) {
    throw badRequest('is_archived can only be set to false; a DELETE request archives a channel.');
  }
  if (!channel.isArchived) return;
  await updateChannel(tx, channel.id, { isArchived: false });
  await announceRights(tx, channel.id, []);
  tx.emit(channelUpdated(channel, 'is_archived', false), {
    ...aware(channel),
    capability: { name: ARCHIVED_CHANNELS, has: true },
  });
  await announceAnew(tx, { ...channel, isArchived: false }, channel.permissions, {
    name: ARCHIVED_CHANNELS,
    has: false,
  });
  await note(work, (texts) => texts.unarchived(channel.name));
}
