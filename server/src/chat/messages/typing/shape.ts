// Gives the empty topic a name in typing signals, for clients that do not support it, and hides addresses.
import { formFor, knows, toldEmail, type Sight } from '../../../accounts/users/sight.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { shownTopic } from '../../conversations/topics/shown.ts';
import type { TypingEditEvent, TypingEvent } from './events.ts';

const knowsEmptyTopics = ({ filter }: QueueDescription): boolean => {
  const { capabilities } = filter as { capabilities?: Record<string, boolean> };
  return capabilities?.['empty_topic_name'] === true;
};

/** Nobody is told that somebody types whom they do not know. */
export function shapeTyping(
  event: LoggedEvent,
  queue: QueueDescription,
  rights: { sightOf(userId: number): Sight },
): readonly string[] {
  const sight = rights.sightOf(queue.userId);
  const typing = JSON.parse(event.payload) as TypingEvent;
  if (!knows(sight, typing.sender.user_id)) return [];
  const knowsEmpty = knowsEmptyTopics(queue);
  const people = [typing.sender, ...(typing.recipients ?? [])].map(({ user_id }) => user_id);
  const variant = `${knowsEmpty ? 'e' : 'n'}${formFor(sight, people)}`;
  const told = ({ user_id, email }: TypingEvent['sender']) => ({
    user_id,
    email: toldEmail(sight, user_id, email),
  });
  return [
    shared(event, variant, () =>
      JSON.stringify({
        ...typing,
        sender: told(typing.sender),
        ...(typing.recipients !== undefined && { recipients: typing.recipients.map(told) }),
        ...(typing.topic !== undefined && { topic: shownTopic(typing.topic, knowsEmpty) }),
      }),
    ),
  ];
}

export function shapeTypingEdit(
  event: LoggedEvent,
  queue: QueueDescription,
  rights: { sightOf(userId: number): Sight },
): readonly string[] {
  const { sender_id: senderId } = JSON.parse(event.payload) as TypingEditEvent;
  if (!knows(rights.sightOf(queue.userId), senderId)) return [];
  if (knowsEmptyTopics(queue)) return [event.payload];
  return [
    shared(event, 'named', () => {
      const { recipient, ...typing } = JSON.parse(event.payload) as TypingEditEvent;
      if (recipient.type === 'direct') return event.payload;
      const topic = shownTopic(recipient.topic, false);
      return JSON.stringify({ ...typing, recipient: { ...recipient, topic } });
    }),
  ];
}
