// A venue in the memory of a bare core, without an engine: a market that has traded once at 64250.10, and two
// accounts with money. For tests that compare the server's decisions with those of the core.
import { apply, createState, type State } from '@rialto/matching';
import { exampleMarket } from '../example-market.ts';

export const CORE_TIME_MS = 1_760_000_000_000;
const MONEY = 10n ** 30n;

export function coreVenue(): State {
  const state = createState({ shard: 0 });
  const time = CORE_TIME_MS;
  const coins = ['btc', 'usdt'];
  for (const coin of coins) apply(state, { type: 'list_coin', time, coin, networks: ['N'] });
  apply(state, { type: 'define_fee_tier', time, tier: 0, makerPpm: 0, takerPpm: 0 });
  for (const account of [1, 2]) {
    apply(state, { type: 'open_account', time, account, parent: account });
    for (const coin of coins) {
      const deposit = { depositId: `${coin} ${account}`, network: 'N', coin, to: account };
      apply(state, { type: 'credit_deposit', time, ...deposit, amount: MONEY });
    }
  }
  const config = {
    ...exampleMarket(),
    maxMarketOrderAskLots: 1e12,
    maxMarketOrderBid: MONEY,
    maximumVolumeLots: 1e12,
    maximumPriceTicks: 1e12,
    listingPriceTicks: 6_425_010,
    priceBandPpm: 1_000_000,
    maxOpenOrders: 1000,
    maxConditionalOrders: 1000,
  };
  apply(state, { type: 'create_market', time, config });
  apply(state, { type: 'set_phase', time, symbol: config.symbol, phase: 'continuous' });
  const terms = { symbol: config.symbol, type: 'limit', volume: 1, priceDecimals: 2 } as const;
  const order = { ...terms, price: 6_425_010 };
  apply(state, { type: 'place', time, account: 1, order: { ...order, side: 'sell' } });
  apply(state, { type: 'place', time, account: 2, order: { ...order, side: 'buy' } });
  return state;
}
