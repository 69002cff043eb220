// Every seed draws its own venue: the number of accounts, coins and markets, the precision of
// prices, the fees, and which operations occur how often. Rare combinations are then common in some
// seeds.

import type { Command, MarketConfig, Money, StpMode } from '../src/command.ts';
import { LIMITS } from '../src/command.ts';
import type { Random } from './random.ts';
import type { Beginning } from './twin/model.ts';

export const OPERATIONS = [
  'limit',
  'market',
  'conditional',
  'immediate',
  'batch',
  'test',
  'cancel',
  'cancel_batch',
  'cancel_all',
  'dead_man',
  'amend',
  'repeat',
  'deposit',
  'withdraw',
  'transfer',
  'adjust',
  'capital',
  'money',
  'phase',
  'configure',
  'fees',
  'accounts',
  'tick',
  'nonsense',
  'cancel_market',
  'sweep',
  'upgrade',
  'unknown',
  'expiries',
  'replace',
  'fee_tiers',
  'amend_often',
  'trails',
  'list',
  'auction',
  'custody',
] as const;
export type Operation = (typeof OPERATIONS)[number];

const BASE_WEIGHTS: Record<Operation, number> = {
  limit: 30,
  market: 8,
  conditional: 7,
  immediate: 7,
  batch: 2,
  test: 2,
  cancel: 12,
  cancel_batch: 1,
  cancel_all: 1.2,
  dead_man: 0.4,
  amend: 6,
  repeat: 6,
  deposit: 4,
  withdraw: 4,
  transfer: 1,
  adjust: 1,
  capital: 1,
  money: 0.3,
  phase: 0.3,
  configure: 0.3,
  fees: 0.5,
  accounts: 0.3,
  tick: 1,
  nonsense: 3,
  cancel_market: 0.15,
  sweep: 0.5,
  upgrade: 0.3,
  unknown: 1.2,
  expiries: 0.8,
  replace: 4,
  fee_tiers: 0.5,
  amend_often: 0.1,
  trails: 2.2,
  list: 11,
  auction: 1.6,
  custody: 2.5,
};

export interface MarketPlan {
  config: MarketConfig;
  /** A usual order's size, and how far from the touch a usual price lies. */
  usualLots: number;
  usualTicks: number;
}

export interface World {
  beginning: Beginning;
  /** A world that begins with older rules is upgraded to these rules after this many commands. */
  upgradeAfter: number;
  upgradeTo: number;
  coins: string[];
  networks: string[];
  /** The kind of money the venue deals in; empty when it is not set. */
  money: Money | '';
  /** A network whose money the venue does not take. */
  foreign: string;
  accounts: number[];
  parents: Map<number, number>;
  markets: MarketPlan[];
  weights: Array<[Operation, number]>;
  crossing: number;
  /** Live orders below which the run prefers to add more. */
  depth: number;
  /** Largest usual step of time, in milliseconds. */
  stepMs: number;
  longSteps: number;
  invalid: number;
  iceberg: number;
  postOnly: number;
  gtd: number;
  clientIds: number;
  stpModes: StpMode[];
}

const STP: StpMode[] = ['expire_taker', 'expire_maker', 'expire_both', 'decrement'];

function drawMarket(r: Random, base: string, quote: string): MarketPlan {
  const basePrecision = r.chance(0.1) ? r.between(0, 18) : r.between(0, 8);
  const quotePrecision = r.between(0, Math.min(8, 18 - basePrecision));
  const listing = r.chance(0.05) ? r.logBetween(1e10, 1e13) : r.logBetween(20, 1e7);
  const usualLots = r.chance(0.05) ? r.logBetween(1e9, 1e13) : r.logBetween(1, 1e6);
  const unit = 10n ** BigInt(18 - basePrecision - quotePrecision);
  const usualValue = BigInt(listing) * BigInt(usualLots) * unit;
  const smallValue = usualValue / BigInt(r.pick([2, 10, 100])) + 1n;
  const config: MarketConfig = {
    symbol: base + quote,
    base,
    quote,
    basePrecision,
    quotePrecision,
    minimumQuoteSize: r.chance(0.3) ? 0n : smallValue,
    maxMarketOrderAskLots: usualLots * r.pick([2, 5, 20]),
    maxMarketOrderBid: clampAmount(usualValue * BigInt(r.pick([2, 5, 20]))),
    minimumVolumeLots: r.chance(0.5) ? 1 : Math.max(1, Math.floor(usualLots / 20)),
    maximumVolumeLots: Math.min(LIMITS.lotsMax, usualLots * r.pick([10, 30, 100, 1e9])),
    minimumPriceTicks: r.chance(0.5) ? 1 : Math.max(1, Math.floor(listing / 3)),
    maximumPriceTicks: Math.min(LIMITS.ticksMax, listing * r.pick([3, 10, 100])),
    listingPriceTicks: listing,
    priceBandPpm: r.pick([10_000, 50_000, 100_000, 200_000, 500_000, 1_000_000]),
    marketSlippagePpm: r.pick([0, 1_000, 10_000, 50_000, 200_000]),
    haltPpm: r.chance(0.5) ? 0 : r.pick([2_000, 10_000, 50_000, 200_000]),
    haltMinutes: r.between(1, 3),
    defaultStpMode: r.pick(STP),
    maxOpenOrders: r.pick([1, 3, 10, 30, 200, 200]),
    maxConditionalOrders: r.pick([0, 1, 3, 10, 50, 50, 200]),
    icebergParts: r.pick([1, 2, 5, 20]),
  };
  if (r.chance(0.8)) config.auctionSeconds = r.pick([0, 1, 10, 60, 300]);
  const spread = Math.max(1, Math.floor((listing * config.priceBandPpm) / 1_000_000));
  return { config, usualLots, usualTicks: r.logBetween(1, Math.min(spread, 100)) };
}

export const clampAmount = (amount: bigint): bigint =>
  amount < 1n ? 1n : amount > LIMITS.amountMax ? LIMITS.amountMax : amount;

export function drawWorld(r: Random): World {
  const coins = ['btc', 'usdt', 'irt', 'eth', 'ltc', 'xrp', 'shib', 'doge'].slice(
    0,
    r.between(2, 8),
  );
  const pairs: Array<[string, string]> = [];
  for (const base of coins)
    for (const quote of coins) if (base !== quote) pairs.push([base, quote]);
  const markets: MarketPlan[] = [];
  const accounts = Array.from({ length: r.logBetween(2, 200) }, (_, i) => 1000 + i * 7);
  // Many accounts in many markets would spend the whole run on their first deposits.
  const wanted = r.between(1, accounts.length > 60 ? 2 : 6);
  while (markets.length < wanted && pairs.length > 0) {
    const [pair] = pairs.splice(r.below(pairs.length), 1);
    if (pair !== undefined) markets.push(drawMarket(r, pair[0], pair[1]));
  }
  const parents = new Map<number, number>();
  const families = r.pick([0, 0.1, 0.5]);
  for (const [i, account] of accounts.entries()) {
    const parent = accounts[r.below(i)];
    parents.set(account, i > 0 && parent !== undefined && r.chance(families) ? parent : account);
  }
  // What chance alone brings about too seldom fills some worlds.
  const theme = r.chance(0.5) ? r.pick(['list', 'list', 'auction', 'custody'] as const) : undefined;
  const weights = OPERATIONS.map((op): [Operation, number] => {
    if (op === theme) return [op, BASE_WEIGHTS[op] * 8];
    const isCore = op === 'limit' || op === 'deposit';
    if (!isCore && r.chance(0.12)) return [op, 0];
    return [op, BASE_WEIGHTS[op] * r.pick([0.3, 1, 1, 3])];
  });
  const money = r.pick(['', 'real', 'real', 'simulated'] as const);
  const networks = ['ONE', 'TWO', 'THREE'].slice(0, r.between(1, 3));
  const shard = r.below(3);
  const beginning: Beginning = {
    shard,
    memory: r.pick([1, 10, 50, 300, 3000]),
    rules: r.chance(0.3) ? 1 : r.pick([2, 3, 4, 5, 5, 5, 5, 5, 5]),
    // Small limits: what the product bounds by hundreds is reached here all the time.
    sweepStep: r.pick([1, 1, 2, 2, 3, 5, 20, 200]),
  };
  return {
    beginning,
    money,
    foreign: money === 'simulated' ? 'ONE' : money === 'real' ? 'SIMULATED' : 'NOWHERE',
    upgradeAfter: r.chance(0.5) ? r.logBetween(300, 2_000) : r.between(2_000, 12_000),
    // A venue may have skipped a release, or stopped at one.
    upgradeTo: beginning.rules === 1 && shard === 1 ? 2 : r.chance(0.2) ? r.pick([3, 4]) : 5,
    coins,
    networks: money === 'simulated' ? ['SIMULATED'] : networks,
    accounts,
    parents,
    markets,
    weights,
    crossing: r.pick([0.1, 0.25, 0.4, 0.6]),
    depth: r.logBetween(5, 200),
    stepMs: r.pick([0, 10, 200, 2_000]),
    longSteps: r.pick([0.001, 0.01, 0.03]),
    invalid: r.pick([0, 0.02, 0.1, 0.3]),
    iceberg: r.pick([0, 0.1, 0.4]),
    postOnly: r.pick([0, 0.1, 0.3]),
    gtd: r.pick([0, 0.1, 0.4]),
    clientIds: r.pick([0.1, 0.5, 1]),
    stpModes: r.chance(0.5) ? STP : [r.pick(STP)],
  };
}

/** The commands that set up the drawn venue. */
export function genesis(world: World, r: Random, time: number): Command[] {
  const commands: Command[] = [];
  if (world.money !== '') commands.push({ type: 'set_money', time, money: world.money });
  for (const coin of world.coins) {
    commands.push({ type: 'list_coin', time, coin, networks: world.networks });
  }
  for (let tier = 0; tier < 4; tier++) {
    const takerPpm = r.pick([0, 1_500, 2_500, 3_333, 100_000, 1]);
    const makerPpm = r.pick([0, 1_000, -500, -3_000, 777, 100_000]);
    commands.push({ type: 'define_fee_tier', time, tier, makerPpm, takerPpm });
  }
  for (const account of world.accounts) {
    const parent = world.parents.get(account) ?? account;
    commands.push({ type: 'open_account', time, account, parent });
    commands.push({ type: 'set_fee_tier', time, account, tier: r.below(4) });
  }
  for (const { config } of world.markets) {
    commands.push({ type: 'create_market', time, config });
    const { symbol } = config;
    const isCalled = world.beginning.rules >= 4 && r.chance(0.8);
    commands.push({ type: 'set_phase', time, symbol, phase: isCalled ? 'auction' : 'continuous' });
    // Called off, and called again: a market has only one time before its first trade.
    for (let again = isCalled ? r.between(1, 4) : 0; again > 0; again -= 1) {
      commands.push({ type: 'set_phase', time, symbol, phase: 'pre_open' });
      commands.push({ type: 'set_phase', time, symbol, phase: 'auction' });
    }
  }
  let n = 0;
  for (const account of world.accounts) {
    for (const { config, usualLots } of world.markets.slice(
      0,
      world.accounts.length > 50 ? 1 : 6,
    )) {
      for (const coin of [config.base, config.quote]) {
        n += 1;
        commands.push({
          type: 'credit_deposit',
          time,
          depositId: `genesis-${n}`,
          network: r.pick(world.networks),
          coin,
          to: account,
          amount: usualAmount(config, usualLots, coin) * BigInt(r.logBetween(10, 3000)),
        });
      }
    }
  }
  return commands;
}

/** The amount of the coin that a usual order of the market gives. */
export function usualAmount(config: MarketConfig, lots: number, coin: string): bigint {
  const { basePrecision, quotePrecision, listingPriceTicks } = config;
  if (coin === config.base) return clampAmount(BigInt(lots) * 10n ** BigInt(18 - basePrecision));
  const unit = 10n ** BigInt(18 - basePrecision - quotePrecision);
  return clampAmount(BigInt(listingPriceTicks) * BigInt(lots) * unit);
}
