// Gives each client a presence event in the form that it knows.
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import type { PresenceChanged } from './events.ts';

export function shapePresence(event: LoggedEvent, { filter }: QueueDescription): readonly string[] {
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
  return [
    shared(event, variant, () => {
      const { presences, ...older } = JSON.parse(event.payload) as PresenceChanged;
      if (variant === 'simplified') return JSON.stringify({ type: 'presence', presences });
      const { email: _email, ...slim } = older;
      return JSON.stringify(variant === 'slim' ? slim : older);
    }),
  ];
}
