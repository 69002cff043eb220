// Lists the channels of somebody that another person may know of.
import { accessUser } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { listVisibleChannels } from '../../conversations/channel/access.ts';
import { listSubscribedChannelIds } from '../../conversations/subscribers/store.ts';

export async function listVisibleSubscriptions(
  db: Db,
  actor: User,
  userId: number,
): Promise<number[]> {
  const user = await accessUser(db, userId);
  const visible = new Set((await listVisibleChannels(db, actor)).map(({ id }) => id));
  return (await listSubscribedChannelIds(db, user.id)).filter((id) => visible.has(id));
}
