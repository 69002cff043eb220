// Keeps the queue of a limited key inside the conversations that the key is for.
import { reachesChannel, type Reach } from '../../../accounts/chat-keys/scope.ts';
import type { Audience } from '../../../platform/events/event.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';

/** Of the key that opened the queue; undefined if that reaches all that its owner does. */
export const reachIn = (filter: QueueDescription['filter']): Reach | undefined =>
  (filter as { readonly reach?: Reach }).reach;

/** Such a queue takes only messages and what happens to them; without a channel they are direct. */
export function isInReach({ filter }: QueueDescription, audience: Audience): boolean {
  const reach = reachIn(filter);
  if (reach === undefined) return true;
  if ('channel' in audience) return reachesChannel(reach, audience.channel);
  return 'users' in audience && reach.direct;
}
