// The columns of a channel, for every store that reads one.
import type { Selectable } from 'kysely';
import type { Channels } from '../../../platform/db/schema.generated.ts';

export type TopicsPolicy =
  'inherit' | 'allow_empty_topic' | 'disable_empty_topic' | 'empty_topic_only';

export interface Channel {
  readonly id: number;
  /** The conversation that its messages belong to. */
  readonly conversationId: number;
  readonly name: string;
  readonly description: string;
  readonly inviteOnly: boolean;
  readonly isWebPublic: boolean;
  readonly historyPublicToSubscribers: boolean;
  readonly isArchived: boolean;
  readonly creatorId: number | null;
  readonly createdAt: Date;
  readonly folderId: number | null;
  readonly topicsPolicy: TopicsPolicy;
  /** Null: the organization's setting; -1: for ever. */
  readonly messageRetentionDays: number | null;
  readonly defaultPushNotifications: boolean;
  readonly firstMessageId: number | null;
  readonly isRecentlyActive: boolean;
}

export const CHANNEL_COLUMNS = [
  'id',
  'conversationId',
  'name',
  'description',
  'inviteOnly',
  'isWebPublic',
  'historyPublicToSubscribers',
  'isArchived',
  'creatorId',
  'createdAt',
  'folderId',
  'topicsPolicy',
  'messageRetentionDays',
  'defaultPushNotifications',
  'firstMessageId',
  'isRecentlyActive',
] as const;

type ChannelColumns = Pick<Selectable<Channels>, (typeof CHANNEL_COLUMNS)[number]>;

/** The table's constraints guarantee the policy. */
export const toChannel = (row: ChannelColumns): Channel => ({
  ...row,
  topicsPolicy: row.topicsPolicy as TopicsPolicy,
  firstMessageId: row.firstMessageId === null ? null : Number(row.firstMessageId),
});
