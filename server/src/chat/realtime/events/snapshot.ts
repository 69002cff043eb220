// A client's initial state: everything that it fetches, loaded in one snapshot of the database.
import { findUser } from '../../../accounts/users/access.ts';
import type { ApiContext } from '../../../platform/context.ts';
import type { Db } from '../../../platform/db/pool.ts';
import type { ClientOptions, LoadState, StateQuery } from '../../register-part.ts';
import { absentPart } from './absent.ts';
import { PARTS } from './parts.ts';

export interface SnapshotRequest extends ClientOptions {
  /** The names that the client fetches; undefined: everything. */
  readonly types: ReadonlySet<string> | undefined;
}

/** Undefined when the user is gone or deactivated in this snapshot. */
export async function loadSnapshot(
  ctx: ApiContext,
  db: Db,
  userId: number,
  { types, ...options }: SnapshotRequest,
): Promise<Record<string, unknown> | undefined> {
  // Only this person: a client that fetches no people must not wait until everybody is loaded.
  const user = await findUser(db, userId);
  if (user === undefined || !user.isActive || user.isSystem) return undefined;
  const wants = (type: string) => types === undefined || types.has(type);
  const loaded = new Map<unknown, Promise<unknown>>();
  const query: StateQuery = {
    ctx,
    db,
    user,
    options,
    wants,
    once: async <T>(load: (query: StateQuery) => Promise<T>) => {
      const known = loaded.get(load) ?? load(query);
      loaded.set(load, known);
      return (await known) as T;
    },
  };
  const fields: Record<string, unknown> = {};
  for (const [type, load] of LOADERS) {
    if (wants(type)) Object.assign(fields, await load(query));
  }
  return fields;
}

/**
 * The order of the types in the answer. Clients do not depend on it; it is kept so that an answer stays the same text. A
 * type that is not named here comes last, so a new feature need not be added.
 */
export const ANSWER_ORDER: readonly string[] = [
  ...Object.keys(absentPart.load),
  ...`message update_message_flags starred_messages recent_private_conversations muted_topics
  muted_users alert_words saved_snippets navigation_views realm_emoji realm_linkifiers
  onboarding_steps realm_playgrounds realm_domains scheduled_messages reminders device push_device
  drafts presence user_status realm realm_user custom_profile_fields realm_bot realm_user_groups
  user_settings realm_user_settings_defaults stream subscription channel_folders default_streams
  user_topic`.split(/\s+/),
];

const placeOf = (type: string): number => {
  const place = ANSWER_ORDER.indexOf(type);
  return place === -1 ? ANSWER_ORDER.length : place;
};

const LOADERS: readonly [type: string, load: LoadState][] = PARTS.flatMap(({ load = {} }) =>
  Object.entries(load),
).sort(([a], [b]) => placeOf(a) - placeOf(b));
