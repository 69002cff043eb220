// The account in React. Whoever asks first starts it; it ends with the venue of the page.
import type { Balance, MyTrade, Order } from '@rialto/sdk';
import { useMemo, useSyncExternalStore } from 'react';
import { useVenue } from '../venue/react.ts';
import type { Venue } from '../venue/venue.ts';
import { createAccountFeed, type AccountFeed, type AccountState } from './feed.ts';
import { ownVolumesOf, type OwnVolumes } from './orders.ts';

const feeds = new WeakMap<Venue, AccountFeed>();

const NOTHING: AccountState = {
  open: undefined,
  ended: [],
  balances: undefined,
  fills: undefined,
};
const SILENT = (): (() => void) => () => undefined;
const NO_ORDERS: readonly Order[] = [];

/** The one feed of this venue: a private channel can be followed once. */
export function accountOf(venue: Venue): AccountFeed {
  const known = feeds.get(venue);
  if (known !== undefined) return known;
  const made = createAccountFeed(venue);
  feeds.set(venue, made);
  return made;
}

/** Nothing for somebody who has not signed in. */
export function useAccount(): AccountState {
  const venue = useVenue();
  const feed = venue.isSignedIn ? accountOf(venue) : undefined;
  return useSyncExternalStore(feed?.subscribe ?? SILENT, () => feed?.state() ?? NOTHING);
}

/** Newest first; undefined until they have come. */
export const useOpenOrders = (): readonly Order[] | undefined => useAccount().open;

/** By coin; undefined until they have come. */
export const useBalances = (): ReadonlyMap<string, Balance> | undefined => useAccount().balances;

/** Newest first; undefined until they have come. */
export const useFills = (): readonly MyTrade[] | undefined => useAccount().fills;

/** What the account has in the book of a market, by side and price. */
export function useOwnVolumes(symbol: string): OwnVolumes {
  const orders = useOpenOrders() ?? NO_ORDERS;
  return useMemo(() => ownVolumesOf(orders, symbol), [orders, symbol]);
}
