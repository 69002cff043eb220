// The canonical text of all visible books, which a checkpoint hashes.
import { sha256Hex } from './chain.ts';
import { toDecimal } from './decimal.ts';
import type { MarketBook, QueueBooks, SideBook } from './queues.ts';

function sideText(side: SideBook, book: MarketBook): string {
  const { quotePrecision, basePrecision } = book.terms;
  const rows: string[] = [];
  for (const { orderId, price, shown } of side.places()) {
    rows.push(
      `["${orderId}","${toDecimal(price, quotePrecision)}","${toDecimal(shown, basePrecision)}"]`,
    );
  }
  return `[${rows.join(',')}]`;
}

function marketText(book: MarketBook): string {
  const { symbol, base, quote, basePrecision, quotePrecision, listingPrice } = book.terms;
  const price = (ticks: number): string => (ticks === 0 ? '' : toDecimal(ticks, quotePrecision));
  return (
    `{"symbol":"${symbol}","base":"${base}","quote":"${quote}"` +
    `,"basePrecision":"${basePrecision}","quotePrecision":"${quotePrecision}"` +
    `,"listingPrice":"${price(listingPrice)}","phase":"${book.phase}"` +
    `,"lastPrice":"${price(book.lastPrice)}"` +
    `,"bids":${sideText(book.bids, book)},"asks":${sideText(book.asks, book)}}`
  );
}

/**
 * Markets by symbol in the order of their characters; orders from the best price to the worst and
 * from the front of each queue, as order id, price and visible volume.
 */
export function bookText(books: QueueBooks): string {
  const markets = [...books.markets.values()].sort((a, b) =>
    a.terms.symbol < b.terms.symbol ? -1 : 1,
  );
  return `{"tradeId":"${books.tradeId}","markets":[${markets.map(marketText).join(',')}]}`;
}

export const bookHash = (books: QueueBooks): string => sha256Hex(bookText(books));
