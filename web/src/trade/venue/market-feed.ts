// What one market brings live: its book and its figures of the day. Changes reach those who draw at most ten times a second,
// however many there are.
import { LiveBook, type Ticker } from '@rialto/sdk';
import { createGate } from './gate.ts';
import type { Venue } from './venue.ts';

export interface MarketFeed {
  readonly book: LiveBook;
  ticker(): Ticker | undefined;
  /** Called after changes of the book, at most ten times a second. */
  onBook(listener: () => void): () => void;
  /** Called after changes of the figures, at most ten times a second. */
  onTicker(listener: () => void): () => void;
  close(): void;
}

const REPAINT_MS = 100;

export function createMarketFeed(venue: Venue, symbol: string): MarketFeed {
  const books = createGate(REPAINT_MS);
  const tickers = createGate(REPAINT_MS);
  let ticker: Ticker | undefined;
  const book = new LiveBook(venue.streams, symbol, {
    onChange: books.signal,
    onFault: books.signal,
  });
  const following = venue.streams.subscribe(`ticker:${symbol}`, (event) => {
    if (event.type !== 'snapshot' && event.type !== 'update') return;
    ticker = event.data;
    tickers.signal();
  });
  // A stale book has to be drawn as one.
  const leave = venue.subscribe(books.signal);
  return {
    book,
    ticker: () => ticker,
    onBook: books.subscribe,
    onTicker: tickers.subscribe,
    close() {
      leave();
      book.close();
      following.close();
      books.close();
      tickers.close();
    },
  };
}
