// What a person has set for topics, in a client's initial state, and how that follows with the events.
import type { Static } from 'typebox';
import type { Db } from '../../../platform/db/pool.ts';
import { unixSeconds } from '../../../platform/std/time.ts';
import { shownTopic } from './shown.ts';
import { VISIBILITY } from './automatic-rules.ts';
import { notInState, type RegisterPart } from '../../register-part.ts';
import {
  MutedTopics,
  UserTopicChanged,
  userTopicRow,
  type MutedTopic,
  type UserTopicRow,
} from './events.ts';
import { listMutedTopics, listUserTopics } from './store.ts';

async function loadUserTopics(
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

function applyUserTopicEvent(
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

export const topicsPart = {
  load: {
    user_topic: async ({ db, user, options }) => ({
      user_topics: await loadUserTopics(db, user.id, options.knowsEmptyTopics),
    }),
    /** The older form of muting, for clients that do not fetch the newer one. */
    muted_topics: async ({ db, user, wants }) =>
      wants('user_topic') ? {} : { muted_topics: await readMutedTopics(db, user.id) },
  },
  events: [UserTopicChanged, MutedTopics],
  applyInTests: {
    user_topic: (
      state: { readonly user_topics: readonly UserTopicRow[] },
      event: Static<typeof UserTopicChanged>,
    ) => ({ user_topics: applyUserTopicEvent(state.user_topics, event) }),
    // A client that fetches everything has the newer form alone.
    muted_topics: notInState,
  },
} satisfies RegisterPart;
