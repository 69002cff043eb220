// Whether a channel allows messages with a topic, or without one.
import { badRequest } from '../../http/errors.ts';
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../limits.ts';
import type { RealmValue } from '../../organization/org/definitions.ts';
import type { ChannelForReader } from '../message/channels-for-reader.ts';

export function checkTopicPolicy(
  destination: ChannelForReader,
  organization: Readonly<Record<string, RealmValue>>,
  topic: string,
): void {
  const policy =
    destination.topicsPolicy === 'inherit'
      ? organization['topics_policy']
      : destination.topicsPolicy;
  if (policy === 'disable_empty_topic' && topic === '') {
    throw badRequest(
      `Sending messages to the ${EMPTY_TOPIC_DISPLAY_NAME} is not allowed in this channel.`,
      { empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME },
    );
  }
  if (policy === 'empty_topic_only' && topic !== '') {
    throw badRequest(`Only the ${EMPTY_TOPIC_DISPLAY_NAME} topic is allowed in this channel.`, {
      empty_topic_display_name: EMPTY_TOPIC_DISPLAY_NAME,
    });
  }
}
