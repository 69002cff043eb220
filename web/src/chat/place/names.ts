// What conversations are called.
import type { State } from '../../state/state.ts';

/** The names of a direct conversation, or what talking to oneself is called. */
export function directNames(
  state: State,
  userIds: readonly number[],
  t: { readonly ownNotes: string; readonly unknownPerson: string },
): string[] {
  const [only, ...others] = userIds;
  if (only === state.own.userId && others.length === 0) return [t.ownNotes];
  return userIds.map((id) => state.people.get(id)?.fullName ?? t.unknownPerson);
}
