// A running venue for tests of the order endpoints: server, engine, projector, and traders with money.
import { startTestServer, type TestServer, type TestServerOptions } from '../server.ts';
import { liveVenue, type LiveVenue, type LiveVenueOptions } from '../live-venue.ts';
import type { Trader, TradingAnswer } from '../trader.ts';
import { startProjector } from '../../trading/projections/projector.ts';
import type { OrderList } from '../../trading/order-lists/list.ts';
import type { Order } from '../../trading/orders/order.ts';

export type Params = Readonly<Record<string, string>>;

export interface Desk {
  readonly server: TestServer;
  readonly venue: LiveVenue;
  post(trader: Trader, path: string, params?: Params): Promise<TradingAnswer>;
  get(trader: Trader, path: string, params?: Params): Promise<TradingAnswer>;
  delete(trader: Trader, path: string, params?: Params): Promise<TradingAnswer>;
  /** A person with money; see LiveVenue. */
  trader: LiveVenue['trader'];
  /** Cancels everything that the desk's traders left in the books. */
  sweep(): Promise<void>;
  /** Two others trade a little of btcusdt at this price; the book must be empty there. */
  trade(price: string): Promise<void>;
  /** Places an order and returns it; throws when it is refused. */
  place(trader: Trader, params?: Params): Promise<Order>;
  close(): Promise<void>;
}

export const LIMIT: Params = {
  symbol: 'btcusdt',
  side: 'buy',
  type: 'limit',
  price: '64000.00',
  volume: '0.010000',
};

/** Around a last price of 64000. */
export const OCO: Params = {
  symbol: 'btcusdt',
  side: 'sell',
  volume: '0.010000',
  limitPrice: '70000.00',
  stopPrice: '60000.00',
};

/** With an entry that waits below the last price. */
export const BRACKET: Params = {
  ...LIMIT,
  price: '55000.00',
  takeProfitPrice: '70000.00',
  stopLossPrice: '52000.00',
};

const { side: _, type: __, ...SHORT } = LIMIT;
const XRP: Params = { symbol: 'xrpusdt', volume: '10' };
/** Orders by the short paths, around a last price of 64000; by the names of the routes. */
export const SHORT_REQUESTS: Readonly<Record<string, Params>> = {
  privateOrderLimitBuy: { ...SHORT, price: '3000.00' },
  privateOrderLimitSell: { ...SHORT, price: '69000.00' },
  privateOrderMarketBuy: { symbol: 'xrpusdt', total: '20' },
  privateOrderMarketSell: XRP,
  privateOrderStoplimitBuy: { ...SHORT, stop: '68000.00', price: '68000.00' },
  privateOrderStoplimitSell: { ...SHORT, stop: '60000.00', price: '60000.00' },
};

/** Both sides of the market in which those market orders trade. */
export async function placeLiquidity(desk: Desk, maker: Trader): Promise<void> {
  const terms = { symbol: 'xrpusdt', volume: '10000' };
  await desk.place(maker, { ...terms, side: 'buy', price: '2.40' });
  await desk.place(maker, { ...terms, side: 'sell', price: '2.60' });
}

/** Names the order to cancel, as a replacement wants it. */
export const toCancel = ({ orderId, clientOrderId }: Params): Params => ({
  ...(orderId === undefined ? {} : { orderId }),
  ...(clientOrderId === undefined ? {} : { cancelClientOrderId: clientOrderId }),
});

export async function openDesk(
  options: TestServerOptions = {},
  venueOptions: LiveVenueOptions = {},
): Promise<Desk> {
  const server = await startTestServer({
    withEngine: true,
    ...options,
    settings: { TRADING_RATE_LIMIT: '100000', ...options.settings },
  });
  const projector = startProjector(server.ctx);
  const venue = await liveVenue(server, venueOptions);
  const call =
    (method: string) =>
    (trader: Trader, path: string, params: Params = {}) =>
      trader.call(`${server.baseUrl}/private/${path}`, { method, params: { ...params } });
  const post = call('POST');
  const traders = new Set<Trader>();
  let others: [maker: Trader, taker: Trader] | undefined;
  return {
    server,
    venue,
    post,
    async trader(...given) {
      const trader = await venue.trader(...given);
      traders.add(trader);
      return trader;
    },
    async sweep() {
      for (const trader of traders) await call('DELETE')(trader, 'order/cancel_all');
      traders.clear();
    },
    get: call('GET'),
    delete: call('DELETE'),
    async place(trader, params = {}) {
      const answer = await post(trader, 'order/create', { ...LIMIT, ...params });
      if (answer.body.status !== 'true') throw new Error(answer.text);
      return answer.body.result as Order;
    },
    async trade(price) {
      others ??= [await venue.trader(), await venue.trader()];
      const [maker, taker] = others;
      const params = { ...LIMIT, price, volume: '0.001' };
      resultOf(await post(maker, 'order/create', { ...params, side: 'sell' }));
      const { status } = resultOf<Order>(await post(taker, 'order/create', params));
      if (status !== 'filled') throw new Error(`The trade at ${price} did not happen: ${status}.`);
    },
    async close() {
      await projector.stop();
      await server.close();
    },
  };
}

/** Places an OCO and returns it; throws when it is refused. */
export const placeOco = async (
  desk: Desk,
  trader: Trader,
  params: Params = {},
): Promise<OrderList> =>
  resultOf(await desk.post(trader, 'order_list/create_oco', { ...OCO, ...params }));

/** The result, with the type that the endpoint declares; throws when it is an error. */
export function resultOf<T = unknown>(
  { body, text }: TradingAnswer,
  read: (result: unknown) => T = (result) => result as T,
): T {
  if (body.status !== 'true') throw new Error(text);
  return read(body.result);
}

export const codeOf = ({ body }: TradingAnswer): string => body.error?.code ?? '';
