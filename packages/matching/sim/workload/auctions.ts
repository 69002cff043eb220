// Draws whole auctions: the call, what gathers in it, and one of the ways in which it ends.

import { LIMITS } from '../../src/command.ts';
import type { Amend, Command, OrderTerms, Phase, Side } from '../../src/command.ts';
import type { Observed } from '../observed.ts';
import type { Random } from '../random.ts';
import type { TermsDrawer } from '../terms.ts';
import type { MarketPlan } from '../world.ts';

export interface AuctionDraw {
  commands: Command[];
  /** The time of the last of them. */
  time: number;
}

const OTHERS: Phase[] = ['pre_open', 'cancel_only', 'halted'];

export class AuctionDrawer {
  readonly #r: Random;
  readonly #observed: Observed;
  readonly #terms: TermsDrawer;

  constructor(r: Random, observed: Observed, terms: TermsDrawer) {
    this.#r = r;
    this.#observed = observed;
    this.#terms = terms;
  }

  /** Prices that jump within five minutes, and the auction that follows the halt. */
  #drawHalt(plan: MarketPlan, now: number, checkpoint: number): AuctionDraw {
    const r = this.#r;
    let time = now;
    const { config } = plan;
    const { symbol } = config;
    const auctionSeconds = r.pick([1, 10, 60]);
    const commands: Command[] = [
      {
        type: 'configure_market',
        time,
        config: { ...config, haltPpm: 2_000, haltMinutes: 1, auctionSeconds },
      },
      { type: 'set_phase', time, symbol, phase: 'continuous' },
    ];
    const last = this.#observed.market(symbol).last || config.listingPriceTicks;
    const place = (side: Side, price: number): void => {
      const account = r.pick(this.#terms.world.accounts);
      const order = this.#order(plan, 'limit', account, last, 1, time);
      Object.assign(order, { side, price, priceDecimals: config.quotePrecision });
      commands.push({ type: 'place', time, account, order, checkpoint });
    };
    const jump = Math.max(1, Math.ceil(last / 100)) * r.pick([-1, 1]);
    const far = Math.max(1, Math.min(LIMITS.ticksMax, last + jump));
    for (const price of [last, far]) {
      for (let left = r.between(2, 4); left > 0; left--) {
        place(left % 2 === 0 ? 'buy' : 'sell', price);
      }
      if (price === last) time += 301_000;
    }
    time += 60_000;
    commands.push({ type: 'tick', time });
    for (let left = r.between(2, 8); left > 0; left--) {
      place(r.chance(0.5) ? 'buy' : 'sell', far + r.between(-2, 2));
    }
    time += auctionSeconds * 1000;
    commands.push({ type: 'tick', time });
    return { commands, time };
  }

  draw(plan: MarketPlan, now: number, checkpoint: number): AuctionDraw {
    const r = this.#r;
    let time = now;
    if (r.chance(0.4)) return this.#drawHalt(plan, now, checkpoint);
    const { symbol } = plan.config;
    const call: Command = { type: 'set_phase', time, symbol, phase: 'auction' };
    const until = time + r.pick([1, 1_000, 10_000, 60_000]);
    const hasEnd = r.chance(0.6);
    if (hasEnd) call.until = until;
    const commands: Command[] = [call];
    if (r.chance(0.1)) {
      const wrong = r.pick([time, time - 1, time + LIMITS.auctionMaxMs + 1, time + 0.5, NaN]);
      commands.push({ type: 'set_phase', time, symbol, phase: 'auction', until: wrong });
      commands.push({ type: 'set_phase', time, symbol, phase: r.pick(OTHERS), until });
    }
    // A few accounts only, so that families meet themselves.
    const accounts = Array.from({ length: r.between(2, 8) }, () =>
      r.pick(this.#terms.world.accounts),
    );
    const placed: Array<{ account: number; order: OrderTerms }> = [];
    const middle = this.#observed.market(symbol).last || plan.config.listingPriceTicks;
    const reach = r.chance(0.5) ? r.between(1, 5) : plan.usualTicks;
    for (let left = r.pick([0, 4, 10, 20, 30]); left > 0; left--) {
      const account = r.pick(accounts);
      const kind = r.chance(0.9)
        ? 'limit'
        : r.pick(['immediate', 'market', 'conditional'] as const);
      const order = this.#order(plan, kind, account, middle, reach, time);
      if (r.chance(0.05)) commands.push({ type: 'test', time, account, order });
      else if (r.chance(0.06)) {
        const orders = [order, this.#order(plan, 'limit', account, middle, reach, time)];
        const mode = r.pick(['independent', 'all_or_none'] as const);
        commands.push({ type: 'place_batch', time, account, mode, orders, checkpoint });
      } else commands.push({ type: 'place', time, account, order, checkpoint });
      placed.push({ account, order });
      const change = this.#change(plan, placed, middle, reach, time);
      if (change !== undefined) commands.push(change);
      if (r.chance(0.05)) time += r.below(2_000);
    }
    if (hasEnd && time < until && r.chance(0.7)) {
      time = r.chance(0.2) ? Math.max(time, until + 6_000) : until;
      commands.push({ type: 'tick', time });
      return { commands, time };
    }
    if (r.chance(0.2)) {
      commands.push({ type: 'set_phase', time, symbol, phase: r.pick(OTHERS) });
    }
    // Orders that expire in this very moment, and may not have been ended yet.
    if (r.chance(0.5)) time += LIMITS.gtdAheadMinMs;
    const phase = r.chance(0.15) ? 'post_only' : 'continuous';
    commands.push({ type: 'set_phase', time, symbol, phase });
    if (phase !== 'continuous') {
      commands.push({ type: 'set_phase', time, symbol, phase: 'continuous' });
    }
    return { commands, time };
  }

  /** Terms for this market, at prices on both sides of the middle. */
  #order(
    plan: MarketPlan,
    kind: 'limit' | 'immediate' | 'market' | 'conditional',
    account: number,
    middle: number,
    reach: number,
    time: number,
  ): OrderTerms {
    const r = this.#r;
    const { config } = plan;
    const order = this.#terms.terms(kind, account);
    if (order.symbol !== config.symbol) {
      order.symbol = config.symbol;
      order.priceDecimals = config.quotePrecision;
      order.volumeDecimals = config.basePrecision;
      if (order.volume !== undefined) order.volume = r.logBetween(1, plan.usualLots * 3);
      if (order.visibleVolume !== undefined) order.visibleVolume = order.volume ?? 1;
    }
    if (order.price !== undefined && order.priceDecimals === config.quotePrecision) {
      order.price = this.#price(order.side, middle, reach);
    }
    if (order.postOnly === true && r.chance(0.8)) delete order.postOnly;
    if (kind === 'limit' && order.timeInForce !== 'GTD' && r.chance(0.3)) {
      order.timeInForce = 'GTD';
      order.expireTime = time + LIMITS.gtdAheadMinMs;
    }
    return order;
  }

  #price(side: Side, middle: number, reach: number): number {
    const r = this.#r;
    const sign = side === 'buy' ? 1 : -1;
    const away = r.between(-reach, reach) + (r.chance(0.5) ? reach : 0);
    return Math.max(1, Math.min(LIMITS.ticksMax, middle + sign * away));
  }

  #change(
    plan: MarketPlan,
    placed: ReadonlyArray<{ account: number; order: OrderTerms }>,
    middle: number,
    reach: number,
    time: number,
  ): Command | undefined {
    const r = this.#r;
    const { account, order } = r.pick(placed);
    const resting = this.#observed.liveOrder(r);
    const { clientOrderId } = order;
    if (clientOrderId === undefined) {
      // One that was there before the call.
      if (resting?.symbol !== plan.config.symbol || r.chance(0.5)) return undefined;
      const price = this.#price(resting.side, middle, reach);
      return {
        type: 'amend',
        time,
        account: resting.account,
        orderId: resting.orderId,
        price,
        priceDecimals: plan.config.quotePrecision,
      };
    }
    if (r.chance(0.1)) return { type: 'cancel', time, account, clientOrderId };
    if (r.chance(0.8)) return undefined;
    const amend: Amend = { type: 'amend', time, account, clientOrderId };
    if (r.chance(0.6)) {
      amend.price = this.#price(order.side, middle, reach);
      amend.priceDecimals = plan.config.quotePrecision;
    } else {
      amend.volume = r.logBetween(1, plan.usualLots * 3);
      amend.volumeDecimals = plan.config.basePrecision;
    }
    return amend;
  }
}
