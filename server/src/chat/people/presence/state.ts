// Presence in answers and in a client's initial state, and how events change that state. Not every change has an event.
import { knows, shownEmail, type Sight } from '../../../accounts/users/sight.ts';
import type { Config } from '../../../platform/config/schema.ts';
import type { Db } from '../../../platform/db/pool.ts';
import { DAY_MS } from '../../../platform/std/time.ts';
import { loadOrganization } from '../../organization/org/state.ts';
import { loadSight } from '../../rights/sight/state.ts';
import type { RegisterPart } from '../../register-part.ts';
import { clientPresence, PresenceChanged, type Presences } from './events.ts';
import { HISTORY_DAYS, timesOf } from './rules.ts';
import { findLastUpdate, listPresences } from './store.ts';

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
  sight: Sight,
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
  // It is the operator's choice whether people see the presence of those whom they do not know, by id alone.
  const isLimited = config.CAN_ACCESS_ALL_USERS_GROUP_LIMITS_PRESENCE === 'true';
  const shown = rows.filter(({ userId }) => !isLimited || knows(sight, userId));
  return {
    presences: Object.fromEntries(
      shown.map((row) => [
        isSlim ? String(row.userId) : shownEmail(sight, { ...row, id: row.userId }),
        isSlim ? timesOf(row, row.dateJoined) : clientPresence(row),
      ]),
    ),
    presence_last_update_id: Math.max(last > 0 ? last : -1, lastUpdateId),
    server_timestamp,
  };
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
    presence: async ({ ctx, db, options, once }) => {
      const { settings } = await once(loadOrganization);
      const isDisabled = settings['presence_disabled'] === true;
      return {
        ...(await readPresences(
          db,
          ctx.config,
          await once(loadSight),
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
