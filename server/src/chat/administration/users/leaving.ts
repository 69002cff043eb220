// Deactivates somebody. Can also email them, and delete their profile and messages.
import { noteAct, noteChange } from '../../../accounts/audit/actions.ts';
import type { User } from '../../../accounts/user.ts';
import { accessUserForUpdate } from '../../../accounts/users/access.ts';
import { renameUser } from '../../../accounts/users/actions.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
import type { ApiContext } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { removeAvatarOf } from '../../organization/avatars/actions.ts';
import { eraseMessages } from '../../messages/removing/erase.ts';
import { clearProfileOf } from '../../people/profiles/actions.ts';
import { clearStatusOf } from '../../people/statuses/actions.ts';
import { deactivatePersonIn } from './actions.ts';

export interface LeavingActions {
  readonly delete_profile?: boolean;
  readonly delete_public_channel_messages?: boolean;
  readonly delete_private_channel_messages?: boolean;
  readonly delete_direct_messages?: boolean;
}

export interface Leaving {
  /** If given, even empty, the person gets an email with this text of the administrator. */
  readonly comment: string | undefined;
  readonly actions: LeavingActions;
}

/** Does everything in one transaction, except the messages: a job deletes them afterwards, in parts. */
export async function dismissPerson(
  ctx: ApiContext,
  actor: User,
  userId: number,
  { comment, actions }: Leaving,
): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    await deactivatePersonIn(tx, ctx, actor, userId, comment);
    const user = await accessUserForUpdate(tx, userId);
    if (Object.values(actions).includes(true)) {
      noteAct(tx, {
        act: 'user erase',
        subject: user.email,
        after: { ...actions },
        details: { userId },
      });
    }
    if (actions.delete_profile === true) await eraseProfile(tx, user);
    const wanted = {
      userId,
      inPublicChannels: actions.delete_public_channel_messages === true,
      inPrivateChannels: actions.delete_private_channel_messages === true,
      inDirect: actions.delete_direct_messages === true,
    };
    if (wanted.inPublicChannels || wanted.inPrivateChannels || wanted.inDirect) {
      await tx.enqueue(eraseMessages, wanted);
    }
  });
  ringEngine(ctx);
}

/** Deletes the person's data but keeps the account, because other rows refer to it. */
async function eraseProfile(tx: Tx, user: User): Promise<void> {
  const fullName = `Deleted user ${user.id}`;
  await renameUser(tx, user, fullName);
  noteChange(tx, {
    act: 'user rename',
    subject: user.email,
    before: { fullName: user.fullName },
    after: { fullName },
    details: { userId: user.id },
  });
  await removeAvatarOf(tx, user);
  await clearProfileOf(tx, user.id);
  await clearStatusOf(tx, user.id);
}
