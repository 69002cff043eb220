// Gives each client a presence event in the form that it knows.
import { formFor, toldEmail, type Sight } from '../../../accounts/users/sight.ts';
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import type { PresenceChanged } from './events.ts';

export function shapePresence(
  event: LoggedEvent,
  { filter, userId }: QueueDescription,
  rights: { sightOf(userId: number): Sight },
): readonly string[] {
  const sight = rights.sightOf(userId);
  const { capabilities, slimPresence } = filter as {
    capabilities?: Record<string, boolean>;
    slimPresence?: boolean;
  };
  const variant =
    capabilities?.['simplified_presence_events'] === true
      ? 'simplified'
      : slimPresence === true
        ? 'slim'
        : 'full';
  const { presences, ...older } = JSON.parse(event.payload) as PresenceChanged;
  const { user_id: personId = 0 } = older;
  return [
    shared(event, `${variant} ${formFor(sight, [personId])}`, () => {
      if (variant === 'simplified') return JSON.stringify({ type: 'presence', presences });
      const { email = '', ...slim } = older;
      if (variant === 'slim') return JSON.stringify(slim);
      return JSON.stringify({ ...older, email: toldEmail(sight, personId, email) });
    }),
  ];
}
