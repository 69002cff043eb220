// Creates a channel. The caller decides who is subscribed to it.
import { noteAct } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { roleGroupId } from '../../../accounts/users/role-groups.ts';
import { spendDaily } from '../../rights/allowances/daily.ts';
import { listDefaultChannelIds, makeDefault } from '../default-channels/actions.ts';
import { announceRights } from '../../conversations/channel-rights/actions.ts';
import { checkFolder } from '../folders/access.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { createPermissions, type GivenPermissions } from '../../rights/permissions/actions.ts';
import {
  isAdministrator,
  may,
  type Permissions,
  type Rights,
} from '../../rights/permissions/rights.ts';
import { isNobody } from '../../rights/permissions/value.ts';
import type { Channel, TopicsPolicy } from '../../conversations/channel/channel.ts';
import {
  channelAlreadyExists,
  defaultCannotBePrivate,
  retentionIsForOwners,
  unsupportedCombination,
  webPublicDisabled,
} from '../../conversations/channel/errors.ts';
import {
  checkChannelName,
  checkDescription,
  checkRetention,
  newPrivacy,
} from '../../conversations/channel/rules.ts';
import { findChannelByName, insertChannel } from '../../conversations/channel/store.ts';
import { hasAtLeast } from '../../../accounts/roles.ts';

/** The parameters of both routes that create channels. */
export interface ChannelRequest extends GivenPermissions<'channel'> {
  readonly description?: string | undefined;
  readonly invite_only?: boolean | undefined;
  readonly is_web_public?: boolean | undefined;
  readonly is_default_stream?: boolean | undefined;
  readonly folder_id?: number | undefined;
  readonly topics_policy?: TopicsPolicy | undefined;
  readonly history_public_to_subscribers?: boolean | undefined;
  readonly default_push_notifications?: boolean | undefined;
  readonly message_retention_days?: number | string | undefined;
}

export interface OpenedChannel {
  readonly channel: Channel;
  readonly permissions: Permissions<'channel'>;
  /** The ids of all default channels, if this is one of them. */
  readonly defaultIds: readonly number[] | undefined;
}

/** Creates the channel and tells the nodes. The caller tells the people when it has subscribed them. */
export async function openChannel(
  ctx: Context,
  tx: Tx,
  actor: User,
  rights: Rights,
  givenName: string,
  request: ChannelRequest,
): Promise<OpenedChannel> {
  const name = checkChannelName(givenName);
  const existing = await findChannelByName(tx, name);
  if (existing !== undefined) throw channelAlreadyExists(name);
  const { invite_only = false, is_web_public = false, is_default_stream = false } = request;
  const { folder_id: folderId = null, topics_policy = 'inherit' } = request;
  if (folderId !== null) await checkFolder(tx, folderId);
  if (topics_policy !== 'inherit') demand(may(rights, 'can_set_topics_policy_group'));
  const isAllowed = invite_only
    ? may(rights, 'can_create_private_channel_group')
    : may(rights, 'can_create_public_channel_group');
  demand(isAllowed);
  if (is_default_stream) {
    demand(isAdministrator(rights));
    if (invite_only) throw defaultCannotBePrivate();
  }
  if (is_web_public) await checkWebPublic(ctx, tx, rights);
  const messageRetentionDays = checkRetention(request.message_retention_days ?? 'realm_default');
  if (messageRetentionDays !== null && !hasAtLeast(rights.role, 'owner'))
    throw retentionIsForOwners();
  if (request.default_push_notifications === true) demand(isAdministrator(rights));
  const privacy = newPrivacy(invite_only, is_web_public, request.history_public_to_subscribers);
  checkDeletePolicy(rights, request);
  checkTopicCreation(privacy.historyPublicToSubscribers, request.can_create_topic_group);
  const channel = await insertChannel(tx, {
    name,
    description: checkDescription(request.description ?? ''),
    ...privacy,
    creatorId: actor.id,
    createdAt: new Date(ctx.clock.now()),
    folderId,
    topicsPolicy: topics_policy,
    messageRetentionDays,
    defaultPushNotifications: request.default_push_notifications ?? false,
  });
  // Another request created it between the check and the insert.
  if (channel === undefined) throw channelAlreadyExists(name);
  await spendDaily(tx, ctx, actor, 'channels', 1);
  const permissions = await createPermissions(tx, 'channel', channel.id, actor.id, request);
  await announceRights(tx, channel.id, []);
  noteAct(tx, {
    act: 'channel create',
    subject: name,
    after: {
      name,
      ...privacy,
      isDefault: is_default_stream,
      folderId,
      topicsPolicy: topics_policy,
      messageRetentionDays,
      ...permissions,
    },
    details: { channelId: channel.id },
  });
  if (!is_default_stream) return { channel, permissions, defaultIds: undefined };
  await makeDefault(tx, channel.id);
  return { channel, permissions, defaultIds: await listDefaultChannelIds(tx) };
}

function demand(isAllowed: boolean): void {
  if (!isAllowed) throw insufficientPermission();
}

/** The server and the organization must both allow it, and the person needs the permission. */
export async function checkWebPublic(ctx: Context, tx: Tx, rights: Rights): Promise<void> {
  const settings = await readOrganizationSettings(tx);
  const isEnabled =
    ctx.config.WEB_PUBLIC_STREAMS_ENABLED === 'true' &&
    settings['enable_spectator_access'] === true;
  if (!isEnabled) throw webPublicDisabled();
  demand(may(rights, 'can_create_web_public_channel_group'));
}

/** Letting people delete messages needs a permission of its own. */
export function checkDeletePolicy(rights: Rights, given: GivenPermissions<'channel'>): void {
  const { can_delete_any_message_group: any, can_delete_own_message_group: own } = given;
  const isLoosened = [any, own].some((value) => value !== undefined && !isNobody(value));
  if (isLoosened) demand(may(rights, 'can_set_delete_message_policy_group'));
}

/**
 * People who cannot see the history cannot know whether a topic is new, so everyone must be allowed to create topics.
 */
export function checkTopicCreation(
  isHistoryPublic: boolean,
  mayCreate: GivenPermissions<'channel'>['can_create_topic_group'],
): void {
  if (isHistoryPublic || mayCreate === undefined) return;
  if (mayCreate !== roleGroupId('role:everyone')) {
    throw unsupportedCombination('history_public_to_subscribers', 'can_create_topic_group');
  }
}
