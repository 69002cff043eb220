// Orders, balances and phases of markets. An event that an answer already included is dropped.
import type {
  BalanceUpdateEvent,
  MarketPhaseEvent,
  OrderUpdateEvent,
  TradeAddEvent,
} from '@rialto/sdk';
import type { Venue } from '../entities.ts';
import { changed, UNCHANGED, type Changed, type State } from '../state.ts';

/** Deposits and withdrawals are not kept: the pages that show them follow these events, and ask. */
export const applyMovement = (): Changed => UNCHANGED;

const ORDERS_MAX = 500;

type VenueEvent = OrderUpdateEvent | TradeAddEvent | BalanceUpdateEvent | MarketPhaseEvent;

export function applyVenue(state: State, event: VenueEvent): Changed {
  if (!isNewer(event.engineSeq, state.venue.engineSeq)) return UNCHANGED;
  state.venue = { ...state.venue, ...changesOf(state.venue, event) };
  return changed('venue');
}

/** Several events may belong to one engine event, so an equal one counts too. */
const isNewer = (seq: string, known: string): boolean =>
  known === '' || BigInt(seq) >= BigInt(known);

function changesOf(venue: Venue, event: VenueEvent): Partial<Venue> {
  const { engineSeq } = event;
  switch (event.type) {
    case 'order': {
      const orders = new Map(venue.orders);
      for (const order of event.orders) {
        orders.delete(order.orderId);
        orders.set(order.orderId, order);
      }
      for (const id of orders.keys()) {
        if (orders.size <= ORDERS_MAX) break;
        orders.delete(id);
      }
      return { engineSeq, orders };
    }
    case 'balance': {
      const balances = new Map(venue.balances);
      for (const one of event.balances) balances.set(`${event.accountId}:${one.coin}`, one);
      return { engineSeq, balances };
    }
    case 'market':
      return { engineSeq, phases: new Map(venue.phases).set(event.symbol, event.phase) };
    default:
      return { engineSeq };
  }
}
