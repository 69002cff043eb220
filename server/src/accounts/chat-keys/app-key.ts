// The key of an app that was signed in through the browser.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import type { User } from '../user.ts';
import { showChatKey } from './actions.ts';

/** People have one key for the chat, which all their apps share. */
export const makeAppKey = (tx: Tx, ctx: Pick<Context, 'secrets'>, user: User): Promise<string> =>
  showChatKey(ctx, tx, user);
