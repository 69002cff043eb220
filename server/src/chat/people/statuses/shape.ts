// Tells nobody the status of people whom they do not know.
import { knows, type Sight } from '../../../accounts/users/sight.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import type { StatusChanged } from './events.ts';

export function shapeStatus(
  event: LoggedEvent,
  { userId }: QueueDescription,
  rights: { sightOf(userId: number): Sight },
): readonly string[] {
  const sight = rights.sightOf(userId);
  if (sight.known === undefined) return [event.payload];
  const { user_id } = JSON.parse(event.payload) as StatusChanged;
  return knows(sight, user_id) ? [event.payload] : [];
}
