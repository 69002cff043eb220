// Shows in the event of a reaction only what its receiver may know of the person who reacted.
import { shownName, toldEmail, type Sight } from '../../../accounts/users/sight.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import type { ReactionEvent } from './events.ts';

export function shapeReaction(
  event: LoggedEvent,
  { userId }: QueueDescription,
  rights: { sightOf(userId: number): Sight },
): readonly string[] {
  const reaction = JSON.parse(event.payload) as ReactionEvent;
  const sight = rights.sightOf(userId);
  const { user_id, email, full_name } = reaction.user;
  const user = {
    user_id,
    email: toldEmail(sight, user_id, email),
    full_name: shownName(sight, { id: user_id, fullName: full_name }),
  };
  const variant = `${user.email} ${user.full_name}`;
  return [shared(event, variant, () => JSON.stringify({ ...reaction, user }))];
}
