// Statuses in a client's initial state, and how events change that state.
import { knows, type Sight } from '../../../accounts/users/sight.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { RegisterPart } from '../../register-part.ts';
import { loadSight } from '../../rights/sight/state.ts';
import { StatusChanged, type UserStatus } from './events.ts';
import { listStatuses, type StatusRow } from './store.ts';

/** By user id, without people who have no status. */
type Statuses = Readonly<Record<string, UserStatus>>;

async function loadStatuses(db: Db, sight: Sight): Promise<Statuses> {
  const rows = (await listStatuses(db)).filter(({ userId }) => knows(sight, userId));
  return Object.fromEntries(rows.map((row) => [row.userId, statusObject(row, row.isAway)]));
}

export const statusObject = (row: StatusRow, isAway: boolean): UserStatus =>
  withoutNothing({
    status_text: row.statusText,
    emoji_name: row.emojiName,
    emoji_code: row.emojiCode,
    reaction_type: row.reactionType,
    away: isAway,
  });

const withoutNothing = (status: UserStatus): UserStatus =>
  Object.fromEntries(Object.entries(status).filter(([, value]) => value !== '' && value !== false));

function applyStatusEvent(
  statuses: Statuses,
  { type: _type, user_id, ...changes }: StatusChanged & { readonly id?: number },
): Statuses {
  const { id: _id, ...fields } = changes;
  const { [user_id]: before, ...others } = statuses;
  const status = withoutNothing({ ...before, ...fields });
  return Object.keys(status).length === 0 ? others : { ...others, [user_id]: status };
}

/** Somebody who is not known any more takes their status along. */
function forgetStatus(
  { user_status: statuses }: { readonly user_status: Statuses },
  { op, person }: { readonly op: string; readonly person: { readonly user_id: number } },
): object {
  if (op !== 'remove') return {};
  const { [person.user_id]: _gone, ...others } = statuses;
  return { user_status: others };
}

export const statusesPart = {
  load: {
    user_status: async ({ db, once }) => ({
      user_status: await loadStatuses(db, await once(loadSight)),
    }),
  },
  events: [StatusChanged],
  applyInTests: {
    user_status: (state: { readonly user_status: Statuses }, event: StatusChanged) => ({
      user_status: applyStatusEvent(state.user_status, event),
    }),
  },
  followInTests: { realm_user: forgetStatus },
} satisfies RegisterPart;
