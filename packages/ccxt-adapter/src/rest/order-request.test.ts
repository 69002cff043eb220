import { expect, it } from 'vitest';
import { cutToStep, roundToStep } from '../text.ts';
import { toOrderRequest, type OrderAsked, type Steps } from './order-request.ts';

const STEPS: Steps = {
  id: 'btcusdt',
  amount: (value) => cutToStep(value, '0.000001'),
  price: (value) => roundToStep(value, '0.01'),
  cost: (value) => cutToStep(value, '0.000000000000000001'),
};

const LIMIT: OrderAsked = {
  symbol: 'BTC/USDT',
  type: 'limit',
  side: 'buy',
  amount: '0.015',
  price: '64250.10',
};

/** The request without what is undefined, as it is sent. */
const request = (asked: Partial<OrderAsked>) =>
  JSON.parse(JSON.stringify(toOrderRequest({ ...LIMIT, ...asked }, STEPS))) as object;

it.each<[string, Partial<OrderAsked>, object]>([
  ['a limit', {}, { type: 'limit', price: '64250.1', volume: '0.015' }],
  ['a market order', { type: 'market', price: undefined }, { type: 'market', volume: '0.015' }],
  [
    'a buy by cost',
    {
      type: 'market',
      amount: undefined,
      price: undefined,
      params: { cost: '10.000000000000000001' },
    },
    { type: 'market', total: '10.000000000000000001' },
  ],
  [
    'a trigger',
    { params: { triggerPrice: 65000 } },
    { type: 'stop_limit', price: '64250.1', stopPrice: '65000', volume: '0.015' },
  ],
  [
    'a stop price',
    { type: 'market', side: 'sell', price: undefined, params: { stopPrice: 60000 } },
    { type: 'stop_market', side: 'sell', stopPrice: '60000', volume: '0.015' },
  ],
  [
    'a stop loss',
    { params: { stopLossPrice: '60000.005' } },
    { type: 'stop_limit', price: '64250.1', stopPrice: '60000.01', volume: '0.015' },
  ],
  [
    'a take profit',
    { type: 'market', price: undefined, params: { takeProfitPrice: '70000', cost: 100 } },
    { type: 'take_profit_market', stopPrice: '70000', total: '100' },
  ],
  [
    'a trailing stop with an activation',
    { type: 'market', price: undefined, params: { trailingPercent: 1.5, trailingTriggerPrice: 1 } },
    { type: 'trailing_stop', trailingDelta: '150', stopPrice: '1', volume: '0.015' },
  ],
  [
    'a trailing stop that becomes a limit',
    { params: { trailingPercent: '0.1' } },
    { type: 'trailing_stop', trailingDelta: '10', price: '64250.1', volume: '0.015' },
  ],
  [
    "one of the venue's own types",
    { type: 'take_profit_limit', params: { stopPrice: '1' } },
    { type: 'take_profit_limit', price: '64250.1', stopPrice: '1', volume: '0.015' },
  ],
  [
    'post-only by its time in force',
    { params: { timeInForce: 'PO' } },
    { type: 'limit', price: '64250.1', volume: '0.015', postOnly: true },
  ],
  [
    'an end',
    { params: { expireTime: 1_760_000_000_000 } },
    {
      type: 'limit',
      price: '64250.1',
      volume: '0.015',
      timeInForce: 'GTD',
      expireTime: 1_760_000_000_000,
    },
  ],
  [
    'an iceberg with its own words',
    {
      params: {
        icebergAmount: '0.0010009',
        selfTradePrevention: 'EXPIRE_BOTH',
        clientOrderId: 'a',
        responseType: 'full',
        timeInForce: 'gtc',
      },
    },
    {
      type: 'limit',
      price: '64250.1',
      volume: '0.015',
      visibleVolume: '0.001',
      stpMode: 'expire_both',
      clientOrderId: 'a',
      responseType: 'full',
      timeInForce: 'GTC',
    },
  ],
])('translates %s', (_name, asked, expected) => {
  expect(request(asked)).toEqual({ symbol: 'btcusdt', side: 'buy', ...expected });
});

it.each<[string, Partial<OrderAsked>, string]>([
  ['a limit without a price', { price: undefined }, 'needs a price'],
  ['an order without a size', { amount: undefined }, 'needs an amount'],
  ['two triggers', { params: { triggerPrice: 1, takeProfitPrice: 2 } }, 'takes one of'],
  ['a trail of a third decimal', { params: { trailingPercent: 0.125 } }, 'two decimals'],
  ['an amount with an exponent', { amount: '1e3' }, 'plain decimal text'],
])('refuses %s', (_name, asked, message) => {
  expect(() => request(asked)).toThrow(message);
});
