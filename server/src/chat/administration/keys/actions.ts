// Replaces the chat key of a person, and ends keys together with a password.
import type { User } from '../../../accounts/user.ts';
import { replaceChatKeyIn } from '../../../accounts/chat-keys/actions.ts';
import { deleteTradingKeysIn } from '../../../accounts/trading-keys/actions.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { forgetDevices } from '../../notifications/devices/actions.ts';
import { forgetBrowsers } from '../../notifications/web-push/actions.ts';

/**
 * Creates a new key. Programs and phones with the old one are signed out and get no notifications any more. `all` ends
 * the keys that the owner made too.
 */
export async function renewChatKeyIn(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  user: User,
  ends: 'apps' | 'all' = 'apps',
): Promise<string> {
  await forgetDevices(tx, user.id);
  await forgetBrowsers(tx, user.id);
  return replaceChatKeyIn(ctx, tx, user, ends);
}

/** Which keys end with a password: none, those of the chat, or those of the trading API too. */
export const REVOKE = ['none', 'chat', 'all'] as const;
export type Revoke = (typeof REVOKE)[number];

/** Returns the new chat key, if there is one. */
export async function revokeKeysIn(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  user: User,
  revoke: Revoke,
): Promise<string | undefined> {
  if (revoke === 'all') await deleteTradingKeysIn(tx, user.id);
  return revoke === 'none' ? undefined : renewChatKeyIn(ctx, tx, user, 'all');
}
