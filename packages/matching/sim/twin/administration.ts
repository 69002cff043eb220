// Coins, accounts, fees, markets and phases in the slow twin.

import { LIMITS } from '../../src/command.ts';
import type { Command, MarketConfig } from '../../src/command.ts';
import type { Result } from '../../src/outcome.ts';
import { uncross } from './auctions.ts';
import { setPhase } from './matching.ts';
import {
  STP_MODES,
  findAccount,
  findMarket,
  forgetCause,
  forgetFinished,
  getStep,
  pow10,
  rejected,
} from './model.ts';
import type { TwinMarket, TwinState } from './model.ts';
import { openLots } from './placing.ts';
import { cancelWhere, isSweeping } from './sweeping.ts';

const NEWEST_RULES = 5;

export function enterPhase(
  s: TwinState,
  market: TwinMarket,
  phase: TwinMarket['phase'],
  until = 0,
): void {
  const was = market.phase;
  if (s.rules >= 4 && ['continuous', 'post_only'].includes(phase)) uncross(s, market);
  setPhase(s, market, phase, until, until > 0 ? 'continuous' : phase);
  if (phase === 'delisted') cancelWhere(s, { symbol: market.config.symbol }, 'market_closed');
  // Stops that a halt kept from firing fire now, if the last price still satisfies them.
  const isSeen = s.tradedPrices.length > 0;
  if (phase === 'continuous' && was !== 'continuous' && market.lastPrice > 0 && !isSeen) {
    s.tradedPrices.push({ market, price: market.lastPrice, isLookBack: true });
  }
}

/** What operators do. */
export function administer(s: TwinState, c: Command): Result {
  const done: Result = { kind: 'done' };
  const range = (parameter: string): Result => rejected('PARAMETER_RANGE', { parameter });
  switch (c.type) {
    case 'set_money': {
      if (s.rules < 2) return done;
      if (c.money !== 'real' && c.money !== 'simulated') {
        return rejected('PARAMETER_INVALID', { parameter: 'money' });
      }
      if (c.money === s.money) return done;
      const isMade = [...s.balances].some(
        ([key, amount]) => key.startsWith('custody:SIMULATED|') && amount !== 0n,
      );
      if (s.money !== '' || (c.money === 'real' && isMade)) {
        return rejected('PARAMETER_CONFLICT', { parameter: 'money' });
      }
      s.money = c.money;
      return done;
    }
    case 'list_coin': {
      if (s.money === 'real' && c.networks.includes('SIMULATED')) {
        return rejected('DEPOSIT_NOT_ACTIVE', { network: 'SIMULATED', money: 'real' });
      }
      if (!/^[a-z0-9]{1,20}$/.test(c.coin))
        return rejected('PARAMETER_INVALID', { parameter: 'coin' });
      const networks = s.coins.get(c.coin) ?? [];
      for (const n of c.networks) if (!networks.includes(n)) networks.push(n);
      s.coins.set(c.coin, networks);
      return done;
    }
    case 'open_account': {
      if (!Number.isSafeInteger(c.account) || c.account < 1) return range('account');
      if (findAccount(s, c.account) !== undefined)
        return rejected('PARAMETER_CONFLICT', { parameter: 'account' });
      if (c.parent !== c.account && findAccount(s, c.parent) === undefined) {
        return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.parent });
      }
      const parent = c.parent === c.account ? c.account : (findAccount(s, c.parent)?.parent ?? 0);
      const account = {
        id: c.account,
        parent,
        tier: 0,
        suspended: false,
        timerDue: 0,
        timerSeq: 0,
      };
      s.accounts.push(account);
      getStep(s).accounts.push({ account: c.account, parent, tier: 0, suspended: false });
      return done;
    }
    case 'define_fee_tier': {
      if (!Number.isInteger(c.tier) || c.tier < 0 || c.tier > 1000) return range('tier');
      const max = LIMITS.feePpmMax;
      if (!Number.isInteger(c.takerPpm) || c.takerPpm < 0 || c.takerPpm > max)
        return range('takerPpm');
      if (!Number.isInteger(c.makerPpm) || c.makerPpm < -max || c.makerPpm > max)
        return range('makerPpm');
      s.tiers.set(c.tier, { maker: c.makerPpm, taker: c.takerPpm });
      return done;
    }
    case 'set_fee_tier':
    case 'suspend_account': {
      const account = findAccount(s, c.account);
      if (account === undefined) return rejected('SUB_ACCOUNT_UNKNOWN', { account: c.account });
      if (c.type === 'set_fee_tier') {
        if (!s.tiers.has(c.tier)) return range('tier');
        account.tier = c.tier;
      } else {
        account.suspended = c.suspended;
        if (c.suspended && c.cancelOrders) cancelWhere(s, { account: c.account }, 'admin');
        if (s.rules >= 2 && c.suspended && account.timerDue > 0) {
          account.timerDue = 0;
          getStep(s).timers.push({ account: account.id, triggerTime: 0 });
        }
      }
      const { id, parent, tier, suspended } = account;
      getStep(s).accounts.push({ account: id, parent, tier, suspended });
      return done;
    }
    case 'set_memory': {
      if (!Number.isInteger(c.memory) || c.memory < 1 || c.memory > LIMITS.memoryMax)
        return range('memory');
      s.memory = c.memory;
      if (s.rules >= 2) return done;
      while (s.finished.length > s.memory) forgetFinished(s);
      while (s.causes.length > s.memory) forgetCause(s);
      return done;
    }
    case 'create_market': {
      const config = knownTerms(s, c.config);
      if (findMarket(s, config.symbol) !== undefined)
        return rejected('PARAMETER_CONFLICT', { parameter: 'symbol' });
      if (!s.coins.has(config.base)) return rejected('UNKNOWN_COIN', { coin: config.base });
      if (!s.coins.has(config.quote)) return rejected('UNKNOWN_COIN', { coin: config.quote });
      if (config.base === config.quote || config.symbol !== config.base + config.quote) {
        return rejected('PARAMETER_CONFLICT', { parameter: 'symbol' });
      }
      const bad = checkConfig(config);
      if (bad !== undefined) return bad;
      const market: TwinMarket = {
        config: { ...config },
        phase: 'pre_open',
        phaseDue: 0,
        phaseSeq: 0,
        phaseNext: 'pre_open',
        updateId: 0,
        lastPrice: 0,
        history: [],
        live: [],
      };
      s.markets.push(market);
      getStep(s).markets.push(market.config);
      getStep(s).phases.push({ symbol: config.symbol, phase: 'pre_open', until: 0 });
      return done;
    }
    case 'configure_market':
      return configure(s, knownTerms(s, c.config));
    case 'upgrade':
      if (![2, 3, 4, NEWEST_RULES].includes(c.version) || c.version < s.rules)
        return range('version');
      if (c.hashKey.length !== 32 || /[^0-9a-f]/.test(c.hashKey)) {
        return rejected('PARAMETER_INVALID', { parameter: 'hashKey' });
      }
      s.rules = c.version;
      return done;
    case 'set_phase': {
      const market = findMarket(s, c.symbol);
      if (market === undefined) return rejected('UNKNOWN_SYMBOL', { symbol: c.symbol });
      if (c.phase === 'auction' && s.rules < 4)
        return rejected('NOT_SUPPORTED', { parameter: 'phase' });
      if (market.phase === 'delisted')
        return rejected('MARKET_CLOSED', { symbol: c.symbol, phase: market.phase });
      if (s.rules >= 4 && c.until !== undefined) {
        if (c.phase !== 'auction') return rejected('PARAMETER_CONFLICT', { parameter: 'until' });
        const isSoon = c.until > c.time && c.until <= c.time + LIMITS.auctionMaxMs;
        if (!isSoon || !Number.isInteger(c.until)) return range('until');
        enterPhase(s, market, c.phase, c.until);
      } else enterPhase(s, market, c.phase);
      return done;
    }
    default:
      throw new Error(`twin: cannot ${c.type}`);
  }
}

/** Before rules 4, nothing was known of auctions. */
function knownTerms(s: TwinState, config: MarketConfig): MarketConfig {
  const known = { ...config };
  if (s.rules < 4 || (known.auctionSeconds ?? 0) === 0) delete known.auctionSeconds;
  return known;
}

function configure(s: TwinState, config: MarketConfig): Result {
  const market = findMarket(s, config.symbol);
  if (market === undefined) return rejected('UNKNOWN_SYMBOL', { symbol: config.symbol });
  const old = market.config;
  if (config.base !== old.base || config.quote !== old.quote) {
    return rejected('PARAMETER_CONFLICT', { parameter: 'base' });
  }
  const bad = checkConfig(config);
  if (bad !== undefined) return bad;
  if (market.phase === 'delisted') {
    return rejected('MARKET_CLOSED', { symbol: config.symbol, phase: market.phase });
  }
  const live = market.live;
  const finer = (['basePrecision', 'quotePrecision'] as const).find((p) => config[p] !== old[p]);
  const isTooMuch = s.rules >= 2 && live.length > LIMITS.reprecisionMax;
  if (finer !== undefined && (isTooMuch || isSweeping(s, market))) {
    return rejected('PARAMETER_CONFLICT', { parameter: finer });
  }
  for (const p of ['basePrecision', 'quotePrecision'] as const) {
    if (config[p] < old[p] && live.length > 0)
      return rejected('PARAMETER_CONFLICT', { parameter: p });
  }
  const ticks = Math.max(0, config.quotePrecision - old.quotePrecision);
  const lots = Math.max(0, config.basePrecision - old.basePrecision);
  const fits = (n: number, by: number, max: number): boolean =>
    BigInt(n) * pow10(by) <= BigInt(max);
  const prices = [market.lastPrice, ...live.flatMap((o) => [o.price, o.stopPrice, o.extreme])];
  if (!prices.every((p) => fits(p, ticks, LIMITS.ticksMax))) {
    return rejected('PARAMETER_RANGE', { parameter: 'quotePrecision' });
  }
  const volumesFit =
    live.every((o) => fits(o.volume, lots, LIMITS.lotsMax)) &&
    // Filled volumes of buys by total are not bounded by a volume of their own.
    live.every((o) => fits(o.filledVolume, lots, LIMITS.lotsMax)) &&
    fits(openLots(market, 'buy'), lots, LIMITS.sideLotsMax) &&
    fits(openLots(market, 'sell'), lots, LIMITS.sideLotsMax);
  if (!volumesFit) return rejected('PARAMETER_RANGE', { parameter: 'basePrecision' });
  const byTicks = Number(pow10(ticks));
  const byLots = Number(pow10(lots));
  for (const o of live) {
    o.price *= byTicks;
    o.stopPrice *= byTicks;
    o.extreme *= byTicks;
    o.volume *= byLots;
    o.visibleVolume *= byLots;
    o.filledVolume *= byLots;
    o.remainingVolume *= byLots;
    o.preventedVolume *= byLots;
    o.shown *= byLots;
    o.priceDecimals = config.quotePrecision;
    o.volumeDecimals = config.basePrecision;
  }
  if (config.quotePrecision !== old.quotePrecision) market.history = [];
  market.lastPrice = config.quotePrecision < old.quotePrecision ? 0 : market.lastPrice * byTicks;
  market.config = { ...config };
  getStep(s).markets.push(market.config);
  return { kind: 'done' };
}

function checkConfig(config: MarketConfig): Result | undefined {
  const c = config;
  const { lotsMax, ticksMax, amountMax, ppmMax } = LIMITS;
  const rules: Array<[keyof MarketConfig, number | bigint, number | bigint]> = [
    ['basePrecision', 0, 18],
    ['quotePrecision', 0, 18 - c.basePrecision],
    ['minimumVolumeLots', 1, lotsMax],
    ['maximumVolumeLots', c.minimumVolumeLots, lotsMax],
    ['minimumPriceTicks', 1, ticksMax],
    ['maximumPriceTicks', c.minimumPriceTicks, ticksMax],
    ['listingPriceTicks', c.minimumPriceTicks, c.maximumPriceTicks],
    ['maxMarketOrderAskLots', 1, lotsMax],
    ['minimumQuoteSize', 0n, amountMax],
    ['maxMarketOrderBid', 1n, amountMax],
    ['priceBandPpm', 1, ppmMax],
    ['marketSlippagePpm', 0, ppmMax],
    ['haltPpm', 0, ppmMax],
    ['haltMinutes', 1, 1440],
    ['maxOpenOrders', 1, 1_000_000],
    ['maxConditionalOrders', 0, 1_000_000],
    ['icebergParts', 1, 1000],
    ['auctionSeconds', 0, 86_400],
  ];
  for (const [parameter, min, max] of rules) {
    if (parameter === 'auctionSeconds' && c.auctionSeconds === undefined) continue;
    const value = c[parameter] as number | bigint;
    const whole = typeof value === 'bigint' || Number.isSafeInteger(value);
    if (!whole || value < min || value > max) return rejected('PARAMETER_RANGE', { parameter });
  }
  if (!STP_MODES.includes(c.defaultStpMode))
    return rejected('PARAMETER_INVALID', { parameter: 'defaultStpMode' });
  return undefined;
}
