// Replaces the chat key of a person.
import type { User } from '../../../accounts/user.ts';
import { replaceChatKeyIn } from '../../../accounts/chat-keys/actions.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { forgetDevices } from '../../notifications/devices/actions.ts';
import { forgetBrowsers } from '../../notifications/web-push/actions.ts';

/** Creates a new key. Programs and phones with the old one are signed out and get no notifications any more. */
export async function renewChatKeyIn(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  user: User,
): Promise<string> {
  await forgetDevices(tx, user.id);
  await forgetBrowsers(tx, user.id);
  return replaceChatKeyIn(ctx, tx, user);
}
