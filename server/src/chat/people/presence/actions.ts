// Presence: whether people are active, as their clients report it. Most pings change too little to be stored.
import { hasMorePeople } from '../../../accounts/users/access.ts';
import { noSuchUser } from '../../../accounts/users/errors.ts';
import type { User } from '../../../accounts/user.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import type { Audience } from '../../../platform/events/event.ts';
import { sendSignal } from '../../../platform/realtime/signals.ts';
import { badRequest } from '../../http/errors.ts';
import { readOrganizationSettings } from '../../organization/org/access.ts';
import { accessPerson, readSight } from '../../rights/sight/access.ts';
import { settingOf } from '../../organization/setting-definitions/definitions.ts';
import { statusChanged } from '../statuses/events.ts';
import { presenceChanged } from './events.ts';
import { writeGathered } from './gathered.ts';
import {
  comesOnline,
  nextPresence,
  hide,
  statusAt,
  statusOf,
  timesOf,
  type PresenceStatus,
} from './rules.ts';
import { readPresences, type PresenceRequest, type PresenceState } from './state.ts';
import { findPresence, writePresences } from './store.ts';

export async function isPresenceDisabled(ctx: Pick<Context, 'db'>): Promise<boolean> {
  return (await readOrganizationSettings(ctx.db))['presence_disabled'] === true;
}

/** Handles a ping. Ignores it for people who hide their presence. */
export async function notePresence(
  ctx: Context,
  actor: User,
  status: PresenceStatus,
): Promise<void> {
  if (settingOf(actor, 'presence_enabled') !== true || (await isPresenceDisabled(ctx))) return;
  const nowMs = ctx.clock.now();
  const before = await findPresence(ctx.db, actor.id);
  const next = nextPresence(before, status, nowMs);
  if (next === undefined) return;
  await writeGathered(ctx, actor.id, next);
  if (!comesOnline(before, status, nowMs)) return;
  // In a large organization, such events would go from everybody to everybody. There, clients learn it with their next
  // ping.
  if (await hasMorePeople(ctx.db, ctx.config.CHAT_PRESENCE_PUSH_USERS_MAX)) return;
  sendSignal(ctx.bus, presenceChanged(actor, next, nowMs), audienceOf(ctx));
}

/** Guests may be limited to some people, so they get no events; their pings give them what they may see. */
const audienceOf = ({ config }: Pick<Context, 'config'>): Audience =>
  config.CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE === 'true'
    ? { everyone: true, butGuests: true }
    : { everyone: true };

/**
 * For somebody who hides or shows their presence. The event goes into the log, so nobody misses it. Older clients know
 * hiding as being away.
 */
export async function announceVisibility(
  tx: Tx,
  ctx: Pick<Context, 'config' | 'clock'>,
  user: User,
  isVisible: boolean,
): Promise<void> {
  const nowMs = ctx.clock.now();
  const now = new Date(nowMs);
  const next = isVisible
    ? { lastActive: now, lastConnected: now }
    : hide(await findPresence(tx, user.id), nowMs);
  await writePresences(tx, new Map([[user.id, next]]));
  tx.emit(presenceChanged(user, next, nowMs), audienceOf(ctx));
  tx.emit(statusChanged(user.id, { away: !isVisible }), { everyone: true });
}

export async function listWhoIsHere(
  ctx: Context,
  actor: User,
  request: PresenceRequest,
): Promise<PresenceState> {
  const isDisabled = await isPresenceDisabled(ctx);
  const sight = await readSight(ctx, ctx.db, actor);
  return readPresences(ctx.db, ctx.config, sight, isDisabled, request, ctx.clock.now());
}

/** The presence of one person. */
export async function describePresence(ctx: Context, actor: User, idOrEmail: number | string) {
  const user = await accessPerson(ctx, ctx.db, actor, idOrEmail);
  if (!user.isActive) throw noSuchUser();
  if (user.botType !== null) throw badRequest('Presence is not supported for bot users.');
  const presence = (await isPresenceDisabled(ctx))
    ? undefined
    : await findPresence(ctx.db, user.id);
  if (presence === undefined) throw badRequest(`No presence data for ${idOrEmail}`);
  const nowMs = ctx.clock.now();
  return {
    presence: {
      ...timesOf(presence, user.dateJoined),
      website: statusOf(presence),
      aggregated: statusAt(presence, nowMs),
    },
    server_timestamp: nowMs / 1000,
  };
}
