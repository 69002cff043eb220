// Lists the channels of somebody that another person may know of.
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import { listVisibleChannels } from '../../conversations/channel/access.ts';
import { accessPerson } from '../../rights/sight/access.ts';
import { listSubscribedChannelIds } from '../../conversations/subscribers/store.ts';

export async function listVisibleSubscriptions(
  ctx: Context,
  actor: User,
  userId: number,
): Promise<number[]> {
  const { db } = ctx;
  const user = await accessPerson(ctx, db, actor, userId);
  const visible = new Set((await listVisibleChannels(db, actor)).map(({ id }) => id));
  return (await listSubscribedChannelIds(db, user.id)).filter((id) => visible.has(id));
}
