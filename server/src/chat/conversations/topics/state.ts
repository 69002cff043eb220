// What a person has set for topics, in a client's initial state, and how that follows with the events.
import type { Static } from 'typebox';
import type { Db } from '../../../platform/db/pool.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';
import { VISIBILITY } from './automatic-rules.ts';
import {
  userTopicRow,
  type MutedTopic,
  type UserTopicChanged,
  type UserTopicRow,
} from './events.ts';
import { listMutedTopics, listUserTopics } from './store.ts';

/** Clients that do not know empty topics get the display name. */
export const shownTopic = (topic: string, knowsEmptyTopics: boolean): string =>
  topic === '' && !knowsEmptyTopics ? EMPTY_TOPIC_DISPLAY_NAME : topic;

export async function readUserTopics(
  db: Db,
  userId: number,
  knowsEmptyTopics: boolean,
): Promise<UserTopicRow[]> {
  const rows = (await listUserTopics(db, userId)).map(userTopicRow);
  return inOrder(
    rows.map((row) => ({ ...row, topic_name: shownTopic(row.topic_name, knowsEmptyTopics) })),
  );
}

export async function readMutedTopics(db: Db, userId: number): Promise<MutedTopic[]> {
  const rows = await listMutedTopics(db, userId);
  return rows.map(({ name, topic, updatedAt }) => [
    name,
    shownTopic(topic, false),
    unixSeconds(updatedAt),
  ]);
}

const inOrder = (rows: readonly UserTopicRow[]): UserTopicRow[] =>
  [...rows].sort(
    (a, b) => a.stream_id - b.stream_id || (keyOf(a.topic_name) < keyOf(b.topic_name) ? -1 : 1),
  );

const keyOf = (topic: string): string => topic.toLowerCase();

export function applyUserTopicEvent(
  topics: readonly UserTopicRow[],
  event: Static<typeof UserTopicChanged>,
): UserTopicRow[] {
  const { stream_id, topic_name, last_updated, visibility_policy } = event;
  const row = { stream_id, topic_name, last_updated, visibility_policy };
  const others = topics.filter(
    (one) => one.stream_id !== stream_id || keyOf(one.topic_name) !== keyOf(topic_name),
  );
  return inOrder(visibility_policy === VISIBILITY.inherit ? others : [...others, row]);
}
