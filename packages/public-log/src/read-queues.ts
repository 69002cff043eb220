// The queues of a core state, to begin recording from a snapshot.
import { listQueues } from '@rialto/matching';
import type { State } from '@rialto/matching';
import { QueueBooks } from './queues.ts';

/** The exact queues of a state, hidden volumes included: not for publication as they are. */
export function readQueues(state: State): QueueBooks {
  const { lastTradeId, markets } = listQueues(state);
  const books = new QueueBooks(lastTradeId);
  for (const { config, phase, lastPriceTicks, orders } of markets) {
    const { symbol, base, quote, basePrecision, quotePrecision, listingPriceTicks } = config;
    const book = books.open({
      symbol,
      base,
      quote,
      basePrecision,
      quotePrecision,
      listingPrice: listingPriceTicks,
    });
    book.phase = phase;
    book.lastPrice = lastPriceTicks;
    for (const { order, shownLots } of orders) {
      books.add(
        book,
        { orderId: order.orderId, side: order.side, price: order.price, shown: shownLots },
        {
          volume: order.volume,
          remaining: order.remainingVolume,
          visible: order.visibleVolume,
        },
      );
    }
  }
  return books;
}
