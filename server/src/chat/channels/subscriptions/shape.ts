// Turns the one logged event for all new subscribers into the event that each client expects.
import type { LoggedEvent } from '../../../platform/events/event.ts';
import { shared } from '../../../platform/realtime/directory.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import type { SubscribersAdded } from './events.ts';

const parsed = new WeakMap<LoggedEvent, SubscribersAdded>();

export function shapeSubscription(
  event: LoggedEvent,
  { userId }: QueueDescription,
): readonly string[] {
  if (!event.payload.startsWith('{"type":"subscription","op":"add_many"')) return [event.payload];
  let many = parsed.get(event);
  if (many === undefined) {
    many = JSON.parse(event.payload) as SubscribersAdded;
    parsed.set(event, many);
  }
  const { channel, own } = many;
  const mine = JSON.stringify(own[userId]);
  if (mine === undefined) return [];
  // Serializes the long part once. People with equal settings (nearly everybody) share the whole text.
  return [
    shared(event, mine, () => {
      const long = shared(event, '', () => JSON.stringify(channel).slice(0, -1));
      return `{"type":"subscription","op":"add","subscriptions":[${long},${mine.slice(1)}]}`;
    }),
  ];
}
