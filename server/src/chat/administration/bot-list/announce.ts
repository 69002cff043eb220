// Sends the events that keep lists of bots up to date. A bot is in the lists of its owner and of administrators.
import { hasAtLeast, ROLE, type RoleCode } from '../../../accounts/roles.ts';
import { listActiveByRole, listBots } from '../../../accounts/users/access.ts';
import type { User } from '../../../accounts/user.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { listServices } from '../../messages/bot-services/access.ts';
import { botAdded, botRemoved, botUpdated } from './events.ts';
import { isInListOf } from './rules.ts';

/** Adds a new bot to the lists of its owner and of administrators. */
export async function tellBotAdded(tx: Tx, bot: User): Promise<void> {
  tx.emit(botAdded(bot.id, await listServices(tx, [bot.id])), {
    users: await listManagers(tx, bot),
  });
}

/** Tells that the URL or the token of an outgoing webhook changed. */
export async function tellServiceChanged(tx: Tx, bot: User): Promise<void> {
  const services = await listServices(tx, [bot.id]);
  tx.emit(botUpdated(bot.id, services), { users: await listManagers(tx, bot) });
}

async function listManagers(tx: Tx, bot: User): Promise<number[]> {
  const users = new Set(await listAdministratorIds(tx));
  if (bot.botOwnerId !== null) users.add(bot.botOwnerId);
  return [...users];
}

/** Moves a bot from the list of its old owner to the list of its new one. */
export async function tellBotMoved(tx: Tx, bot: User, newOwnerId: number): Promise<void> {
  const administrators = new Set(await listAdministratorIds(tx));
  const { id, botOwnerId } = bot;
  if (botOwnerId !== null && botOwnerId !== newOwnerId && !administrators.has(botOwnerId)) {
    tx.emit(botRemoved(id), { users: [botOwnerId] });
  }
  if (administrators.has(newOwnerId)) return;
  tx.emit(botAdded(id, await listServices(tx, [id])), { users: [newOwnerId] });
}

/** A new administrator sees every bot; a former one sees only their own. */
export async function tellBotsByRole(tx: Tx, before: User, role: RoleCode): Promise<void> {
  const isNow = hasAtLeast(role, 'administrator');
  if (hasAtLeast(before.role, 'administrator') === isNow || !before.isActive) return;
  const asMember = { id: before.id, role: ROLE.member };
  const services = await listServices(tx);
  for (const bot of await listBots(tx)) {
    if (isInListOf(bot, asMember)) continue;
    tx.emit(isNow ? botAdded(bot.id, services) : botRemoved(bot.id), { users: [before.id] });
  }
}

async function listAdministratorIds(tx: Tx): Promise<number[]> {
  const people = await listActiveByRole(tx, ROLE.administrator);
  return people.map(({ id }) => id);
}
