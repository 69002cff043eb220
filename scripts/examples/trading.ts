// Calls of the venue: a reader of the market, then a trader from the first order to the last statement.
import { HOUR_MS } from '../../server/src/platform/std/time.ts';
import type { Director } from './director.ts';

const SYMBOL = 'btcusdt';
const DAY_MS = 24 * HOUR_MS;

export async function playMarket({ call }: Director): Promise<Prices> {
  await call('publicPing', 'nobody');
  await call('publicTime', 'nobody');
  await call('publicStatus', 'nobody');
  await call('publicExchangeInfo', 'nobody', { symbol: SYMBOL });
  await call('publicMarkets', 'nobody', { symbol: SYMBOL });
  await call('publicCoinsInfo', 'nobody', { symbol: 'usdt' });
  await call('publicFees', 'nobody');
  await call('publicOrderbook', 'nobody', { symbol: SYMBOL, limit: '2' });
  await call('publicDepth', 'nobody', { symbol: SYMBOL, limit: '2' });
  await call('publicAuction', 'nobody', { symbol: SYMBOL });
  await call('publicLastTrades', 'nobody', { symbol: SYMBOL, limit: '2' });
  await call('publicTickers', 'nobody', { symbol: SYMBOL });
  await call('publicLastPrices', 'nobody', { symbol: SYMBOL });
  const best = await call('publicBestPrices', 'nobody', { symbol: SYMBOL });
  await call('publicCandlesticks', 'nobody', { symbol: SYMBOL, resolution: '1h', limit: '2' });
  await call('publicAuditHead', 'nobody');
  await call('publicEventLog', 'nobody', { fromSeq: '1', limit: '2' });
  await call('publicEventLogHead', 'nobody');
  await call('publicEventLogCheckpoint', 'nobody');
  await call('publicSigningKeys', 'nobody');
  return pricesAround(best.text('result.0.bidPrice'));
}

/** Round prices at some distance from the market: they do not trade while the scenario runs. */
export interface Prices {
  readonly low: string;
  readonly lower: string;
  readonly high: string;
  readonly higher: string;
}

function pricesAround(bid: string): Prices {
  const whole = BigInt(bid.split('.', 1)[0] ?? '0');
  const at = (percent: bigint) => `${((whole * percent) / 100n / 100n) * 100n}.00`;
  return { low: at(95n), lower: at(93n), high: at(105n), higher: at(107n) };
}

export async function playOrders({ call }: Director, prices: Prices): Promise<void> {
  const { low, lower, high, higher } = prices;
  const bid = { symbol: SYMBOL, side: 'buy', type: 'limit', price: low };
  const trader = 'trader_a';
  await call('privateAccountInfo', trader);
  await call('privateAccountFees', trader, { symbol: SYMBOL });
  await call('privateOrderTest', trader, { ...bid, volume: '0.015' });
  const order = await call('privateOrderCreate', trader, {
    ...bid,
    volume: '0.015',
    clientOrderId: 'desk-a-1',
    receipt: true,
  });
  const orderId = order.text('result.orderId');
  await call('privateOrderReceipt', trader, { clientOrderId: 'desk-a-1' });
  await call('privateOrderAmend', trader, { orderId, volume: '0.01', amendId: 'smaller-1' });
  await call('privateOrderOpen', trader, { symbol: SYMBOL });
  await call('privateOrderReplace', trader, {
    orderId,
    ...bid,
    price: lower,
    volume: '0.01',
    clientOrderId: 'desk-a-2',
  });
  await call('privateOrderCancel', trader, { clientOrderId: 'desk-a-2' });
  const bought = await call('privateOrderMarketBuy', trader, {
    symbol: SYMBOL,
    total: '250',
    clientOrderId: 'desk-a-3',
  });
  await call('privateOrderGet', trader, { orderId: bought.text('result.orderId') });
  await call('privateOrderMarketSell', trader, {
    symbol: SYMBOL,
    volume: '0.002',
    clientOrderId: 'desk-a-4',
  });
  await call('privateOrderLimitBuy', trader, {
    symbol: SYMBOL,
    price: low,
    volume: '0.01',
    clientOrderId: 'desk-a-5',
  });
  await call('privateOrderLimitSell', trader, {
    symbol: SYMBOL,
    price: high,
    volume: '0.01',
    clientOrderId: 'desk-a-6',
  });
  await call('privateOrderCancelBatch', trader, { clientOrderIds: ['desk-a-5', 'desk-a-6'] });
  await call('privateOrderStoplimitBuy', trader, {
    symbol: SYMBOL,
    stop: high,
    price: higher,
    volume: '0.01',
    clientOrderId: 'desk-a-7',
  });
  await call('privateOrderStoplimitSell', trader, {
    symbol: SYMBOL,
    stop: low,
    price: lower,
    volume: '0.01',
    clientOrderId: 'desk-a-8',
  });
  await call('privateOrderCreateBatch', trader, {
    orders: [
      { ...bid, volume: '0.01', clientOrderId: 'desk-a-9' },
      { ...bid, side: 'sell', price: high, volume: '0.01', clientOrderId: 'desk-a-10' },
    ],
  });
  await call('privateOrderCancelAllAfter', trader, { timeout: '60000' });
  await call('privateOrderCancelAll', trader, { symbol: SYMBOL });
  await playLists({ call } as Director, prices);
  await call('privateOrderHistory', trader, { symbol: SYMBOL, limit: '2' });
  await call('privateOrderTrades', trader, { symbol: SYMBOL, limit: '2' });
  await call('privateOrderPreventedMatches', trader, { symbol: SYMBOL });
}

async function playLists({ call }: Director, { low, lower, high }: Prices): Promise<void> {
  const oco = await call('privateOrderListCreateOco', 'trader_a', {
    symbol: SYMBOL,
    side: 'sell',
    volume: '0.01',
    limitPrice: high,
    stopPrice: low,
    stopLimitPrice: lower,
    limitClientOrderId: 'desk-a-11',
    stopClientOrderId: 'desk-a-12',
  });
  const orderListId = oco.text('result.orderListId');
  await call('privateOrderListGet', 'trader_a', { orderListId });
  await call('privateOrderListOpen', 'trader_a', { symbol: SYMBOL });
  await call('privateOrderListCancel', 'trader_a', { orderListId });
  const bracket = await call('privateOrderListCreateBracket', 'trader_a', {
    symbol: SYMBOL,
    side: 'buy',
    type: 'limit',
    price: low,
    volume: '0.01',
    takeProfitPrice: high,
    stopLossPrice: lower,
    clientOrderId: 'desk-a-13',
  });
  await call('privateOrderListCancel', 'trader_a', {
    orderListId: bracket.text('result.orderListId'),
  });
}

export async function playAccount({ call }: Director, nowMs: number): Promise<void> {
  const trader = 'trader_a';
  await call('privateAccountBalances', trader, { omitZero: true });
  const made = await call('privateSubAccountCreate', trader, { label: 'market maker' });
  const toAccountId = made.text('result.accountId');
  const fromAccountId = made.text('result.parentAccountId');
  await call('privateSubAccountList', trader);
  await call('privateSubAccountUpdate', trader, { accountId: toAccountId, label: 'night desk' });
  const transfer = { fromAccountId, toAccountId, coin: 'usdt', amount: '250.5' };
  await call('privateSubAccountTransfer', trader, { ...transfer, clientTransferId: 'topup-17' });
  await call('privateSubAccountTransfers', trader, { limit: '2' });
  await call('privateSubAccountTransfer', trader, {
    ...transfer,
    fromAccountId: toAccountId,
    toAccountId: fromAccountId,
    clientTransferId: 'back-17',
  });
  await call('privateSubAccountClose', trader, { accountId: toAccountId });
  await call('privateAccountLedger', trader, { coin: 'usdt', limit: '2' });
  await call('privateAccountStatement', trader, {
    from: String(nowMs - DAY_MS),
    // What can still be added to is not stated.
    to: String(nowMs - 60_000),
    timezone: 'Asia/Tehran',
  });
  await call('privateAccountRateLimits', trader);
}
