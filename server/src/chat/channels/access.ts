// Who may see which channel. Content and mere existence are two rights: an administrator knows of every
// channel, but reads a private one only as a subscriber.
import { hasAtLeast } from '../../accounts/roles.ts';
import type { User } from '../../accounts/user.ts';
import type { Db } from '../../platform/db/pool.ts';
import { badRequest } from '../http/errors.ts';
import { findChannel, isSubscribed, type Channel } from './store.ts';

type Viewer = Pick<User, 'id' | 'role'>;

/** The channel, if `actor` may read and write in it. Otherwise it might as well not exist. */
export async function accessChannel(db: Db, actor: Viewer, id: number): Promise<Channel> {
  const channel = await findChannel(db, id);
  if (channel === undefined || channel.isArchived) throw invalidChannel();
  if (mayReadUnsubscribed(actor, channel)) return channel;
  if (await isSubscribed(db, actor.id, id)) return channel;
  throw invalidChannel();
}

/** Whether `viewer` may know that the channel exists. */
export function maySeeChannel(viewer: Viewer, channel: Channel, isSubscriber: boolean): boolean {
  if (isSubscriber || mayReadUnsubscribed(viewer, channel)) return true;
  return hasAtLeast(viewer.role, 'administrator');
}

const mayReadUnsubscribed = (viewer: Viewer, channel: Channel): boolean =>
  !channel.inviteOnly && hasAtLeast(viewer.role, 'member');

const invalidChannel = () => badRequest('Invalid channel ID');
