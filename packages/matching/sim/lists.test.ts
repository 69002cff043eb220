// Order lists under random interleavings: orders of all sides, cancels, sweeps and halts around them.

import { describe, expect, test } from 'vitest';
import { audit, listBalances, listOpenOrders, restore, snapshot } from '../src/index.ts';
import type { BracketTerms, OcoTerms, Order, Outcome, Side } from '../src/index.ts';
import { Venue } from './example.ts';
import { ListInvariants } from './list-invariants.ts';
import { Random } from './random.ts';

const ACCOUNTS = [1, 2, 3];
const COMMANDS = 1_500;

/** A venue whose prices stay within a few ticks of each other, so that everything meets. */
class Crowd {
  readonly #r: Random;
  readonly venue: Venue;
  #ids: number[] = [];

  constructor(seed: bigint) {
    this.#r = new Random(seed);
    const sweepStep = this.#r.pick([1, 2, 200]);
    const market = { maxConditionalOrders: 100, haltPpm: this.#r.pick([0, 20_000]) };
    this.venue = new Venue({ makerPpm: 1_000, takerPpm: 2_000, core: { sweepStep }, market });
    this.venue.sell(1, 1000, 5);
    this.venue.buy(2, 1000, 5);
    this.venue.do({ type: 'set_memory', memory: this.#r.pick([1, 20, 1000]) });
  }

  #near(sign: number): number {
    return 1000 + sign * this.#r.between(1, 8);
  }

  next(): Outcome {
    const r = this.#r;
    const { venue } = this;
    const account = r.pick(ACCOUNTS);
    const side: Side = r.pick(['buy', 'sell']);
    if (r.chance(0.05)) venue.time += r.between(1, 70_000);
    switch (r.below(10)) {
      case 0:
      case 1:
        return this.#placeList(account, this.#oco(side));
      case 2:
      case 3:
        return this.#placeList(account, this.#bracket(side));
      case 4:
        return venue.do({ type: 'cancel', account, orderId: r.pick([...this.#ids, 1]) });
      case 5:
        if (r.chance(0.9)) return venue.do({ type: 'sweep' });
        return venue.do({ type: 'cancel_all', account, ...(r.chance(0.5) ? { side } : {}) });
      case 6:
        if (r.chance(0.8)) {
          const phase = r.pick(['continuous', 'continuous', 'continuous', 'post_only'] as const);
          return venue.do({ type: 'set_phase', symbol: 'btcusdt', phase });
        }
        return venue.do({ type: 'cancel_market', symbol: 'btcusdt', side });
      default:
        venue.place(account, {
          side,
          price: this.#near(r.pick([-1, 1])),
          volume: r.between(1, 30),
          timeInForce: r.pick(['GTC', 'IOC']),
          stpMode: r.pick(['expire_taker', 'expire_maker', 'expire_both', 'decrement']),
        });
        return venue.last!;
    }
  }

  #placeList(account: number, list: OcoTerms | BracketTerms): Outcome {
    const outcome = this.venue.do({ type: 'place_list', account, list });
    const { result } = outcome;
    if (result.kind === 'listed') this.#ids.push(...result.orders.map(({ orderId }) => orderId));
    this.#ids = this.#ids.slice(-40);
    return outcome;
  }

  #oco(side: Side): OcoTerms {
    const sign = side === 'buy' ? -1 : 1;
    return {
      kind: 'oco',
      symbol: 'btcusdt',
      side,
      volume: this.#r.between(1, 20),
      volumeDecimals: 2,
      limitPrice: this.#near(sign),
      stopPrice: this.#near(-sign),
      stopLimitPrice: this.#near(this.#r.pick([-1, 1])),
      priceDecimals: 1,
    };
  }

  #bracket(side: Side): BracketTerms {
    const r = this.#r;
    const sign = side === 'buy' ? 1 : -1;
    const price = 1000 + r.between(-6, 6);
    return {
      kind: 'bracket',
      entry: {
        symbol: 'btcusdt',
        side,
        type: 'limit',
        price,
        volume: r.between(1, 20),
        timeInForce: r.pick(['GTC', 'GTC', 'IOC']),
        priceDecimals: 1,
        volumeDecimals: 2,
      },
      takeProfitPrice: price + sign * r.between(1, 5),
      stopLossPrice: price - sign * r.between(1, 5),
      stopLossLimitPrice: price - sign * r.between(1, 8),
      priceDecimals: 1,
    };
  }
}

/** Held by the orders of an account, by coin. */
function heldBy(orders: readonly Order[]): Record<string, bigint> {
  const held: Record<string, bigint> = { btc: 0n, usdt: 0n };
  for (const o of orders) held[o.side === 'buy' ? 'usdt' : 'btc']! += o.held;
  return held;
}

describe('order lists among random commands', () => {
  test.each([1n, 2n, 3n, 4n])('seed %s', (seed) => {
    const crowd = new Crowd(seed);
    const { state } = crowd.venue;
    const invariants = new ListInvariants();
    const seen = { decided: 0, begun: 0 };
    for (let i = 0; i < COMMANDS; i++) {
      const outcome = crowd.next();
      const broken = invariants.check(outcome);
      if (broken !== undefined) expect(broken).toBe('');
      for (const step of outcome.steps) {
        if (step.cause === 'list') seen.begun += 1;
        seen.decided += step.orders.filter((o) => o.statusReason === 'list_sibling').length;
        // Money only moves: every entry of every step adds up to nothing.
        const sums: Record<string, bigint> = {};
        for (const { coin, amount } of step.journals.flatMap(({ postings }) => postings)) {
          sums[coin] = (sums[coin] ?? 0n) + amount;
        }
        const lost = Object.entries(sums).filter(([, sum]) => sum !== 0n);
        if (lost.length > 0) expect(lost).toEqual([]);
      }
      for (const account of ACCOUNTS) {
        const held = heldBy(listOpenOrders(state, account));
        for (const { coin, hold } of listBalances(state, account)) {
          if (hold !== held[coin]) expect(hold).toBe(held[coin]);
        }
      }
      if (i % 100 === 0) {
        expect(audit(state)).toEqual([]);
        expect(audit(restore(snapshot(state)))).toEqual([]);
      }
    }
    expect(seen.decided).toBeGreaterThan(20);
    expect(seen.begun).toBeGreaterThan(5);
  });
});
