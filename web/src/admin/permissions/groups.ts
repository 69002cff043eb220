// Every permission of the organization, in the groups in which people look for them.
import type { UpdateRealmParams } from '@rialto/sdk';

type PermissionName = {
  [N in keyof UpdateRealmParams]-?: NonNullable<UpdateRealmParams[N]> extends {
    readonly new: unknown;
  }
    ? N
    : never;
}[keyof UpdateRealmParams];

export const PERMISSION_GROUPS = {
  joining: [
    'can_invite_users_group',
    'create_multiuse_invite_group',
    'can_access_all_users_group',
    'workplace_users_group',
  ],
  channels: [
    'can_create_public_channel_group',
    'can_create_private_channel_group',
    'can_create_web_public_channel_group',
    'can_add_subscribers_group',
    'can_set_topics_policy_group',
    'can_set_delete_message_policy_group',
  ],
  messages: [
    'can_mention_many_users_group',
    'can_resolve_topics_group',
    'can_move_messages_between_topics_group',
    'can_move_messages_between_channels_group',
    'can_delete_own_message_group',
    'can_delete_any_message_group',
    'can_summarize_topics_group',
  ],
  direct: ['direct_message_permission_group', 'direct_message_initiator_group'],
  rest: [
    'can_create_groups',
    'can_manage_all_groups',
    'can_create_bots_group',
    'can_create_write_only_bots_group',
    'can_add_custom_emoji_group',
    'can_manage_billing_group',
  ],
} as const satisfies Readonly<Record<string, readonly PermissionName[]>>;

export type PermissionGroup = keyof typeof PERMISSION_GROUPS;
export type ShownPermission = (typeof PERMISSION_GROUPS)[PermissionGroup][number];
