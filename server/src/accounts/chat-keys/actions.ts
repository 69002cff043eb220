import type { Context } from '../../platform/context.ts';
import { chatKeyReplaced } from './events.ts';
import { createChatKey } from './key.ts';
import { updateKey } from './store.ts';

/** Gives the user a new key. Once this returns, the old one opens nothing, waiting polls included. */
export async function replaceChatKey(ctx: Context, userId: number): Promise<string> {
  const { key, stored } = createChatKey(ctx.secrets);
  await ctx.inTransaction(async (tx) => {
    await updateKey(tx, userId, stored);
    tx.emit(chatKeyReplaced(), { users: [] }, { rightsOf: [userId] });
  });
  return key;
}
