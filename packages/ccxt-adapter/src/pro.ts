// The venue as an exchange of the library with its streams: everything over HTTP, and `watch…` and `…Ws` on the socket.
import type { Dict } from 'ccxt';
import { RialtoAccountStreams } from './streams/account.ts';

const STREAMS = [
  'watchOrderBook',
  'watchTrades',
  'watchTicker',
  'watchTickers',
  'watchBidsAsks',
  'watchOHLCV',
  'watchOrders',
  'watchMyTrades',
  'watchBalance',
  'unWatchOrderBook',
  'unWatchTrades',
  'unWatchTicker',
  'unWatchOHLCV',
  'createOrderWs',
  'createOrdersWs',
  'editOrderWs',
  'cancelOrderWs',
  'cancelOrdersWs',
  'cancelAllOrdersWs',
  'fetchOrderWs',
  'fetchOpenOrdersWs',
];

/** `new pro.rialto({ baseUrl: 'https://venue.example/v1', apiKey, secret })`. */
export class rialtoPro extends RialtoAccountStreams {
  override describe(): Dict {
    return this.deepExtend(super.describe(), {
      pro: true,
      has: { ws: true, ...Object.fromEntries(STREAMS.map((name) => [name, true])) },
      // The venue answers pings of the protocol, and drops who is silent for a minute.
      streaming: { keepAlive: 20_000 },
    });
  }
}
