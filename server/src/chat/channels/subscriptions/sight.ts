// Tells clients which channels appear and disappear when roles or groups change. Every change of those must go through
// here.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import {
  listChannels,
  viewChannels,
  type ChannelView,
} from '../../conversations/channel/access.ts';
import { channelCreated, channelRow, channelsDeleted } from '../../conversations/channel/events.ts';
import { readPrincipals } from '../../rights/permissions/access.ts';
import { canSeeChannel } from '../../rights/permissions/rights.ts';
import { listSubscriberIds } from '../../conversations/subscribers/access.ts';
import { peersChanged } from './events.ts';

type Sight = ReadonlyMap<number, ReadonlyMap<number, ChannelView>>;

/**
 * Runs `change`, then tells each person which of the channels became visible or hidden for them. Without `channelIds`:
 * all channels.
 */
export async function followSight<T>(
  tx: Tx,
  userIds: readonly number[],
  channelIds: readonly number[] | undefined,
  change: () => Promise<T>,
): Promise<T> {
  if (userIds.length === 0 || channelIds?.length === 0) return change();
  const before = await readSight(tx, userIds, channelIds);
  const result = await change();
  const after = await readSight(tx, userIds, channelIds);
  await tell(tx, difference(after, before), 'gained');
  await tell(tx, difference(before, after), 'lost');
  return result;
}

async function readSight(
  tx: Tx,
  userIds: readonly number[],
  channelIds: readonly number[] | undefined,
): Promise<Sight> {
  const channels = (await listChannels(tx)).filter(
    ({ id }) => channelIds === undefined || channelIds.includes(id),
  );
  const people = await readPrincipals(tx, await listUsersById(tx, userIds));
  const sight = new Map<number, ReadonlyMap<number, ChannelView>>();
  for (const person of people.filter(({ isActive }) => isActive)) {
    const views = await viewChannels(tx, person.id, channels);
    const visible = views.filter((view) => canSeeChannel(person, view));
    sight.set(person.id, new Map(visible.map((view) => [view.id, view])));
  }
  return sight;
}

interface Seen {
  readonly channel: ChannelView;
  readonly userIds: number[];
}

/** The channels that `a` shows and `b` does not, with the people. */
function difference(a: Sight, b: Sight): Seen[] {
  const seen = new Map<number, Seen>();
  for (const [userId, channels] of a) {
    for (const [id, channel] of channels) {
      if (b.get(userId)?.has(id) === true) continue;
      const known = seen.get(id);
      if (known === undefined) seen.set(id, { channel, userIds: [userId] });
      else known.userIds.push(userId);
    }
  }
  return [...seen.values()];
}

async function tell(tx: Tx, seen: readonly Seen[], how: 'gained' | 'lost'): Promise<void> {
  for (const { channel, userIds } of seen) {
    // Only clients that know archived channels see them.
    const users = {
      users: userIds,
      ...(channel.isArchived && { capability: { name: 'archived_channels', has: true } }),
    };
    if (how === 'lost') {
      tx.emit(channelsDeleted([channel.id]), users);
      continue;
    }
    // Starts with no subscribers: clients add up the subscribers that the next event names.
    tx.emit(channelCreated(channelRow(channel, channel.permissions, 0)), users);
    const subscribers = await listSubscriberIds(tx, channel.id);
    if (subscribers.length > 0) tx.emit(peersChanged('peer_add', channel.id, subscribers), users);
  }
}
