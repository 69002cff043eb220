// Ends everything that is open in a person's name: sessions, with those of command lines, and sign-ins under way. A new
// kind of access adds its line here. Keys are apart, because their owner decides about them.
import type { Tx } from '../../platform/db/transaction.ts';
import { endSignInsOf } from '../sign-in/stages-store.ts';
import type { User } from '../user.ts';
import { endSessionsIn } from './actions.ts';

/** Call it in the transaction of the change that invalidates them. */
export async function endAccess(
  tx: Tx,
  user: Pick<User, 'id' | 'email'>,
  reason: string,
  exceptSession?: bigint,
): Promise<void> {
  await endSignInsOf(tx, user.id);
  await endSessionsIn(tx, user, reason, exceptSession);
}
