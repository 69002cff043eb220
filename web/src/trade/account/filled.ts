// Which orders have something new to say: those that waited in the book, and were filled while the page was open. An order
// that is filled as it is placed is told of by the form.
import type { Order } from '@rialto/sdk';
import { isFinal } from './orders.ts';

/** As many as an account may have open; the oldest are forgotten. */
const WAITING_MAX = 1000;

export function watchFilled(tell: (order: Order) => void): (order: Order) => void {
  const waiting = new Set<string>();
  return (order) => {
    if (order.status === 'filled') {
      if (waiting.delete(order.orderId)) tell(order);
      return;
    }
    if (isFinal(order)) waiting.delete(order.orderId);
    else waiting.add(order.orderId);
    for (const id of waiting) {
      if (waiting.size <= WAITING_MAX) break;
      waiting.delete(id);
    }
  };
}
