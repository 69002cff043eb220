// The public form of an order book.

import { Type } from 'typebox';
import { Count, Millis } from '../values.ts';

const Entry = Type.Object({
  price: Type.String({
    description: "Price, with the quote currency's precision.",
    examples: ['64250.10'],
  }),
  volume: Type.String({
    description: "Visible volume at the price, with the base currency's precision.",
    examples: ['0.015000'],
  }),
});

const Bids = Type.Array(Entry, { description: 'Buy side, the highest price first.' });
const Asks = Type.Array(Entry, { description: 'Sell side, the lowest price first.' });
const Symbol = Type.String({ description: 'Market symbol.', examples: ['btcusdt'] });

export const OrderBook = Type.Object(
  { symbol: Symbol, orderbook: Type.Object({ bids: Bids, asks: Asks }) },
  { title: 'OrderBook' },
);

export const Depth = Type.Object(
  {
    symbol: Symbol,
    updateId: Count('Grows by one with every change of the visible book, and never resets.'),
    time: Millis('When the book last changed.'),
    bids: Bids,
    asks: Asks,
    checksum: Count(
      'CRC-32 of the best 25 levels: price and volume of bid 1, ask 1, bid 2, ask 2 …, joined by colons.',
    ),
  },
  { title: 'Depth' },
);
