// Creates and manages bots. People create them; their owners and administrators manage them.
import { insufficientPermission } from '../../../accounts/users/errors.ts';
import { ringEngine } from '../../../platform/bus/bells.ts';
import { type Actor } from '../../../accounts/users/actions.ts';
import { deactivateBot } from '../../../accounts/users/standing.ts';
import {
  accessActing,
  accessBotForUpdate,
  accessBotToKeep,
} from '../../../accounts/users/authority.ts';
import { replaceChatKeyIn, showChatKey } from '../../../accounts/chat-keys/actions.ts';
import { revealChatKey } from '../../../accounts/chat-keys/verify.ts';
import { noteAct, noteNothing } from '../../../accounts/audit/actions.ts';
import { isEmail } from '../../../accounts/email.ts';
import { ROLE, type RoleCode } from '../../../accounts/roles.ts';
import {
  accessUser,
  findUserByEmail,
  listBotIdsOf,
  listUsersById,
} from '../../../accounts/users/access.ts';
import type { BotType, User } from '../../../accounts/user.ts';
import type { ApiContext, Context } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { badRequest } from '../../http/errors.ts';
import { addService, changeService, renewToken } from '../bot-list/services.ts';
import {
  checkInterface,
  checkPayloadUrl,
  OUTGOING_WEBHOOK,
  type ServiceRow,
} from '../../messages/bot-services/service.ts';
import { listServices } from '../../messages/bot-services/access.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { may } from '../../rights/permissions/rights.ts';
import {
  announceLeavingOrReturn,
  changePersonIn,
  createPerson,
  moveBotIn,
} from '../users/actions.ts';
import { writeDeactivated } from '../users/standing-emails.ts';
import { checkRoomForBot } from './room.ts';
import { botEmail } from '../bot-list/rules.ts';

export interface NewBot {
  readonly fullName: string;
  readonly shortName: string;
  readonly botType: BotType;
  /** For outgoing webhooks only. */
  readonly payloadUrl: string;
  readonly interfaceType: number;
}

const INCOMING_WEBHOOK: BotType = 2;
const EMBEDDED: BotType = 4;

/** Creates a bot that belongs to `actor`, and returns its key. */
export async function createBot(
  ctx: ApiContext,
  actor: User,
  { fullName, shortName, botType, payloadUrl, interfaceType }: NewBot,
): Promise<{ user: User; chatKey: string }> {
  // Clients know this text from Zulip servers without embedded bots.
  if (botType === EMBEDDED) throw badRequest('Embedded bots are not enabled.');
  if (!(await mayCreate(ctx.db, actor, botType))) throw insufficientPermission();
  const email = botEmail(shortName, new URL(ctx.publicUrl()).hostname);
  if (shortName.trim() === '' || !isEmail(email)) throw badRequest('Bad name or username');
  if ((await findUserByEmail(ctx.db, email)) !== undefined) {
    throw badRequest('Username already in use');
  }
  const service =
    botType === OUTGOING_WEBHOOK
      ? {
          interface: checkInterface(interfaceType),
          baseUrl: checkPayloadUrl('payload_url', payloadUrl, allowsPrivate(ctx)),
        }
      : undefined;
  return createPerson(
    ctx,
    { email, fullName, role: ROLE.member, botType, botOwnerId: actor.id },
    (tx) => checkRoomForBot(tx, ctx.config, actor.id),
    async (tx, bot) => {
      if (service !== undefined) await addService(tx, bot, service);
    },
  );
}

const allowsPrivate = ({ config }: Pick<Context, 'config'>): boolean =>
  config.BOT_WEBHOOK_ALLOW_PRIVATE === 'true';

/** An incoming webhook can only send messages, so more people may create one than a bot that also reads. */
async function mayCreate(db: Db, actor: User, botType: BotType): Promise<boolean> {
  const rights = await readRights(db, actor);
  if (may(rights, 'can_create_bots_group')) return true;
  return botType === INCOMING_WEBHOOK && may(rights, 'can_create_write_only_bots_group');
}

export interface BotChanges {
  readonly fullName?: string | undefined;
  readonly role?: RoleCode | undefined;
  readonly ownerId?: number | undefined;
  readonly payloadUrl?: string | undefined;
  readonly interfaceType?: number | undefined;
}

/** Returns the bot and its webhook after the change. */
export function changeBot(
  ctx: Context,
  actor: Actor,
  botId: number,
  { ownerId, payloadUrl, interfaceType, ...profile }: BotChanges,
): Promise<{ readonly bot: User; readonly service: ServiceRow | undefined }> {
  const changes = {
    baseUrl:
      payloadUrl === undefined
        ? undefined
        : checkPayloadUrl('service_payload_url', payloadUrl, allowsPrivate(ctx)),
    interface: interfaceType === undefined ? undefined : checkInterface(interfaceType),
  };
  return ctx.inTransaction(async (tx) => {
    const acting = await accessActing(tx, actor);
    await accessBotForUpdate(tx, acting, botId);
    await changePersonIn(tx, acting, botId, profile);
    const bot = await accessUser(tx, botId);
    if (changes.baseUrl !== undefined || changes.interface !== undefined) {
      await changeService(tx, bot, changes);
    }
    if (ownerId !== undefined && ownerId !== bot.botOwnerId) {
      await checkRoomForBot(tx, ctx.config, ownerId);
      await moveBotIn(tx, ctx, acting, bot, ownerId);
    }
    const services = await listServices(tx, [botId]);
    return { bot: await accessUser(tx, botId), service: services.get(botId) };
  });
}

export async function removeBot(ctx: Context, actor: Actor, botId: number): Promise<void> {
  await ctx.inTransaction(async (tx) => {
    const bot = await deactivateBot(tx, actor, botId);
    await announceLeavingOrReturn(tx, bot, false);
    await writeDeactivated(tx, ctx, [bot], { actor });
  });
  ringEngine(ctx);
}

/** The key of a bot, for people who manage it. */
export function readBotKey(ctx: Context, actor: Actor, botId: number): Promise<string> {
  return ctx.inTransaction(async (tx) => {
    const bot = await accessBotToKeep(tx, await accessActing(tx, actor), botId);
    // Locks the bot: otherwise it could get another owner and key before the key is read.
    return showChatKey(ctx, tx, bot);
  });
}

/**
 * The active bots of somebody, with their keys. No bot changes its owner between the list and the keys. The audit log
 * gets one entry for all of them.
 */
export function readOwnBots(
  ctx: Context,
  actor: Actor,
): Promise<{ readonly bot: User; readonly key: string }[]> {
  return ctx.inTransaction(async (tx) => {
    await accessActing(tx, actor);
    const bots = await listUsersById(tx, await listBotIdsOf(tx, actor.id));
    const own = bots.filter(({ isActive }) => isActive);
    const shown = [];
    for (const bot of own) shown.push({ bot, key: await revealChatKey(ctx, tx, bot.id) });
    if (own.length === 0) noteNothing(tx);
    else {
      noteAct(tx, {
        act: 'chat_key reveal',
        subject: own.map(({ email }) => email).join(', '),
        details: { userIds: own.map(({ id }) => id) },
      });
    }
    return shown;
  });
}

/** Replaces the key of a bot, and the token of its webhook. The old ones stop working. */
export function replaceBotKey(ctx: Context, actor: Actor, botId: number): Promise<string> {
  return ctx.inTransaction(async (tx) => {
    const bot = await accessBotToKeep(tx, await accessActing(tx, actor), botId);
    await renewToken(tx, bot);
    return replaceChatKeyIn(ctx, tx, bot);
  });
}
