// Deactivating and reactivating people and bots.
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { endLinks } from '../mailed-links/actions.ts';
import { endSessionsIn } from '../sessions/actions.ts';
import { listAccountIdsOf } from '../trading-keys/access.ts';
import { hasAtLeast, ROLE } from '../roles.ts';
import {
  accessActing,
  accessBotForUpdate,
  findOwner,
  type Actor,
  isOnlyOwner,
} from './authority.ts';
import {
  cannotDeactivateLast,
  insufficientPermission,
  noSuchUser,
  onlyOwnerStays,
  ownerIsDeactivated,
  ownersOnly,
  userIsDeactivated,
} from './errors.ts';
import { groupMembersAdded, groupMembersRemoved, userUpdated } from './events.ts';
import {
  countActive,
  findUser,
  listDirectGroups,
  lockMembership,
  lockUser,
  lockWithBots,
  updateUser,
} from './store.ts';
import type { User } from '../user.ts';
import { changeBotOwner } from './actions.ts';

/**
 * Takes every right of a person away, and of their bots; rows, keys and history stay, so it can be
 * undone. Returns the affected users.
 */
export async function deactivateUser(tx: Tx, actor: Actor, userId: number): Promise<User[]> {
  const acting = await accessActing(tx, actor);
  const [user, ...bots] = await lockWithBots(tx, userId);
  if (user?.id !== userId || user.botType !== null) throw noSuchUser();
  if (!user.isActive) throw userIsDeactivated();
  if (!hasAtLeast(acting.role, 'administrator')) throw insufficientPermission();
  if (user.role === ROLE.owner && !hasAtLeast(acting.role, 'owner')) throw ownersOnly();
  if (await isOnlyOwner(tx, user)) throw onlyOwnerStays();
  return deactivateWithBots(tx, acting, user, bots);
}

/** A person deactivates themselves. The organization keeps at least one user and one owner. */
export async function deactivateSelf(tx: Tx, actor: Actor): Promise<User[]> {
  await lockMembership(tx);
  const [user, ...bots] = await lockWithBots(tx, actor.id);
  if (user?.id !== actor.id || !user.isActive) throw userIsDeactivated();
  const { users } = await countActive(tx);
  if (users === 1) throw cannotDeactivateLast('user');
  if (await isOnlyOwner(tx, user)) throw cannotDeactivateLast('organization owner');
  return deactivateWithBots(tx, actor, user, bots);
}

/** Its owner or an administrator deactivates a bot. */
export async function deactivateBot(tx: Tx, actor: Actor, botId: number): Promise<User> {
  const acting = await accessActing(tx, actor);
  const bot = await accessBotForUpdate(tx, acting, botId);
  if (!bot.isActive) throw userIsDeactivated();
  await setActive(tx, bot, false);
  await noteStanding(tx, acting, [bot], 'user deactivate');
  return bot;
}

export interface Reactivated {
  readonly before: User;
  /** True if more than `is_active` changes: a bot whose owner is gone. */
  readonly now: User;
}

/**
 * Gives a deactivated user everything back. Returns undefined for an active one. A bot whose owner
 * is deactivated comes back as the bot of the acting person, as nobody else answers for it.
 */
export async function reactivateUser(
  tx: Tx,
  actor: Actor,
  userId: number,
): Promise<Reactivated | undefined> {
  const acting = await accessActing(tx, actor);
  const user = await lockUser(tx, userId);
  if (user === undefined) throw noSuchUser();
  if (!hasAtLeast(acting.role, 'administrator')) throw insufficientPermission();
  if (user.role === ROLE.owner && !hasAtLeast(acting.role, 'owner')) throw ownersOnly();
  if (user.isActive) {
    noteNothing(tx);
    return undefined;
  }
  const newOwnerId = await findNewOwner(tx, acting, user);
  const back = newOwnerId === undefined ? user : await changeBotOwner(tx, acting, user, newOwnerId);
  await setActive(tx, back, true);
  await noteStanding(tx, acting, [back], 'user reactivate');
  return { before: user, now: { ...back, isActive: true } };
}

async function findNewOwner(tx: Tx, acting: Actor, user: User): Promise<number | undefined> {
  if (user.botType === null) return undefined;
  const owner = await findOwner(tx, user);
  if (owner === undefined || owner.isActive) return undefined;
  const person = await findUser(tx, acting.id);
  if (person === undefined) throw ownerIsDeactivated();
  return person.botOwnerId ?? person.id;
}

/** A bot acts for its owner, so it does not outlive the owner's rights. */
async function deactivateWithBots(
  tx: Tx,
  actor: Actor,
  user: User,
  bots: readonly User[],
): Promise<User[]> {
  const gone = [user, ...bots.filter(({ isActive }) => isActive)];
  for (const one of gone) await setActive(tx, one, false);
  await endSessionsIn(tx, user, 'deactivated');
  await endLinks(tx, user.id, 'password');
  await noteStanding(tx, actor, gone, 'user deactivate');
  return gone;
}

const ACCOUNTS_NOTED_MAX = 100;

/** A trigger on the table of people updates the trading accounts of `users`. */
async function noteStanding(
  tx: Tx,
  actor: Actor,
  users: readonly User[],
  act: 'user deactivate' | 'user reactivate',
): Promise<void> {
  const [user, ...bots] = users;
  if (user === undefined) return;
  const accounts = await listAccountIdsOf(
    tx,
    users.map(({ id }) => id),
  );
  const by = tx.cause === undefined ? await findUser(tx, actor.id) : undefined;
  const isActive = act === 'user reactivate';
  noteAct(tx, {
    act,
    subject: user.email,
    before: { isActive: !isActive },
    after: { isActive },
    details: {
      userId: user.id,
      accounts: accounts.slice(0, ACCOUNTS_NOTED_MAX),
      bots: bots.map(({ id }) => id),
    },
    ...(by && { by }),
  });
}

async function setActive(tx: Tx, user: User, isActive: boolean): Promise<void> {
  await updateUser(tx, user.id, { isActive });
  tx.emit(
    userUpdated(user.id, { is_active: isActive }),
    { everyone: true },
    { rightsOf: [user.id] },
  );
  // Group memberships stay stored; clients see only active people.
  const tell = isActive ? groupMembersAdded : groupMembersRemoved;
  for (const groupId of await listDirectGroups(tx, user.id)) {
    tx.emit(tell(groupId, [user.id]), { everyone: true });
  }
}
