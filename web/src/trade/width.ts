// How much room the view has. The parts of a width that is not there are not drawn at all: a chart that nobody sees would
// still be kept up to date.
import { useSyncExternalStore } from 'react';

export type Width = 'phone' | 'tablet' | 'wide' | 'double';

/** From the narrowest on, as tokens.css has them; two markets side by side need more than it names. */
const QUERIES: readonly (readonly [Exclude<Width, 'phone'>, string])[] = [
  ['double', '(width >= 1800px)'],
  ['wide', '(width >= 80rem)'],
  ['tablet', '(width >= 48rem)'],
];

const lists = QUERIES.map(([width, query]) => [width, matchMedia(query)] as const);

function subscribe(listener: () => void): () => void {
  for (const [, list] of lists) list.addEventListener('change', listener);
  return () => {
    for (const [, list] of lists) list.removeEventListener('change', listener);
  };
}

const read = (): Width => lists.find(([, list]) => list.matches)?.[0] ?? 'phone';

export const useWidth = (): Width => useSyncExternalStore(subscribe, read);
