// Presence in answers and in a client's initial state, and how events change that state. Not every change has an event.
import type { User } from '../../../accounts/user.ts';
import type { Config } from '../../../platform/config/schema.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { loadOrganization } from '../../organization/org/state.ts';
import { readRights } from '../../rights/permissions/access.ts';
import { may } from '../../rights/permissions/rights.ts';
import type { RegisterPart } from '../../register-part.ts';
import { clientPresence, PresenceChanged, type Presences } from './events.ts';
import { HISTORY_DAYS, timesOf } from './rules.ts';
import { findLastUpdate, listAcquaintances, listPresences } from './store.ts';

export interface PresenceRequest {
  readonly isSlim: boolean;
  /** Undefined: the usual number of days; 0: nothing. */
  readonly historyDays?: number | undefined;
  /** Only changes after this one; undefined, zero or negative: everything recent. */
  readonly lastUpdateId?: number | undefined;
}

export interface PresenceState {
  readonly presences: Presences;
  readonly presence_last_update_id: number;
  readonly server_timestamp: number;
}

/** Ten years. Larger values would give invalid dates. */
const HISTORY_DAYS_MAX = 3650;

export async function readPresences(
  db: Db,
  config: Pick<Config, 'CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE'>,
  reader: Pick<User, 'id' | 'role'>,
  isDisabled: boolean,
  { isSlim, historyDays = HISTORY_DAYS, lastUpdateId = -1 }: PresenceRequest,
  nowMs: number,
): Promise<PresenceState> {
  const server_timestamp = nowMs / 1000;
  if (isDisabled) return { presences: {}, presence_last_update_id: -1, server_timestamp };
  const last = await findLastUpdate(db);
  const days = Math.min(Math.max(historyDays, 0), HISTORY_DAYS_MAX);
  const rows =
    days === 0 && lastUpdateId <= 0
      ? []
      : await listPresences(db, {
          since: new Date(nowMs - days * DAY_MS),
          after: lastUpdateId > 0 ? lastUpdateId : undefined,
        });
  const isVisible = await visibility(db, config, reader);
  const shown = rows.filter(({ userId }) => isVisible(userId));
  return {
    presences: Object.fromEntries(
      shown.map((row) => [
        isSlim ? String(row.userId) : row.email,
        isSlim ? timesOf(row, row.dateJoined) : clientPresence(row),
      ]),
    ),
    presence_last_update_id: Math.max(last > 0 ? last : -1, lastUpdateId),
    server_timestamp,
  };
}

/** If the operator limits presence, only people whom the reader may see. */
async function visibility(
  db: Db,
  { CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE: isLimited }: Parameters<typeof readPresences>[1],
  reader: Pick<User, 'id' | 'role'>,
): Promise<(userId: number) => boolean> {
  if (isLimited !== 'true') return () => true;
  if (may(await readRights(db, reader), 'can_access_all_users_group')) return () => true;
  const known = await listAcquaintances(db, reader.id);
  return (userId) => known.has(userId);
}

function applyPresenceEvent(
  presences: Presences,
  { email, presence, presences: times }: PresenceChanged,
): Presences {
  if (times !== undefined) return { ...presences, ...times };
  if (email === undefined || presence === undefined) return presences;
  const { pushable: _never, ...aggregated } = presence.website;
  return { ...presences, [email]: { aggregated, website: presence.website } };
}

export const presencePart = {
  load: {
    presence: async ({ ctx, db, user, options, once }) => {
      const { settings } = await once(loadOrganization);
      const isDisabled = settings['presence_disabled'] === true;
      return {
        ...(await readPresences(
          db,
          ctx.config,
          user,
          isDisabled,
          options.presence,
          ctx.clock.now(),
        )),
      };
    },
  },
  events: [PresenceChanged],
  applyInTests: {
    presence: (state: { readonly presences: Presences }, event: PresenceChanged) => ({
      presences: applyPresenceEvent(state.presences, event),
    }),
  },
} satisfies RegisterPart;
