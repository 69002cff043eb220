import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { chatKeyReplaced } from './events.ts';
import { createChatKey } from './key.ts';
import { updateKey } from './store.ts';

/** Gives the user a new key. Once this returns, the old one opens nothing, waiting polls included. */
export function replaceChatKey(ctx: Context, userId: number): Promise<string> {
  return ctx.inTransaction((tx) => replaceChatKeyIn(ctx, tx, userId));
}

/** The same, in a transaction that has checked who may. */
export async function replaceChatKeyIn(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  userId: number,
): Promise<string> {
  const { key, stored } = createChatKey(ctx.secrets);
  await updateKey(tx, userId, stored);
  tx.emit(chatKeyReplaced(), { users: [] }, { rightsOf: [userId] });
  return key;
}
