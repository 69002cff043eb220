// Where a topic is after the page was away so long that its events are lost: nobody told it of moves and deletions.
import type { Chat } from '@rialto/sdk';
import { topicKey } from '../../state/keys.ts';
import { toApiNarrow, topicNarrow } from '../narrow/narrow.ts';
import type { TopicAt } from '../topics/acts.ts';

/** `gone`: it has no messages any more that the reader may see, and nobody can say where they went. */
export type Whereabouts = 'here' | 'gone' | TopicAt;

/** Messages that were in the topic; a few of them tell where all went. */
const ASKED_MAX = 3;

/** The first, the middle and the last one. */
export function sampleOf(ids: readonly number[]): readonly number[] {
  const at = [0, Math.floor(ids.length / 2), ids.length - 1];
  return [...new Set(at.slice(0, ASKED_MAX).flatMap((index) => ids[index] ?? []))];
}

/**
 * What is left of the sample says where the topic is: all of it in one other topic means that the topic was moved as a
 * whole. A part of it elsewhere does not, as when the later messages got a topic of their own.
 */
export function judge(
  at: TopicAt,
  sample: readonly TopicAt[],
  isEmpty: () => Promise<boolean>,
): Promise<Whereabouts> {
  const keyOf = (one: TopicAt) => topicKey(one.channelId, one.topic);
  const [first] = sample;
  if (first === undefined) return isEmpty().then((is) => (is ? 'gone' : 'here'));
  const isOne = sample.every((one) => keyOf(one) === keyOf(first));
  return Promise.resolve(isOne && keyOf(first) !== keyOf(at) ? first : 'here');
}

/** `known` are messages that the topic had. */
export async function findTopic(
  chat: Pick<Chat, 'getMessages'>,
  at: TopicAt,
  known: readonly number[],
): Promise<Whereabouts> {
  if (known.length === 0) return 'here';
  const { messages } = await chat.getMessages({
    message_ids: sampleOf(known),
    allow_empty_topic_name: true,
  });
  const sample = messages.flatMap(({ stream_id: channelId, subject: topic }) =>
    channelId === undefined || channelId === null ? [] : [{ channelId, topic }],
  );
  return judge(at, sample, async () => {
    const left = await chat.getMessages({
      anchor: 'newest',
      num_before: 1,
      num_after: 0,
      narrow: toApiNarrow(topicNarrow(at.channelId, at.topic)),
      allow_empty_topic_name: true,
    });
    return left.messages.length === 0;
  });
}
