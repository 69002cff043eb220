// Names that a search may use: channels and people, found as people type them.
import { fold } from '../../i18n/fold.ts';
import type { State } from '../../state/state.ts';
import type { KnownNames } from './parse.ts';

/** By id, name or address. A name that two people have means neither; so does a beginning that two names have. */
export function knownIn(state: State): KnownNames {
  return {
    findChannel: (name) => find(name, state.channels.values(), (channel) => [channel.name]),
    findPerson: (name) =>
      name === 'me'
        ? state.own.userId
        : find(name, state.people.values(), ({ fullName, email, deliveryEmail }) => [
            fullName,
            email,
            deliveryEmail ?? '',
          ]),
  };
}

function find<T extends { readonly id: number }>(
  typed: string,
  all: Iterable<T>,
  textsOf: (one: T) => readonly string[],
): number | undefined {
  const wanted = fold(typed);
  if (wanted === '') return undefined;
  const exact = new Set<number>();
  const begun = new Set<number>();
  for (const one of all) {
    for (const text of textsOf(one)) {
      const known = fold(text);
      if (known === wanted) exact.add(one.id);
      else if (known.startsWith(wanted)) begun.add(one.id);
    }
    if (String(one.id) === typed) return one.id;
  }
  const found = exact.size > 0 ? exact : begun;
  const [only] = found;
  return found.size === 1 ? only : undefined;
}
