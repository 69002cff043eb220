// Draws the terms of orders: mostly sensible ones near the touch, some with one rule broken.

import { LIMITS } from '../src/command.ts';
import type { OrderTerms, Side } from '../src/command.ts';
import type { Observed } from './observed.ts';
import type { Random } from './random.ts';
import { trailInstead } from './workload/trailing.ts';
import { clampAmount, usualAmount } from './world.ts';
import type { MarketPlan, World } from './world.ts';

export class TermsDrawer {
  readonly world: World;
  readonly observed: Observed;
  readonly #r: Random;
  /** The time of the command for which terms are drawn. */
  time = 0;
  serial = 0;
  /** Placements with a client id, to be repeated. */
  readonly sent: Array<{ account: number; terms: OrderTerms }> = [];

  constructor(r: Random, observed: Observed) {
    this.#r = r;
    this.world = observed.world;
    this.observed = observed;
  }

  /** A price for the side: across the book, or some ticks behind its own best price. */
  price(plan: MarketPlan, side: Side): number {
    const r = this.#r;
    const sign = side === 'buy' ? 1 : -1;
    const distance = r.chance(0.2) ? 0 : r.below(plan.usualTicks + 1);
    const other = this.observed.best(plan, side === 'buy' ? 'sell' : 'buy');
    const own = this.observed.best(plan, side);
    const last = this.observed.market(plan.config.symbol).last || plan.config.listingPriceTicks;
    let price: number;
    const crossing = this.world.crossing * (this.observed.live.size < this.world.depth ? 0.3 : 1);
    if (other !== undefined && r.chance(crossing)) price = other + sign * distance;
    else if (own !== undefined && r.chance(0.7)) price = own - sign * (distance - r.below(3));
    else price = last - sign * distance;
    if (r.chance(0.01)) price = this.#edgePrice(plan, side, last);
    return Math.max(1, Math.min(LIMITS.ticksMax, price));
  }

  /** Exactly on the edge of the band, and one tick beyond it. */
  #edgePrice(plan: MarketPlan, side: Side, last: number): number {
    const ppm = BigInt(plan.config.priceBandPpm);
    const edge =
      side === 'buy'
        ? (BigInt(last) * (1_000_000n + ppm)) / 1_000_000n
        : (BigInt(last) * (1_000_000n - ppm) + 999_999n) / 1_000_000n;
    return Number(edge) + this.#r.between(-1, 1);
  }

  /** A usual size. */
  lots(plan: MarketPlan): number {
    const r = this.#r;
    const { minimumVolumeLots, maximumVolumeLots, minimumQuoteSize } = plan.config;
    if (r.chance(0.02)) return r.pick([1, maximumVolumeLots, minimumVolumeLots]);
    const unit = 10n ** BigInt(18 - plan.config.basePrecision - plan.config.quotePrecision);
    const price = BigInt(
      this.observed.market(plan.config.symbol).last || plan.config.listingPriceTicks,
    );
    const enough = Number(minimumQuoteSize / (price * unit)) + 1;
    const low = r.chance(0.05) ? 1 : Math.max(minimumVolumeLots, enough);
    return Math.max(1, Math.min(maximumVolumeLots, r.logBetween(low, plan.usualLots * 3)));
  }

  #clientId(): string {
    this.serial += 1;
    return `c-${this.serial}${this.#r.chance(0.1) ? '/a.long_one:with-all.sorts_' : ''}`;
  }

  terms(op: 'limit' | 'market' | 'conditional' | 'immediate', account: number): OrderTerms {
    const r = this.#r;
    const { world } = this;
    const open = world.markets.filter(
      (m) =>
        this.observed.market(m.config.symbol).phase === 'continuous' ||
        (op === 'limit' && this.observed.market(m.config.symbol).phase === 'auction'),
    );
    const plan = r.pick(open.length > 0 && r.chance(0.95) ? open : world.markets);
    const { config } = plan;
    let side: Side = r.chance(0.5) ? 'buy' : 'sell';
    if (op === 'market' && r.chance(0.9)) {
      if (this.observed.best(plan, side === 'buy' ? 'sell' : 'buy') === undefined) {
        side = side === 'buy' ? 'sell' : 'buy';
      }
    }
    const terms: OrderTerms = {
      symbol: config.symbol,
      side,
      type: 'limit',
      priceDecimals: config.quotePrecision,
      volumeDecimals: config.basePrecision,
    };
    const isLimit = op === 'limit' || op === 'immediate' || (op === 'conditional' && r.chance(0.5));
    if (op === 'conditional') {
      terms.type = r.pick(
        isLimit ? ['stop_limit', 'take_profit_limit'] : ['stop_market', 'take_profit_market'],
      );
      const last = this.observed.market(config.symbol).last || config.listingPriceTicks;
      const away = r.chance(0.1) ? -r.below(3) : r.logBetween(1, plan.usualTicks + 1);
      const rises = terms.type.startsWith('stop') === (side === 'buy');
      terms.stopPrice = Math.max(1, rises ? last + away : last - away);
      if (r.chance(0.5)) trailInstead(r, terms, last, away);
    } else if (!isLimit) terms.type = 'market';
    if (isLimit) {
      terms.price = this.price(plan, side);
      terms.volume = this.lots(plan);
      if (op === 'immediate' || (op === 'conditional' && r.chance(0.2))) {
        terms.timeInForce = r.pick(['IOC', 'FOK']);
      } else {
        if (r.chance(world.gtd)) {
          terms.timeInForce = 'GTD';
          const ahead = r.chance(0.02)
            ? r.pick([4_999, LIMITS.gtdAheadMaxMs + 1, LIMITS.gtdAheadMaxMs])
            : r.logBetween(5_000, 100_000);
          terms.expireTime = this.time + ahead;
          // Several orders due in the same millisecond must expire in the order they were placed.
          if (ahead >= 5_000 && r.chance(0.5)) {
            terms.expireTime = Math.ceil(terms.expireTime / 100_000) * 100_000;
          }
        } else if (r.chance(0.3)) terms.timeInForce = 'GTC';
        if (r.chance(op === 'conditional' ? 0.3 : world.postOnly)) terms.postOnly = true;
        if (r.chance(world.iceberg)) {
          terms.visibleVolume = Math.max(
            1,
            Math.ceil(terms.volume / r.between(1, config.icebergParts + 1)),
          );
        }
      }
    } else if (side === 'sell' || (op === 'market' && r.chance(0.4))) {
      terms.volume = this.lots(plan);
    } else {
      const value = usualAmount(config, plan.usualLots, config.quote);
      terms.total = clampAmount((value * BigInt(r.logBetween(1, 300))) / 50n);
    }
    if (r.chance(0.7)) terms.stpMode = r.pick(world.stpModes);
    if (r.chance(world.clientIds)) terms.clientOrderId = this.#clientId();
    if (r.chance(0.1)) this.rewrite(terms);
    if (r.chance(world.invalid)) this.spoil(terms, plan);
    if (terms.clientOrderId !== undefined) {
      this.sent.push({ account, terms });
      if (this.sent.length > 200) this.sent.shift();
    }
    return terms;
  }

  /** The same numbers with other decimals: trailing zeros removed or added. */
  rewrite(terms: OrderTerms): void {
    const shift = (value: number | undefined, by: number): number | undefined =>
      value === undefined ? undefined : by > 0 ? value * 10 ** by : value / 10 ** -by;
    const by = this.#r.pick([-1, 1, 2]);
    const price = shift(terms.price, by);
    const stop = shift(terms.stopPrice, by);
    const decimals = (terms.priceDecimals ?? 0) + by;
    const fits = (n: number | undefined): boolean => n === undefined || Number.isSafeInteger(n);
    if (decimals >= 0 && decimals <= 18 && fits(price) && fits(stop)) {
      terms.priceDecimals = decimals;
      if (price !== undefined) terms.price = price;
      if (stop !== undefined) terms.stopPrice = stop;
    }
  }

  /** Breaks one rule. */
  spoil(terms: OrderTerms, plan: MarketPlan): void {
    const r = this.#r;
    const t = terms as unknown as Record<string, unknown>;
    const spoilers: Array<() => void> = [
      () => void delete t['price'],
      () => void delete t['volume'],
      () => void delete t['total'],
      () => void delete t['stopPrice'],
      () => (t['price'] = r.pick([0, -5, 1.5, 1e300, 9e15, NaN])),
      () => (t['volume'] = r.pick([0, -5, 0.5, 1e300, 9e15])),
      () => (t['total'] = r.pick([0n, -1n, 10n ** 37n, 1n])),
      () => (t['stopPrice'] = r.pick([0, 1, 9e14])),
      () => (t['visibleVolume'] = r.pick([1, 9e14, 0])),
      () => (t['priceDecimals'] = (terms.priceDecimals ?? 0) + 1),
      () => (t['volumeDecimals'] = (terms.volumeDecimals ?? 0) + 1),
      () => (t['timeInForce'] = r.pick(['GTC', 'IOC', 'FOK', 'GTD', 'DAY'])),
      () => (t['expireTime'] = this.time + r.pick([1, 10_000])),
      () => (t['postOnly'] = true),
      () => (t['side'] = 'hold'),
      () => (t['type'] = 'trailing_stop'),
      () => (t['type'] = 'stop'),
      () => (t['trailingDelta'] = r.pick([9, 2_001, 15.5, -10, NaN, 100])),
      () => void delete t['trailingDelta'],
      () => (t['stpMode'] = 'none'),
      () => (t['symbol'] = 'nosuch'),
      () => (t['clientOrderId'] = r.pick(['a b', 'x'.repeat(37), 'naïve', '💰'])),
      () => {
        // The price may be invalid already; then there is no edge to place it at.
        if (Number.isSafeInteger(terms.price))
          t['price'] = this.#edgePrice(plan, terms.side, terms.price ?? 0) * 3;
      },
      () => {
        if (terms.volume !== undefined) t['volume'] = plan.config.maximumVolumeLots + 1;
      },
    ];
    r.pick(spoilers)();
  }
}
