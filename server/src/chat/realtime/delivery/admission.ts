// Decides which queues are in an audience, by the rights that the node knows and the capabilities of each client.
import type { Audience, ChannelAudience } from '../../../platform/events/event.ts';
import type { QueueDescription } from '../../../platform/realtime/queue.ts';
import { isInReach } from './reach.ts';
import type { RightsOfNode } from './rights-of-node.ts';

/** Whether the queue can get events of channels to which its owner is not subscribed. */
export function isWide({ filter }: QueueDescription): boolean {
  const { allPublicChannels, narrow } = filter as {
    allPublicChannels?: boolean;
    narrow?: unknown[];
  };
  return allPublicChannels === true || (narrow?.length ?? 0) > 0;
}

export function admits(node: RightsOfNode, queue: QueueDescription, audience: Audience): boolean {
  const { userId } = queue;
  if (!isInReach(queue, audience)) return false;
  const { capability } = audience;
  if (capability !== undefined && hasCapability(queue, capability.name) !== capability.has) {
    return false;
  }
  if (node.admits(userId, audience)) return !isHidden(node, queue, audience);
  if (!('channel' in audience) || audience.isMessage !== true || !isWide(queue)) return false;
  return audience.except?.includes(userId) !== true && node.isOpenTo(userId, audience.channel);
}

/** People at this node who may be in the audience; includes everybody who is. */
export function* candidatesFor(
  node: RightsOfNode,
  { channel, who, also = [], called = [] }: ChannelAudience,
): Iterable<number> {
  if (who !== 'subscribers') return yield* node.readerIds;
  const subscribers = node.subscribersOf(channel);
  yield* subscribers;
  for (const userId of new Set([...also, ...called])) {
    if (!subscribers.has(userId)) yield userId;
  }
}

/** Clients that do not know archived channels get no events of them. */
const isHidden = (node: RightsOfNode, queue: QueueDescription, audience: Audience): boolean =>
  'channel' in audience &&
  audience.who !== 'subscribers' &&
  audience.capability === undefined &&
  node.isArchived(audience.channel) &&
  !hasCapability(queue, 'archived_channels');

function hasCapability({ filter }: QueueDescription, name: string): boolean {
  const { capabilities } = filter as { capabilities?: Record<string, boolean> };
  return capabilities?.[name] === true;
}
