// Gives an event its form for one client. Most events are the same for all; the table lists the others.
import type { Sight } from '../../../accounts/users/sight.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { shapeDeletion, shapeMessage, shapeUpdate } from './messages.ts';
import { shapePerson } from '../../administration/users/shape.ts';
import { shapeReaction } from '../../messages/reactions/shape.ts';
import { shapePresence } from '../../people/presence/shape.ts';
import { shapeStatus } from '../../people/statuses/shape.ts';
import { shapeFlags } from '../../messages/read-state/shape.ts';
import { shapeSubscription } from '../../channels/subscriptions/shape.ts';
import { shapeTyping, shapeTypingEdit } from '../../messages/typing/shape.ts';
import { shapeMutedTopics } from '../../conversations/topics/muted-topics.ts';
import { shapeUserTopic } from '../../conversations/topics/shape.ts';

/** What the node knows of people's rights, as of this event. */
export interface NodeRights {
  mayRead(userId: number, channelId: number): boolean;
  maySee(userId: number, channelId: number): boolean;
  isSubscribed(userId: number, channelId: number): boolean;
  /** Whether the message arrived while the person was subscribed. */
  hasReceived(userId: number, channelId: number, seq: number): boolean;
  /** What the person sees of others. */
  sightOf(userId: number): Sight;
}

/**
 * The JSON texts of the event for this queue, in order; none when the queue does not get it. A text that many queues
 * share is made once, by `shared` of platform/realtime.
 */
export type EventShaper = (
  event: LoggedEvent,
  queue: QueueDescription,
  rights: NodeRights,
) => readonly string[];

/** By event type. */
const SHAPES: ReadonlyMap<string, EventShaper> = new Map<string, EventShaper>([
  ['muted_topics', shapeMutedTopics],
  ['subscription', shapeSubscription],
  ['user_topic', shapeUserTopic],
  ['message', shapeMessage],
  ['update_message', shapeUpdate],
  ['delete_message', shapeDeletion],
  ['update_message_flags', shapeFlags],
  ['presence', shapePresence],
  ['reaction', shapeReaction],
  ['realm_user', shapePerson],
  ['user_status', shapeStatus],
  ['typing', shapeTyping],
  ['typing_edit_message', shapeTypingEdit],
]);

export function shapeEvent(
  event: LoggedEvent,
  queue: QueueDescription,
  rights: NodeRights,
): readonly string[] {
  const shape = SHAPES.get(event.type);
  return shape === undefined ? [event.payload] : shape(event, queue, rights);
}
