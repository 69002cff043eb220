// The books from their canonical text, to begin in the middle of a log.
import { bookText } from '../books.ts';
import type { MarketBook } from '../queues.ts';
import { QueueBooks } from '../queues.ts';
import { fault, positiveDecimal, shorten, wholeNumber } from './fault.ts';
import { checkTerms } from './markets.ts';
import { parseJson } from './parse.ts';

type Fields = Readonly<Record<string, unknown>>;

const textOf = (fields: Fields, name: string): string => {
  const value = fields[name];
  return typeof value === 'string' ? value : fault(`the book must have "${name}" as text`);
};

function listOf(fields: Fields, name: string): readonly unknown[] {
  const value = fields[name];
  return Array.isArray(value) ? value : fault(`the book must have "${name}" as a list`);
}

function readSide(
  books: QueueBooks,
  book: MarketBook,
  rows: readonly unknown[],
  side: 'buy' | 'sell',
): void {
  const { quotePrecision, basePrecision } = book.terms;
  for (const row of rows) {
    const [id, price, volume] = Array.isArray(row) ? (row as unknown[]) : [];
    if (typeof id !== 'string' || typeof price !== 'string' || typeof volume !== 'string') {
      fault('an order in the book must be its id, its price and its visible volume, as text');
    }
    const orderId = wholeNumber('orderId', id);
    if (books.places.has(orderId)) fault(`order ${id} stands in the book twice`);
    books.add(book, {
      orderId,
      side,
      price: positiveDecimal('price', price, quotePrecision),
      shown: positiveDecimal('volume', volume, basePrecision),
    });
  }
}

/** Reads all books. The text must be exactly what `bookText` writes for them. */
export function readBookText(text: string): QueueBooks {
  const fields = (parseJson(text) ?? {}) as Fields;
  const books = new QueueBooks(wholeNumber('tradeId', textOf(fields, 'tradeId')));
  for (const item of listOf(fields, 'markets')) {
    const market = (item ?? {}) as Fields;
    const terms = checkTerms({
      symbol: textOf(market, 'symbol'),
      base: textOf(market, 'base'),
      quote: textOf(market, 'quote'),
      basePrecision: textOf(market, 'basePrecision'),
      quotePrecision: textOf(market, 'quotePrecision'),
      listingPrice: textOf(market, 'listingPrice'),
    });
    if (books.markets.has(terms.symbol)) fault(`market ${terms.symbol} stands in the book twice`);
    const book = books.open(terms);
    book.phase = textOf(market, 'phase');
    const last = textOf(market, 'lastPrice');
    if (last !== '') book.lastPrice = positiveDecimal('lastPrice', last, terms.quotePrecision);
    readSide(books, book, listOf(market, 'bids'), 'buy');
    readSide(books, book, listOf(market, 'asks'), 'sell');
  }
  const expected = bookText(books);
  if (expected !== text) {
    fault(
      `the book is not canonical (markets by symbol, orders from the best price and the front of each queue): expected ${shorten(expected)}`,
    );
  }
  return books;
}
