// Reads channels for the routes that list them.
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { listDefaultChannelIds } from '../default-channels/access.ts';
import {
  accessChannelContent,
  accessChannelMetadata,
  listVisibleChannels,
} from '../../conversations/channel/access.ts';
import { channelRow, type ChannelRow } from '../../conversations/channel/events.ts';
import {
  countSubscribersByChannel,
  listMemberships,
} from '../../conversations/subscribers/access.ts';

export interface Listing {
  readonly public: boolean;
  readonly webPublic: boolean;
  readonly subscribed: boolean;
  readonly archived: boolean;
  readonly all: boolean;
  /** Whether each row says if it is a default channel. */
  readonly defaults: boolean;
  readonly ownersSubscribed: boolean;
  readonly readable: boolean;
}

export async function listChannelRows(
  db: Db,
  actor: User,
  listing: Listing,
): Promise<(ChannelRow & { is_default?: boolean })[]> {
  // Only bots have an owner.
  const owners =
    listing.ownersSubscribed && actor.botOwnerId !== null
      ? await listMemberships(db, actor.botOwnerId)
      : new Map<number, { isActive: boolean }>();
  const defaults = listing.defaults ? new Set(await listDefaultChannelIds(db)) : undefined;
  const counts = await countSubscribersByChannel(db);
  const visible = await listVisibleChannels(db, actor);
  return visible
    .filter(
      (channel) =>
        (listing.archived || !channel.isArchived) &&
        (listing.all ||
          (listing.public && !channel.inviteOnly && channel.mayRead) ||
          (listing.webPublic && channel.isWebPublic) ||
          (listing.subscribed && channel.isSubscribed) ||
          (listing.readable && channel.mayRead) ||
          owners.get(channel.id)?.isActive === true),
    )
    .map((channel) => ({
      ...channelRow(channel, channel.permissions, counts.get(channel.id) ?? 0),
      ...(defaults && { is_default: defaults.has(channel.id) }),
    }))
    .sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
}

export async function readChannelRow(db: Db, actor: User, id: number): Promise<ChannelRow> {
  const channel = await accessChannelMetadata(db, actor, id);
  const counts = await countSubscribersByChannel(db, [channel.id]);
  return channelRow(channel, channel.permissions, counts.get(channel.id) ?? 0);
}

/** Always empty: this server receives no emails for channels, so emails to an address would be lost. */
export async function readChannelEmail(db: Db, actor: User, id: number): Promise<string> {
  await accessChannelContent(db, actor, id);
  return '';
}
