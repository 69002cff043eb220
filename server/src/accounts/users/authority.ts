// The acting user with their present role, and which bots they may manage.
import type { Db } from '../../platform/db/pool.ts';
import { hasAtLeast, ROLE, roleOfBot, type RoleCode } from '../roles.ts';
import type { User } from '../user.ts';
import { insufficientPermission, noSuchBot, ownersOnly } from './errors.ts';
import { countActive, findUser, holdUser, lockMembership, lockUser } from './store.ts';

/** The authenticated acting user. Without an id: the person at the command line. */
export interface Actor extends Pick<User, 'id' | 'role'> {
  /** The origin for the audit log, if not the API. */
  readonly via?: string;
  /** At the command line of the deployment, which stands above its owners. */
  readonly isOperator?: boolean;
}

/**
 * The acting user with their present role: it may have been lowered since they authenticated. Until
 * the transaction ends nobody's role changes. Take it before any row of a user, as all code does.
 */
export async function accessActing<A extends Actor>(tx: Db, actor: A): Promise<A> {
  await lockMembership(tx);
  if (actor.isOperator === true || actor.id === 0) return actor;
  const now = await findUser(tx, actor.id);
  if (now?.isActive !== true) throw insufficientPermission();
  if (now.botType === null) return { ...actor, role: now.role };
  const owner = await findOwner(tx, now);
  if (owner?.isActive === false) throw insufficientPermission();
  return { ...actor, role: roleOfBot(now.role, owner?.role) };
}

/**
 * Refuses a caller who was deactivated or lost their role since they authenticated; neither happens
 * until the transaction ends. For frequent acts, which do not wait for each other; take it before
 * any other row.
 */
export async function holdActing(tx: Db, actor: Actor): Promise<void> {
  const now = await holdUser(tx, actor.id);
  // A larger code is a lower role.
  if (now?.isActive !== true || now.role > actor.role) throw insufficientPermission();
}

export const findOwner = async (
  db: Db,
  { botOwnerId }: Pick<User, 'botOwnerId'>,
): Promise<User | undefined> => (botOwnerId === null ? undefined : findUser(db, botOwnerId));

export const isBotOf = (bot: User, owner: Pick<User, 'id'>): boolean =>
  bot.botType !== null && bot.botOwnerId === owner.id;

/**
 * The bot, locked, if it is one and the acting user may manage it. Call it with what `accessActing`
 * returned.
 */
export async function accessBotForUpdate(tx: Db, acting: Actor, botId: number): Promise<User> {
  const bot = await lockUser(tx, botId);
  if (bot === undefined || bot.botType === null) throw noSuchBot();
  if (!hasAtLeast(acting.role, 'administrator') && !isBotOf(bot, acting)) {
    throw insufficientPermission();
  }
  return bot;
}

/**
 * The bot, if the acting user may see its key or change its owner. The holder of a bot's key acts
 * as the bot, and a bot may write where its owner may. So the owner may, and an administrator may
 * as long as neither the bot nor its owner has a role above the administrator's.
 */
export async function accessBotToKeep(tx: Db, acting: Actor, botId: number): Promise<User> {
  const bot = await accessBotForUpdate(tx, acting, botId);
  await checkKeeper(tx, acting, bot);
  return bot;
}

export async function checkKeeper(tx: Db, acting: Actor, bot: User): Promise<void> {
  const owner = await findOwner(tx, bot);
  if (isAbove(roleOfBot(bot.role, owner?.role), acting.role)) throw ownersOnly();
  if (!isBotOf(bot, acting) && owner !== undefined && isAbove(owner.role, acting.role)) {
    throw ownersOnly();
  }
}

const isAbove = (role: RoleCode, than: RoleCode): boolean => role < than;

/** Whether the organization would have no owner without this person. */
export async function isOnlyOwner(tx: Db, user: User): Promise<boolean> {
  if (user.role !== ROLE.owner || user.botType !== null || !user.isActive) return false;
  return (await countActive(tx)).owners === 1;
}
