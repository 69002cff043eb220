// Commands that no part of Rialto sends, but that version 1 of the core carried out when an
// operator's row or a hand-written request contained them. Old journals may contain them for ever.
import type { World } from '../../packages/matching/sim/world.ts';

export type OddCommands = (account: number, world: World, serial: number) => object[];

/** The few that may stand in any journal. */
export const drawFewOdd: OddCommands = (account) => [
  { type: 'place_oco', account, orders: [] },
  { type: 'tick', because: 'an operator asked for a look at the clock' },
  { type: 'set_memory', memory: 40, because: { nested: [1, null, 'x'] } },
];

/** As many as possible. */
export const drawOdd: OddCommands = (account, world, serial) => {
  const [market] = world.markets;
  const [coin] = world.coins;
  const [network] = world.networks;
  const symbol = market?.config.symbol;
  const order = { symbol, side: 'buy', type: 'limit', price: 1, priceDecimals: 0, volume: 1 };
  return [
    ...drawFewOdd(account, world, serial),
    { type: 'place_oco', account, orders: [order] },
    ...['cancel_market', 'halt_all', 'fund', 'sweep', 'release_account'].map((type) => ({
      type,
      account,
      symbol,
      coin,
      amount: '5',
      version: 2,
    })),
    { type: '' },
    {},
    { type: 'set_memory', memory: '50' },
    { type: 'set_memory' },
    { type: 'list_coin', coin: `odd${serial}`, networks: [network], decimals: 8 },
    { type: 'list_coin', coin: 7, networks: [] },
    { type: 'open_account', account: String(account), parent: account },
    { type: 'open_account', account: 900_000 + serial },
    { type: 'set_fee_tier', account, tier: '1' },
    { type: 'define_fee_tier', tier: 77, makerPpm: 0 },
    { type: 'suspend_account', account },
    { type: 'suspend_account', account, suspended: false, cancelOrders: 'no' },
    { type: 'set_phase', symbol, phase: 'lunch' },
    { type: 'set_phase', symbol },
    { type: 'credit_deposit', depositId: `odd-${serial}`, network, coin, to: account, amount: 12 },
    { type: 'credit_deposit', depositId: serial, network, coin, to: account, amount: '7' },
    { type: 'credit_deposit', network, coin, to: account, amount: '7' },
    { type: 'transfer', from: account, to: account, coin, amount: '1', transferId: '' },
    { type: 'adjust', from: 'custody', to: account, coin, amount: '1', adjustmentId: 'odd' },
    { type: 'settle_withdrawal' },
    { type: 'place', account, order: { ...order, colour: 'green' }, checkpoint: 'all' },
    { type: 'place', account, order: { ...order, price: '1', volume: '1' } },
    { type: 'place', account, order: { ...order, side: 'hold' } },
    { type: 'place', account, order: { ...order, clientOrderId: 12 } },
    { type: 'place', account, order: {} },
    { type: 'place', account: 'nobody', order },
    { type: 'place_batch', account, mode: 'some', orders: [order, order] },
    { type: 'test', account, order: { ...order, type: 'oco' } },
    { type: 'amend', account, orderId: '5', volume: 1 },
    { type: 'cancel', account, orderId: null },
    { type: 'cancel', account, orderId: 5, reason: 'boredom' },
    { type: 'cancel_batch', account, orders: [{}] },
    { type: 'cancel_all', account, side: 'both' },
    { type: 'cancel_all_after', account, timeoutMs: '10000' },
    { type: 'cancel_all_after', account },
  ];
};
