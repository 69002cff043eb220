import { Type } from 'typebox';

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

export const OrderBook = Type.Object(
  {
    symbol: Type.String({ description: 'Market symbol.', examples: ['btcusdt'] }),
    orderbook: Type.Object({
      bids: Type.Array(Entry, { description: 'Buy side, the highest price first.' }),
      asks: Type.Array(Entry, { description: 'Sell side, the lowest price first.' }),
    }),
  },
  { title: 'OrderBook' },
);
