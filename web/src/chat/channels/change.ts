// What a change of a channel is, as the API takes it: only what differs, each permission with its value before, so that
// two people who change it at once do not overwrite each other unseen.
import type { UpdateChannelParams } from '@rialto/sdk';
import type { Channel, ChannelPermission } from '../../state/entities.ts';
import { PERMISSIONS, privacyOf, type Privacy } from './derive.ts';
import { POLICIES, type PermissionValues } from './fields.tsx';
import { retentionText, type Retention } from './retention.ts';

export interface ChannelForm {
  readonly name: string;
  readonly description: string;
  readonly privacy: Privacy;
  readonly folderId: number | null;
  readonly policy: string;
  readonly retention: Retention;
  readonly isPushed: boolean;
  readonly permissions: PermissionValues;
}

export const formOf = (channel: Channel): ChannelForm => ({
  name: channel.name,
  description: channel.description,
  privacy: privacyOf(channel),
  folderId: channel.folderId,
  policy: channel.topicsPolicy,
  retention: channel.retentionDays,
  isPushed: channel.pushesByDefault,
  permissions: channel.permissions,
});

/** Undefined if nothing differs. */
export function changeOf(channel: Channel, form: ChannelForm): UpdateChannelParams | undefined {
  const before = formOf(channel);
  const isPrivate = form.privacy === 'private' || form.privacy === 'hidden';
  const policy = POLICIES.find((one) => one === form.policy);
  const change = {
    ...(form.name.trim() !== before.name && { new_name: form.name.trim() }),
    ...(form.description.trim() !== before.description && {
      description: form.description.trim(),
    }),
    ...(form.privacy !== before.privacy && {
      is_private: isPrivate,
      is_web_public: form.privacy === 'webPublic',
      history_public_to_subscribers: form.privacy !== 'hidden',
    }),
    ...(form.folderId !== before.folderId && { folder_id: form.folderId }),
    ...(form.policy !== before.policy && policy !== undefined && { topics_policy: policy }),
    ...(form.retention !== before.retention &&
      form.retention !== undefined && { message_retention_days: retentionText(form.retention) }),
    ...(form.isPushed !== before.isPushed && { default_push_notifications: form.isPushed }),
    ...permissionChanges(channel, form.permissions),
  };
  return Object.keys(change).length === 0 ? undefined : { stream_id: channel.id, ...change };
}

function permissionChanges(
  channel: Channel,
  values: PermissionValues,
): Partial<UpdateChannelParams> {
  const changed = PERMISSIONS.filter((name) => isChanged(channel, name, values));
  return Object.fromEntries(
    changed.map((name) => [name, { new: values[name], old: channel.permissions[name] }]),
  );
}

const isChanged = (channel: Channel, name: ChannelPermission, values: PermissionValues): boolean =>
  values[name] !== undefined && values[name] !== channel.permissions[name];
