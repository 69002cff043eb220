// Finds people by what is typed: by the beginning of a name or an address, in any script.
import { fold } from '../../i18n/fold.ts';
import type { Person } from '../../state/entities.ts';

export function findPeople(people: readonly Person[], typed: string): Person[] {
  const wanted = fold(typed);
  if (wanted === '') return [...people];
  return people.filter(({ fullName, email, deliveryEmail }) => {
    const name = fold(fullName);
    return (
      name.startsWith(wanted) ||
      name.includes(` ${wanted}`) ||
      fold(deliveryEmail ?? email).startsWith(wanted)
    );
  });
}
