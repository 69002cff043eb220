import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { chatKeyReplaced } from './events.ts';
import { createChatKey } from './key.ts';
import { updateKey } from './store.ts';

/** Gives the user a new key. Once it is committed, the old one opens nothing, waiting polls included. */
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
