import { describe, expect, it } from 'vitest';
import { decodeCommand, encodeCommand, type NewCommand } from './command.ts';

const order = { symbol: 'btcusdt', side: 'buy', type: 'limit' } as const;
const COMMANDS: readonly NewCommand[] = [
  { type: 'tick' },
  { type: 'cancel', account: 1, orderId: 7 },
  { type: 'cancel_batch', account: 1, orders: [{ orderId: 7 }, { clientOrderId: 'a' }] },
  { type: 'cancel_all', account: 1, symbol: 'btcusdt' },
  { type: 'amend', account: 1, orderId: 7, price: 12, priceDecimals: 1 },
  { type: 'place', account: 1, checkpoint: 5, order: { ...order, price: 12, volume: 3 } },
  { type: 'place', account: 1, order: { ...order, type: 'market', total: 10n ** 30n } },
  {
    type: 'replace',
    account: 1,
    checkpoint: 5,
    clientOrderId: 'old',
    mode: 'stop_on_failure',
    order: { ...order, type: 'market', total: 10n ** 30n },
  },
  { type: 'test', account: 1, order: { ...order, type: 'market', total: 1n } },
  {
    type: 'place_batch',
    account: 1,
    mode: 'independent',
    orders: [order, { ...order, type: 'market', total: 5n }],
  },
  { type: 'place_batch', account: 1, mode: 'all_or_none', orders: [order] },
  {
    type: 'place_list',
    account: 1,
    list: {
      kind: 'oco',
      symbol: 'btcusdt',
      side: 'sell',
      volume: 1,
      limitPrice: 3,
      stopPrice: 1,
    },
  },
  {
    type: 'place_list',
    account: 1,
    checkpoint: 5,
    list: {
      kind: 'bracket',
      entry: { ...order, type: 'market', total: 10n ** 30n },
      takeProfitPrice: 3,
      stopLossPrice: 1,
    },
  },
  { type: 'transfer', transferId: 't', from: 1, to: 2, coin: 'btc', amount: 2n ** 100n },
  {
    type: 'request_withdrawal',
    withdrawalId: 'w',
    account: 1,
    coin: 'btc',
    network: 'BTC',
    amount: 10n,
    fee: 1n,
  },
];

describe('a command in transit', () => {
  it.each(COMMANDS.map((command) => [command.type, command] as const))(
    'arrives as it was sent, with its time: %s',
    (_type, command) => {
      expect(decodeCommand(encodeCommand(command), 123)).toEqual({ ...command, time: 123 });
    },
  );
});
