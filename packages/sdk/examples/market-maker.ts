// A market maker: one bid and one ask around the middle of the book, moved when the book moves. Orders travel on the
// socket, and are canceled by the server if this program is lost. Keep it at 60 lines.
//
//   TRADING_KEY=… TRADING_SECRET=… node packages/sdk/examples/market-maker.ts
import { decimal, LiveBook, Streams, Trading } from '@rialto/sdk';
import { setting, symbol, tradingKey, untilInterrupted, url } from './settings.ts';

/** Half of the distance between our quotes, as a share of the price; the value of a quote; the shortest pause. */
const EDGE = setting('EDGE', '0.0005');
const VALUE = setting('VALUE', '100');
const PAUSE_MS = 1000;

const { add, compare, divide, multiply, roundDown, roundUp, subtract } = decimal;
const [market] = await new Trading({ url }).public.markets({ symbol });
if (market === undefined) throw new Error(`There is no market ${symbol}.`);
const { priceStep, volumeStep } = market;

const streams = new Streams({ url, ...tradingKey() });
const fills = streams.subscribe('my_trades', (event) => {
  if (event.type !== 'update') return;
  const { side, volume, price } = event.data;
  console.log(`${side === 'buy' ? 'bought' : 'sold'} ${volume} at ${price}`);
});
await streams.cancelOnDisconnect({ graceMs: 3000 });
const book = await new LiveBook(streams, symbol).ready;
const ending = untilInterrupted();
let quotedAt: string | undefined;

while (!ending.aborted) {
  await requote();
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
}
await streams.order.cancelAll({ symbol });
fills.close();
await streams.close();
console.log('canceled everything');

async function requote(): Promise<void> {
  const { bestBid, bestAsk } = book;
  if (!book.isCurrent || bestBid === undefined || bestAsk === undefined) return;
  const middle = divide(add(bestBid.price, bestAsk.price), '2', 8);
  const edge = multiply(middle, EDGE);
  // Stay while the middle has moved by less than half of the edge.
  const moved = decimal.abs(subtract(middle, quotedAt ?? '0'));
  if (quotedAt !== undefined && compare(multiply(moved, '2'), edge) < 0) return;
  await streams.order.cancelAll({ symbol });
  const volume = roundDown(divide(VALUE, middle, 12), volumeStep);
  const order = { symbol, type: 'limit', volume, postOnly: true } as const;
  const placed = await streams.order.createBatch({
    orders: [
      { ...order, side: 'buy', price: roundDown(subtract(middle, edge), priceStep) },
      { ...order, side: 'sell', price: roundUp(add(middle, edge), priceStep) },
    ],
  });
  quotedAt = middle;
  console.log(`quoting ${volume} around ${middle}`);
  for (const one of placed) if (one.status === 'false') console.log(one.error.message);
}
