// What people say of themselves, in a client's initial state, and how that follows from it with the events.
import type { Db } from '../../../platform/db/pool.ts';
import type { UserStatus, StatusChanged } from './events.ts';
import { listStatuses, type StatusRow } from './store.ts';

/** By user id; people without any are not in it. */
export type Statuses = Readonly<Record<string, UserStatus>>;

export async function readStatuses(db: Db): Promise<Statuses> {
  const rows = await listStatuses(db);
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

export function applyStatusEvent(
  statuses: Statuses,
  { type: _type, user_id, ...changes }: StatusChanged & { readonly id?: number },
): Statuses {
  const { id: _id, ...fields } = changes;
  const { [user_id]: before, ...others } = statuses;
  const status = withoutNothing({ ...before, ...fields });
  return Object.keys(status).length === 0 ? others : { ...others, [user_id]: status };
}
