// What operators do: coins, markets and their phases; accounts.ts has the rest.

import { LIMITS, SIMULATED_NETWORK } from '../command.ts';
import type {
  ConfigureMarket,
  CreateMarket,
  DefineFeeTier,
  ListCoin,
  MarketConfig,
  Money,
  OpenAccount,
  Phase,
  SetFeeTier,
  SetFeeTiers,
  SetMemory,
  SetMoney,
  SetPhase,
  SuspendAccount,
  Upgrade,
} from '../command.ts';
import { POW10 } from '../amount.ts';
import { CANCELED, PHASES, reasonNumber } from '../names.ts';
import {
  ASKED_PRICE,
  ASKED_STOP,
  ASKED_VISIBLE,
  ASKED_VOLUME,
  CELLS,
  DECIMALS,
  FILLED,
  FLAGS,
  FLAG_DORMANT,
  ID,
  LINK,
  NEXT,
  NONE,
  PREVENTED,
  PRICE,
  REMAINING,
  SHOWN,
  STOP,
  VISIBLE,
  VOLUME,
} from '../record.ts';
import { HASH_KEY_WORDS, Market, findMarket } from '../state.ts';
import type { State } from '../state.ts';
import * as tape from '../tape.ts';
import { changeAccount, defineFeeTier, openAccount, setFeeTiers } from './accounts.ts';
import { uncross } from './auction.ts';
import { stpNumber } from './shape.ts';
import { enterClientsAnew } from './recall.ts';
import { changePhase, lookAtStops } from './phase.ts';
import { finish, forgetOldest, liveLegs } from './finish.ts';
import { forgetOldestCause } from './money.ts';
import { conflict, outOfRange, refuse } from './reject.ts';
import type { Refusal } from './reject.ts';
import { writeNote } from './step.ts';
import { sweepMarket } from './sweep.ts';

export type AdminCommand =
  | ListCoin
  | OpenAccount
  | DefineFeeTier
  | SetFeeTier
  | SetFeeTiers
  | SuspendAccount
  | SetMemory
  | SetMoney
  | CreateMarket
  | ConfigureMarket
  | SetPhase
  | Upgrade;

const ADMIN_TYPES: ReadonlySet<string> = new Set<AdminCommand['type']>([
  'list_coin',
  'open_account',
  'define_fee_tier',
  'set_fee_tier',
  'set_fee_tiers',
  'suspend_account',
  'set_memory',
  'set_money',
  'create_market',
  'configure_market',
  'set_phase',
  'upgrade',
]);

export const isAdminType = (type: string): boolean => ADMIN_TYPES.has(type);

const AUCTION_SECONDS_MAX = LIMITS.auctionMaxMs / 1000;

const REASON_CLOSED = reasonNumber('market_closed');

export function administer(s: State, c: AdminCommand): Refusal | undefined {
  switch (c.type) {
    case 'list_coin':
      return listCoin(s, c);
    case 'open_account':
      return openAccount(s, c);
    case 'define_fee_tier':
      return defineFeeTier(s, c);
    case 'set_fee_tier':
    case 'suspend_account':
      return changeAccount(s, c);
    case 'set_fee_tiers':
      return setFeeTiers(s, c);
    case 'set_memory':
      return setMemory(s, c.memory);
    case 'set_money':
      // Version 1 did not know this field.
      return s.rules >= 2 ? setMoney(s, c.money) : undefined;
    case 'create_market':
      return createMarket(s, knownTerms(s, c.config));
    case 'configure_market':
      return configureMarket(s, knownTerms(s, c.config));
    case 'upgrade':
      return upgrade(s, c);
    case 'set_phase':
      return setPhase(s, c);
  }
}

function upgrade(s: State, { version, hashKey }: Upgrade): Refusal | undefined {
  if (!Number.isInteger(version) || version < Math.max(2, s.rules) || version > s.writtenBy) {
    return outOfRange('version');
  }
  if (!/^[0-9a-f]{32}$/.test(hashKey)) return refuse('PARAMETER_INVALID', { parameter: 'hashKey' });
  s.rules = version;
  for (let i = 0; i < HASH_KEY_WORDS; i++) {
    s.hashKey[i] = Number.parseInt(hashKey.slice(i * 8, i * 8 + 8), 16);
  }
  enterClientsAnew(s);
  return undefined;
}

function setPhase(s: State, c: SetPhase): Refusal | undefined {
  const { symbol, phase, until } = c;
  const market = findMarket(s, symbol);
  if (market === undefined) return refuse('UNKNOWN_SYMBOL', { symbol });
  if (phase === 'auction' && s.rules < 4) return refuse('NOT_SUPPORTED', { parameter: 'phase' });
  if (!PHASES.includes(phase)) return refuse('PARAMETER_INVALID', { parameter: 'phase' });
  if (market.phase === 'delisted') {
    return refuse('MARKET_CLOSED', { symbol, phase: market.phase });
  }
  if (s.rules < 4 || until === undefined) {
    enterPhase(s, market, phase, 0);
    return undefined;
  }
  if (phase !== 'auction') return conflict('until');
  const ahead = until - c.time;
  if (!Number.isSafeInteger(until) || ahead <= 0 || ahead > LIMITS.auctionMaxMs) {
    return outOfRange('until');
  }
  enterPhase(s, market, phase, until);
  return undefined;
}

/**
 * Sets a phase, with what it means for the orders of the market. It lasts, or it is an auction that ends at a
 * time, with trading to follow.
 */
export function enterPhase(s: State, market: Market, phase: Phase, until: number): void {
  const wasContinuous = market.phase === 'continuous';
  // What gathered in an auction never enters a trading phase unmatched, whatever came in between.
  if (s.rules >= 4 && (phase === 'continuous' || phase === 'post_only')) uncross(s, market);
  changePhase(s, market, phase, until, until > 0 ? 'continuous' : phase);
  if (phase === 'delisted') {
    if (s.rules >= 2) sweepMarket(s, market, NONE, 'market_closed');
    else cancelAllOf(s, market);
  }
  // Stops that a halt kept from firing fire now, if the last price still satisfies them.
  if (phase === 'continuous' && !wasContinuous && s.tradePriceCount === 0) lookAtStops(s, market);
}

/** Version 1 ended them all at once, oldest first, across all accounts. */
function cancelAllOf(s: State, market: Market): void {
  const { f64 } = s.pool;
  const slots = liveSlots(s, market, Infinity);
  slots.sort((a, b) => f64[a * CELLS + ID]! - f64[b * CELLS + ID]!);
  for (const slot of slots) finish(s, slot, CANCELED, REASON_CLOSED);
}

function setMemory(s: State, memory: number): Refusal | undefined {
  if (!Number.isInteger(memory) || memory < 1 || memory > LIMITS.memoryMax) {
    return outOfRange('memory');
  }
  s.config.memory = memory;
  // From rules 2 on, the surplus is forgotten gradually, as new ones take their place.
  if (s.rules >= 2) return undefined;
  while (s.finishedCount > memory) forgetOldest(s);
  while (s.causes.size > memory) forgetOldestCause(s);
  return undefined;
}

function setMoney(s: State, money: Money): Refusal | undefined {
  if (money !== 'real' && money !== 'simulated')
    return refuse('PARAMETER_INVALID', { parameter: 'money' });
  if (s.money === money) return undefined;
  const simulated = s.custody[s.networks.indexOf(SIMULATED_NETWORK)] ?? [];
  // Money that was made out of nothing never becomes real.
  if (s.money !== '' || (money === 'real' && simulated.some((amount) => amount !== 0n))) {
    return conflict('money');
  }
  s.money = money;
  return undefined;
}

function listCoin(s: State, c: ListCoin): Refusal | undefined {
  if (s.money === 'real' && c.networks.includes(SIMULATED_NETWORK)) {
    return refuse('DEPOSIT_NOT_ACTIVE', { network: SIMULATED_NETWORK, money: s.money });
  }
  if (!/^[a-z0-9]{1,20}$/.test(c.coin)) return refuse('PARAMETER_INVALID', { parameter: 'coin' });
  let index = s.coinIndex.get(c.coin);
  if (index === undefined) {
    if (s.coins.length >= LIMITS.coinsMax) return outOfRange('coin');
    index = s.coins.length;
    s.coins.push({ name: c.coin, networks: [] });
    s.coinIndex.set(c.coin, index);
  }
  const { networks } = s.coins[index]!;
  for (const network of c.networks) {
    if (!networks.includes(network)) networks.push(network);
    if (s.networks.includes(network)) continue;
    s.networks.push(network);
    s.custody.push([]);
  }
  return undefined;
}

function checkConfig(c: MarketConfig): Refusal | undefined {
  const { lotsMax, ticksMax, amountMax, ppmMax } = LIMITS;
  const isWhole = (name: keyof MarketConfig, low: number, high: number): boolean => {
    const value = c[name];
    return (
      typeof value === 'number' && Number.isSafeInteger(value) && value >= low && value <= high
    );
  };
  if (!isWhole('basePrecision', 0, 18)) return outOfRange('basePrecision');
  // Price times volume is then a whole number of 10^-18, and the ledger never rounds it.
  if (!isWhole('quotePrecision', 0, 18 - c.basePrecision)) return outOfRange('quotePrecision');
  if (!isWhole('minimumVolumeLots', 1, lotsMax)) return outOfRange('minimumVolumeLots');
  if (!isWhole('maximumVolumeLots', c.minimumVolumeLots, lotsMax)) {
    return outOfRange('maximumVolumeLots');
  }
  if (!isWhole('minimumPriceTicks', 1, ticksMax)) return outOfRange('minimumPriceTicks');
  if (!isWhole('maximumPriceTicks', c.minimumPriceTicks, ticksMax)) {
    return outOfRange('maximumPriceTicks');
  }
  if (!isWhole('listingPriceTicks', c.minimumPriceTicks, c.maximumPriceTicks)) {
    return outOfRange('listingPriceTicks');
  }
  if (!isWhole('maxMarketOrderAskLots', 1, lotsMax)) return outOfRange('maxMarketOrderAskLots');
  if (c.minimumQuoteSize < 0n || c.minimumQuoteSize > amountMax) {
    return outOfRange('minimumQuoteSize');
  }
  if (c.maxMarketOrderBid < 1n || c.maxMarketOrderBid > amountMax) {
    return outOfRange('maxMarketOrderBid');
  }
  if (!isWhole('priceBandPpm', 1, ppmMax)) return outOfRange('priceBandPpm');
  if (!isWhole('marketSlippagePpm', 0, ppmMax)) return outOfRange('marketSlippagePpm');
  if (!isWhole('haltPpm', 0, ppmMax)) return outOfRange('haltPpm');
  if (!isWhole('haltMinutes', 1, 1440)) return outOfRange('haltMinutes');
  if (!isWhole('maxOpenOrders', 1, 1_000_000)) return outOfRange('maxOpenOrders');
  if (!isWhole('maxConditionalOrders', 0, 1_000_000)) return outOfRange('maxConditionalOrders');
  if (!isWhole('icebergParts', 1, 1000)) return outOfRange('icebergParts');
  if (c.auctionSeconds !== undefined && !isWhole('auctionSeconds', 0, AUCTION_SECONDS_MAX)) {
    return outOfRange('auctionSeconds');
  }
  if (stpNumber(c.defaultStpMode) < 0)
    return refuse('PARAMETER_INVALID', { parameter: 'defaultStpMode' });
  return undefined;
}

/** The terms without those that the older rules did not know, and without an auction that lasts no time. */
function knownTerms(s: State, config: MarketConfig): MarketConfig {
  const { auctionSeconds = 0, ...known } = config;
  return s.rules < 4 || auctionSeconds === 0 ? known : { ...known, auctionSeconds };
}

function createMarket(s: State, config: MarketConfig): Refusal | undefined {
  if (s.marketIndex.has(config.symbol)) return conflict('symbol');
  const base = s.coinIndex.get(config.base);
  if (base === undefined) return refuse('UNKNOWN_COIN', { coin: config.base });
  const quote = s.coinIndex.get(config.quote);
  if (quote === undefined) return refuse('UNKNOWN_COIN', { coin: config.quote });
  if (base === quote || config.symbol !== config.base + config.quote) {
    return conflict('symbol');
  }
  const bad = checkConfig(config);
  if (bad !== undefined) return bad;
  if (s.markets.length >= LIMITS.marketsMax) return outOfRange('symbol');
  const market = new Market(s.markets.length, { ...config }, base, quote, s.pool);
  s.markets.push(market);
  s.marketIndex.set(config.symbol, market.index);
  writeNote(s, tape.NOTE_MARKET, market.config);
  changePhase(s, market, 'pre_open', 0, 'pre_open');
  return undefined;
}

/**
 * Slots of the live orders of a market, up to a limit: its book, then the orders that wait for a
 * trigger.
 */
function liveSlots(s: State, market: Market, max: number): number[] {
  const { i32, u32 } = s.pool;
  const slots: number[] = [];
  for (const book of [market.bids, market.asks]) {
    for (let i = 0; i < book.count; i++) {
      for (let slot = book.headOf(book.levelAt(i)); slot !== NONE;) {
        if (slots.length >= max) return slots;
        slots.push(slot);
        // The exits of an entry are in no list of their own.
        if (u32[slot * CELLS * 2 + LINK] !== 0) {
          for (const leg of liveLegs(s, slot)) {
            if ((u32[leg * CELLS * 2 + FLAGS]! & FLAG_DORMANT) !== 0) slots.push(leg);
          }
        }
        slot = i32[slot * CELLS * 2 + NEXT]!;
      }
    }
  }
  for (const list of [market.rising, market.falling]) {
    for (let i = 0; i < list.count && slots.length < max; i++) slots.push(list.slotAt(i));
  }
  for (const slot of market.trails.after(0)) {
    if (slots.length >= max) break;
    slots.push(slot);
  }
  return slots;
}

function configureMarket(s: State, config: MarketConfig): Refusal | undefined {
  const market = findMarket(s, config.symbol);
  if (market === undefined) return refuse('UNKNOWN_SYMBOL', { symbol: config.symbol });
  const old = market.config;
  if (config.base !== old.base || config.quote !== old.quote) {
    return conflict('base');
  }
  const bad = checkConfig(config);
  if (bad !== undefined) return bad;
  if (market.phase === 'delisted') {
    return refuse('MARKET_CLOSED', { symbol: config.symbol, phase: market.phase });
  }
  const moreTicks = config.quotePrecision - old.quotePrecision;
  const moreLots = config.basePrecision - old.basePrecision;
  if (moreTicks !== 0 || moreLots !== 0) {
    const unfit = changePrecision(s, market, config, moreTicks, moreLots);
    if (unfit !== undefined) return unfit;
  }
  market.configure({ ...config });
  writeNote(s, tape.NOTE_MARKET, market.config);
  return undefined;
}

const PRICES = [PRICE, STOP, ASKED_PRICE, ASKED_STOP];
const VOLUMES = [VOLUME, REMAINING, FILLED, PREVENTED, VISIBLE, SHOWN, ASKED_VOLUME, ASKED_VISIBLE];

/**
 * Expresses every live order in finer units. Finished orders keep theirs: their record says which.
 * Precision is lowered only while no order is live, so nothing is ever rounded.
 */
function changePrecision(
  s: State,
  market: Market,
  config: MarketConfig,
  moreTicks: number,
  moreLots: number,
): Refusal | undefined {
  const { f64, u32 } = s.pool;
  const max = s.rules >= 2 ? LIMITS.reprecisionMax : Infinity;
  const slots = liveSlots(s, market, max + 1);
  // A sweep under way stores its position as a price.
  if (slots.length > max || market.sweeping > 0) {
    return refuse('PARAMETER_CONFLICT', {
      parameter: moreLots !== 0 ? 'basePrecision' : 'quotePrecision',
    });
  }
  if (moreLots < 0 && slots.length > 0) return conflict('basePrecision');
  if (moreTicks < 0 && slots.length > 0) return conflict('quotePrecision');
  const byTicks = POW10[Math.max(0, moreTicks)]!;
  const byLots = POW10[Math.max(0, moreLots)]!;
  const { ticksMax, lotsMax, sideLotsMax } = LIMITS;
  const pricesFit =
    market.lastPrice * byTicks <= ticksMax &&
    [...market.trails.extremes()].every(([, extreme]) => extreme * byTicks <= ticksMax) &&
    slots.every((slot) => {
      const cell = slot * CELLS;
      return PRICES.every((field) => f64[cell + field]! * byTicks <= ticksMax);
    });
  if (!pricesFit) return outOfRange('quotePrecision');
  const volumesFit =
    market.openLots.every((lots) => lots * byLots <= sideLotsMax) &&
    slots.every((slot) => {
      const cell = slot * CELLS;
      return VOLUMES.every((field) => f64[cell + field]! * byLots <= lotsMax);
    });
  if (!volumesFit) return outOfRange('basePrecision');
  for (const slot of slots) {
    const cell = slot * CELLS;
    for (const field of PRICES) f64[cell + field]! *= byTicks;
    for (const field of VOLUMES) f64[cell + field]! *= byLots;
    u32[cell * 2 + DECIMALS] = config.quotePrecision | (config.basePrecision << 8);
  }
  market.openLots[0]! *= byLots;
  market.openLots[1]! *= byLots;
  market.bids.rescale(byTicks, byLots);
  market.asks.rescale(byTicks, byLots);
  market.rising.rescale(byTicks);
  market.falling.rescale(byTicks);
  market.trails.rescale(byTicks);
  if (moreTicks !== 0) {
    market.historyHead = 0;
    market.historyCount = 0;
  }
  market.lastPrice = moreTicks < 0 ? 0 : market.lastPrice * byTicks;
  return undefined;
}
