// What the workload has learned from the outcomes so far: live orders, books, prices, timers.

import type { Command, Phase, Side } from '../src/command.ts';
import type { Order, Outcome } from '../src/outcome.ts';
import type { Random } from './random.ts';
import type { MarketPlan, World } from './world.ts';

interface Seen {
  best: { buy: Map<number, number>; sell: Map<number, number> };
  last: number;
  phase: Phase;
}

/** The id that names a movement of money, or nothing for other commands. */
export function moneyKey(command: Command): string {
  switch (command.type) {
    case 'credit_deposit':
      return `deposit ${command.network} ${command.depositId}`;
    case 'request_withdrawal':
      return `withdrawal ${command.withdrawalId}`;
    case 'transfer':
      return `transfer ${command.transferId}`;
    case 'adjust':
      return `adjust ${command.adjustmentId}`;
    case 'contribute_capital':
    case 'withdraw_capital':
      return `capital ${command.contributionId}`;
    case 'reverse_deposit':
      return `reversal ${command.network} ${command.depositId} ${command.part}`;
    case 'book_chain_cost':
      return `cost ${command.costId}`;
    default:
      return '';
  }
}

export class Observed {
  readonly world: World;
  seq = 0;
  readonly live = new Map<number, Order>();
  liveIds: number[] = [];
  readonly gone: Array<{ orderId: number; account: number; clientOrderId: string }> = [];
  readonly seen = new Map<string, Seen>();
  readonly withdrawals: string[] = [];
  /** When each client id and each movement of money was first accepted. */
  readonly honoured = new Map<string, number>();
  readonly dues = new Set<number>();
  /** What accounts can dispose of, by account and coin. */
  readonly available = new Map<string, bigint>();

  constructor(world: World) {
    this.world = world;
    for (const { config } of world.markets) {
      this.seen.set(config.symbol, {
        best: { buy: new Map(), sell: new Map() },
        last: 0,
        phase: 'pre_open',
      });
    }
  }

  /** The next moment at which something falls due, or the millisecond before or after it. */
  nearDue(r: Random, time: number): number {
    let next = Infinity;
    for (const due of this.dues) {
      if (due <= time) this.dues.delete(due);
      else next = Math.min(next, due);
    }
    if (next > time + 300_000) return time;
    return Math.max(time, next + r.pick([-1, 0, 0, 1]));
  }

  /** Learns from what the command did. */
  observe(last: Command | undefined, outcome: Outcome): void {
    if (outcome.result.kind === 'moved' && !outcome.result.replay && last !== undefined) {
      const key = moneyKey(last);
      if (key !== '') this.honoured.set(key, outcome.steps.at(-1)?.engineSeq ?? 0);
    }
    for (const step of outcome.steps) {
      this.seq = step.engineSeq;
      for (const order of step.orders) this.#learn(order);
      for (const { postings } of step.journals) {
        for (const { owner, coin, bucket, after } of postings) {
          if (bucket === 'available') this.available.set(`${owner}|${coin}`, after);
        }
      }
      for (const trade of step.trades) this.market(trade.symbol).last = trade.priceTicks;
      for (const phase of step.phases) {
        this.market(phase.symbol).phase = phase.phase;
        this.dues.add(phase.until);
      }
      for (const timer of step.timers) this.dues.add(timer.triggerTime);
      for (const book of step.books) {
        const { best } = this.market(book.symbol);
        for (const { side, priceTicks, lots } of book.levels) {
          if (lots === 0) best[side].delete(priceTicks);
          else best[side].set(priceTicks, lots);
        }
      }
      for (const config of step.markets) {
        const plan = this.world.markets.find((m) => m.config.symbol === config.symbol);
        if (plan === undefined || plan.config.quotePrecision === config.quotePrecision) {
          if (plan !== undefined) plan.config = config;
          continue;
        }
        // Prices now use other units, so the learned ones are useless.
        plan.config = config;
        const seen = this.market(config.symbol);
        seen.last = 0;
        seen.best.buy.clear();
        seen.best.sell.clear();
      }
      for (const w of step.withdrawals) {
        if (w.status === 'pending') this.withdrawals.push(w.withdrawalId);
      }
    }
  }

  market(symbol: string): Seen {
    const seen = this.seen.get(symbol);
    if (seen === undefined) throw new Error(`the workload knows no market ${symbol}`);
    return seen;
  }

  #learn(order: Order): void {
    const isLive = ['pending', 'open', 'partially_filled'].includes(order.status);
    const { orderId, account, clientOrderId } = order;
    const key = `${account}|${clientOrderId}`;
    if (clientOrderId !== '' && !this.honoured.has(key)) this.honoured.set(key, order.engineSeq);
    if (isLive) {
      if (order.expireTime > 0) this.dues.add(order.expireTime);
      if (!this.live.has(orderId)) this.liveIds.push(orderId);
      this.live.set(orderId, order);
      return;
    }
    this.live.delete(orderId);
    this.gone.push({ orderId, account, clientOrderId });
    if (this.gone.length > 500) this.gone.shift();
    if (this.liveIds.length > 2 * this.live.size + 50) {
      this.liveIds = this.liveIds.filter((id) => this.live.has(id));
    }
  }

  best(plan: MarketPlan, side: Side): number | undefined {
    const prices = [...this.market(plan.config.symbol).best[side].keys()];
    if (prices.length === 0) return undefined;
    return side === 'buy' ? Math.max(...prices) : Math.min(...prices);
  }

  liveOrder(r: Random): Order | undefined {
    for (let tries = 0; tries < 8 && this.liveIds.length > 0; tries++) {
      const found = this.live.get(r.pick(this.liveIds));
      if (found !== undefined) return found;
    }
    return undefined;
  }
}
