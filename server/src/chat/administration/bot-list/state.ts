// Bots in a client's initial state, and how events change that state.
import type { User } from '../../../accounts/user.ts';
import { listBots } from '../../../accounts/users/access.ts';
import { listServices } from '../../messages/bot-services/access.ts';
import type { Services } from '../../messages/bot-services/service.ts';
import type { RegisterPart } from '../../register-part.ts';
import { BOT_EVENTS, botRow, type BotEvent, type BotRow } from './events.ts';
import { isInListOf } from './rules.ts';

/** The bots that `viewer` manages, active or not, by id. */
const ownBots = (viewer: User, bots: readonly User[], services: Services): BotRow[] =>
  bots.filter((bot) => isInListOf(bot, viewer)).map(({ id }) => botRow(id, services));

function applyBotEvent(bots: readonly BotRow[], event: BotEvent): readonly BotRow[] {
  if (event.op === 'update') {
    const { user_id, services } = event.bot;
    return bots.map((bot) => (bot.user_id === user_id ? { ...bot, services } : bot));
  }
  const others = bots.filter(({ user_id }) => user_id !== event.bot.user_id);
  if (event.op === 'delete') return others;
  return [...others, event.bot].sort((a, b) => a.user_id - b.user_id);
}

export const botsPart = {
  load: {
    realm_bot: async ({ db, user }) => ({
      realm_bots: ownBots(user, await listBots(db), await listServices(db)),
    }),
  },
  events: BOT_EVENTS,
  applyInTests: {
    realm_bot: (state: { readonly realm_bots: readonly BotRow[] }, event: BotEvent) => ({
      realm_bots: applyBotEvent(state.realm_bots, event),
    }),
  },
} satisfies RegisterPart;
