// A bot may also do what its owner may.
import { listUsersById } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { Refusal } from '../../../platform/http/refusal.ts';
import { readRights } from './access.ts';
import type { Rights } from './rights.ts';

/**
 * Runs a check that refuses by throwing. For a bot the check runs with the bot's rights first, then with the owner's present
 * rights. If both are refused, the bot's refusal is thrown.
 */
export async function asBotOrOwner<T>(
  db: Db,
  sender: User,
  rights: Rights,
  ask: (who: Rights) => Promise<T>,
): Promise<T> {
  try {
    return await ask(rights);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const owner = await readOwnerRights(db, sender);
    if (owner === undefined) throw error;
    try {
      return await ask(owner);
    } catch (refusal) {
      throw refusal instanceof Refusal ? error : refusal;
    }
  }
}

/** Undefined for people, and for a bot whose owner is deactivated. */
async function readOwnerRights(db: Db, { botType, botOwnerId }: User): Promise<Rights | undefined> {
  if (botType === null || botOwnerId === null) return undefined;
  const [owner] = await listUsersById(db, [botOwnerId]);
  return owner?.isActive === true ? readRights(db, owner) : undefined;
}
