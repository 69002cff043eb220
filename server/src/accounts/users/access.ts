// Lookups of people for other features, whoever asks. What a viewer may look up is decided in chat/rights/sight.
import type { Db } from '../../platform/db/pool.ts';
import { noSuchUser } from './errors.ts';
import { findUser, findUserByEmail, lockUser } from './store.ts';
import type { User } from '../user.ts';

export {
  findFirstJoined,
  findUser,
  findUserByEmail,
  forgetGivenAddress,
  holdUser,
  listActiveByRole,
  listBotIdsOf,
  listBots,
  listSystemBots,
  listUsers,
  listUsersById,
  findBlocksFor,
  listUsersBetween,
  listUsersInPages,
  lockMembership,
  lockNames,
} from './store.ts';

export { countActiveBots, hasMorePeople, isOwnBot, listNamed } from './lookups.ts';

export async function accessUser(db: Db, idOrEmail: number | string): Promise<User> {
  const user =
    typeof idOrEmail === 'number'
      ? await findUser(db, idOrEmail)
      : await findUserByEmail(db, idOrEmail);
  if (user === undefined) throw noSuchUser();
  return user;
}

/** Loads a user and locks the row until the transaction ends. */
export async function accessUserForUpdate(tx: Db, id: number): Promise<User> {
  const user = await lockUser(tx, id);
  if (user === undefined) throw noSuchUser();
  return user;
}
