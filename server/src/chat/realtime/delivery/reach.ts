// Keeps the queue of a limited key inside the conversations that the key is for.
import { reachesChannel, reachIn } from '../../../accounts/chat-keys/scope.ts';
import type { Audience } from '../../../platform/events/event.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';

/** Such a queue takes only messages and what happens to them; without a channel they are direct. */
export function isInReach({ filter }: QueueDescription, audience: Audience): boolean {
  const reach = reachIn(filter);
  if (reach === undefined) return true;
  if ('channel' in audience) return reachesChannel(reach, audience.channel);
  return 'users' in audience && reach.direct;
}
