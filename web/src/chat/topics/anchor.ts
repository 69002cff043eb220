// A message of a topic, by which the API finds the topic.
import type { Store } from '../../state/store.ts';
import { toApiNarrow, topicNarrow } from '../narrow/narrow.ts';
import type { TopicAt } from './acts.ts';

/** The latest message; undefined if the topic has none any more. */
export async function anchorOf(
  store: Store,
  { channelId, topic }: TopicAt,
): Promise<number | undefined> {
  const { messages } = await store.client.chat.getMessages({
    anchor: 'newest',
    num_before: 1,
    num_after: 0,
    narrow: toApiNarrow(topicNarrow(channelId, topic)),
    allow_empty_topic_name: true,
  });
  return messages.at(-1)?.id;
}
