// Short names for what the chat's answers consist of.
import type {
  GetChannelsResult,
  GetMessagesResult,
  GetSubscriptionsResult,
  GetUserGroupsResult,
  GetUsersResult,
} from './types.generated.ts';

export type Message = GetMessagesResult['messages'][number];
export type Reaction = Message['reactions'][number];
export type ChatUser = GetUsersResult['members'][number];
export type Channel = GetChannelsResult['streams'][number];
export type Subscription = GetSubscriptionsResult['subscriptions'][number];
export type UserGroup = GetUserGroupsResult['user_groups'][number];
