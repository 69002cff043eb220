// Finds channels for a person, with permission checks. Reading a channel and knowing that it exists are two rights: an
// administrator knows of every channel, but reads a private one only when let in. Every function reads the facts in
// the caller's transaction; chat/rights/permissions decides.
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import {
  permissionsIn,
  readChannelPermissions,
  readRights,
} from '../../rights/permissions/access.ts';
import {
  canAdministerChannel,
  canReadChannel,
  canSeeChannel,
  type ChannelFacts,
  type Rights,
} from '../../rights/permissions/rights.ts';
import { listMemberships } from '../subscribers/access.ts';
import { parseReceived, type Received } from './received.ts';
import type { Channel } from './channel.ts';
import { invalidChannel, mayNotAdminister } from './errors.ts';
import {
  findChannel,
  findChannelByName,
  findChannelIdOf,
  findNoticeChannel,
  hasChannelIn,
  listChannels,
  listChannelsByName,
  listUnarchivedChannels,
  lockChannel,
  shareChannels,
} from './store.ts';

export { listChannelsByName };

type Actor = Pick<User, 'id' | 'role'>;

/** A channel with one person's subscription and permissions. */
export interface ChannelView extends Channel, ChannelFacts {
  /** Undefined if never subscribed. */
  readonly membership: { readonly isActive: boolean; readonly received: Received } | undefined;
}

/** The channels with the subscriptions of `userId`, in the order given. */
export async function viewChannels(
  db: Db,
  userId: number,
  channels: readonly Channel[],
): Promise<ChannelView[]> {
  const ids = channels.map(({ id }) => id);
  const memberships = await listMemberships(db, userId, ids);
  const permissions = await readChannelPermissions(db, ids);
  return channels.map((channel) => {
    const stored = memberships.get(channel.id);
    return {
      ...channel,
      isSubscribed: stored?.isActive === true,
      membership: stored && {
        isActive: stored.isActive,
        received: parseReceived(stored.received),
      },
      permissions: permissionsIn(permissions, channel.id),
    };
  });
}

export async function viewChannel(db: Db, userId: number, channel: Channel): Promise<ChannelView> {
  return (await viewChannels(db, userId, [channel]))[0] as ChannelView;
}

/** No channel has this id: they begin at 1. */
const NOBODYS_ID = 0;

/** Reads what `may` needs to know about the person and the channel. */
async function access(
  db: Db,
  actor: Actor,
  channel: Channel | undefined,
  may: (rights: Rights, view: ChannelView) => boolean,
): Promise<{ view: ChannelView; rights: Rights } | undefined> {
  if (channel === undefined) {
    // Reads as much as for a hidden channel, so that the time of the refusal does not reveal which of the two it is.
    await listMemberships(db, actor.id, [NOBODYS_ID]);
    await readChannelPermissions(db, [NOBODYS_ID]);
    await readRights(db, actor);
    return undefined;
  }
  const view = await viewChannel(db, actor.id, channel);
  const rights = await readRights(db, actor);
  return may(rights, view) ? { view, rights } : undefined;
}

/** The channel, archived or not, if `actor` may know that it exists. */
export async function accessChannelMetadata(
  db: Db,
  actor: Actor,
  id: number,
): Promise<ChannelView> {
  const found = await access(db, actor, await findChannel(db, id), canSeeChannel);
  if (found === undefined) throw invalidChannel();
  return found.view;
}

/** The channel, archived or not, if `actor` may read it. */
export async function accessChannelContent(db: Db, actor: Actor, id: number): Promise<ChannelView> {
  const found = await access(db, actor, await findChannel(db, id), canReadChannel);
  if (found === undefined) throw invalidChannel();
  return found.view;
}

/** The channel, if `actor` may read it and it is not archived. Otherwise the refusal is that of an unknown one. */
export async function accessChannel(db: Db, actor: Actor, id: number): Promise<ChannelView> {
  const view = await accessChannelContent(db, actor, id);
  if (view.isArchived) throw invalidChannel();
  return view;
}

/** The channel, if `actor` administers it. Locked until the transaction ends. */
export async function accessChannelToAdminister(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<{ channel: ChannelView; rights: Rights }> {
  const found = await access(tx, actor, await lockChannel(tx, id), canSeeChannel);
  if (found === undefined) throw invalidChannel();
  if (!canAdministerChannel(found.rights, found.view)) throw mayNotAdminister();
  return { channel: found.view, rights: found.rights };
}

/** The channel, if `actor` may see it. Locked until the transaction ends. */
export async function accessChannelForUpdate(
  tx: Tx,
  actor: Actor,
  id: number,
): Promise<ChannelView> {
  const found = await access(tx, actor, await lockChannel(tx, id), canSeeChannel);
  if (found === undefined) throw invalidChannel();
  return found.view;
}

/** Undefined unless the channel exists and `actor` may see it. */
export async function findVisibleChannelByName(
  db: Db,
  actor: Actor,
  name: string,
): Promise<ChannelView | undefined> {
  return (await access(db, actor, await findChannelByName(db, name), canSeeChannel))?.view;
}

/** Every channel that the person may see, by name, with whether they may read it. */
export async function listVisibleChannels(
  db: Db,
  actor: Actor,
): Promise<(ChannelView & { readonly mayRead: boolean })[]> {
  const rights = await readRights(db, actor);
  const views = await viewChannels(db, actor.id, await listChannels(db));
  return views
    .filter((view) => canSeeChannel(rights, view))
    .map((view) => ({ ...view, mayRead: canReadChannel(rights, view) }));
}

/** The channels as they are now, protected from changes until the transaction ends. */
export const holdChannels = (tx: Tx, channels: readonly Channel[]): Promise<Channel[]> =>
  shareChannels(
    tx,
    channels.map(({ id }) => id),
  );

export { findNoticeChannel, findChannelIdOf, hasChannelIn, listChannels, listUnarchivedChannels };
