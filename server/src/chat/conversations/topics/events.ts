// The events about people's settings for topics, and their shapes.
import { Type, type Static } from 'typebox';
import { unixSeconds } from '../../../platform/std/time.ts';
import type { UserTopic } from './store.ts';

const USER_TOPIC_FIELDS = {
  stream_id: Type.Integer(),
  topic_name: Type.String(),
  last_updated: Type.Integer({ description: 'Unix seconds' }),
  visibility_policy: Type.Integer({
    description: '0 as the channel is, 1 muted, 2 unmuted, 3 followed',
  }),
};

export const UserTopicRow = Type.Object(USER_TOPIC_FIELDS, { additionalProperties: false });
export type UserTopicRow = Static<typeof UserTopicRow>;

export const userTopicRow = (row: UserTopic): UserTopicRow => ({
  stream_id: row.channelId,
  topic_name: row.topic,
  last_updated: unixSeconds(row.updatedAt),
  visibility_policy: row.visibilityPolicy,
});

export const UserTopicChanged = Type.Object(
  { type: Type.Literal('user_topic'), ...USER_TOPIC_FIELDS },
  { additionalProperties: false },
);
export const userTopicChanged = (row: UserTopic) =>
  ({ type: 'user_topic', ...userTopicRow(row) }) as const;

/** The channel's name, the topic, and the time in Unix seconds. */
const MutedTopic = Type.Tuple([Type.String(), Type.String(), Type.Integer()]);
export type MutedTopic = Static<typeof MutedTopic>;

export const MutedTopics = Type.Object(
  { type: Type.Literal('muted_topics'), muted_topics: Type.Array(MutedTopic) },
  { additionalProperties: false },
);
/**
 * In the log the list is empty. Few clients want it, and it may be long, so it is read when a queue is answered that
 * gets the event (`muted-topics.ts`).
 */
export const mutedTopicsChanged = () => ({ type: 'muted_topics', muted_topics: [] }) as const;
