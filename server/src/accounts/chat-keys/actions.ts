// Shows and replaces chat keys.

import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct } from '../audit/actions.ts';
import { emitSecurity } from '../notices/events.ts';
import type { User } from '../user.ts';
import { updateKey } from '../users/credentials.ts';
import { chatKeyReplaced } from './events.ts';
import { createChatKey } from './key.ts';
import { deleteChatKeysOf } from './store.ts';
import { revealChatKey } from './verify.ts';

type Owner = Pick<User, 'id' | 'email'>;

/** Returns the key to an authorised caller. The audit log records that it was shown. */
export async function showChatKey(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  owner: Owner,
  by?: Owner,
): Promise<string> {
  const details = { userId: owner.id };
  noteAct(tx, { act: 'chat_key reveal', subject: owner.email, details, ...(by && { by }) });
  return revealChatKey(ctx, tx, owner.id);
}

/**
 * Gives the user a new main key. Once it is committed, the old one and those of apps are useless, also for waiting
 * polls. `all` ends the keys that the owner made too, because somebody else may know them.
 */
export async function replaceChatKeyIn(
  ctx: Pick<Context, 'secrets'>,
  tx: Tx,
  owner: Owner,
  ends: 'apps' | 'all' = 'apps',
): Promise<string> {
  const { key, stored } = createChatKey(ctx.secrets);
  await updateKey(tx, owner.id, stored);
  await deleteChatKeysOf(tx, owner.id, ends === 'apps' ? 'app' : undefined);
  emitSecurity(tx, owner.id, 'key');
  tx.emit(chatKeyReplaced(), { users: [] }, { rightsOf: [owner.id] });
  noteAct(tx, {
    act: 'chat_key regenerate',
    subject: owner.email,
    details: { userId: owner.id },
  });
  return key;
}
