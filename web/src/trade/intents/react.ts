// The intents of the person at this page, in React.
import { useSyncExternalStore } from 'react';
import { useStore } from '../../state/react.ts';
import { accountOf } from '../account/react.ts';
import { useVenue } from '../venue/react.ts';
import type { Venue } from '../venue/venue.ts';
import { createIntents, type Intents } from './intents.ts';
import type { Intent } from './machine.ts';
import { createIntentStorage } from './storage.ts';

const known = new WeakMap<Venue, Intents>();

function intentsOf(venue: Venue, userId: number): Intents {
  const found = known.get(venue);
  if (found !== undefined) return found;
  const account = accountOf(venue);
  const { order, orderList } = venue.trading;
  const made = createIntents({
    order,
    orderList,
    storage: createIntentStorage(localStorage, userId),
    onOrders: account.take,
  });
  account.onOrder(made.see);
  known.set(venue, made);
  return made;
}

/** Only for somebody who is signed in. */
export function useIntents(): Intents {
  const venue = useVenue();
  const { client } = useStore();
  return intentsOf(venue, client.boot.user.id);
}

export function useIntentList(): readonly Intent[] {
  const { subscribe, list } = useIntents();
  return useSyncExternalStore(subscribe, list);
}
