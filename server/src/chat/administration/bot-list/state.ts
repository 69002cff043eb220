// Bots in a client's initial state, and how that state follows from it with the events.
import type { User } from '../../../accounts/user.ts';
import type { Services } from '../../messages/bot-services/service.ts';
import { botRow, type BotEvent, type BotRow } from './events.ts';
import { isInListOf } from './rules.ts';

/** The bots that `viewer` manages, active or not, by id. */
export const readBots = (viewer: User, users: readonly User[], services: Services): BotRow[] =>
  users
    .filter((user) => user.botType !== null && isInListOf(user, viewer))
    .map(({ id }) => botRow(id, services));

export function applyBotEvent(bots: readonly BotRow[], event: BotEvent): readonly BotRow[] {
  if (event.op === 'update') {
    const { user_id, services } = event.bot;
    return bots.map((bot) => (bot.user_id === user_id ? { ...bot, services } : bot));
  }
  const others = bots.filter(({ user_id }) => user_id !== event.bot.user_id);
  if (event.op === 'delete') return others;
  return [...others, event.bot].sort((a, b) => a.user_id - b.user_id);
}
