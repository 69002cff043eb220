// Counts the cases of trailing stops. No event says that one became active, so this follows the trades itself.

import type { Command } from '../../src/command.ts';
import type { Order, Outcome, Result, Step } from '../../src/outcome.ts';

const KINDS = ['buy', 'sell'].flatMap((side) =>
  ['limit', 'market'].flatMap((result) =>
    ['at once', 'by price'].map((activation) => `${side} ${result} ${activation}`),
  ),
);

/** The refusals of a placement: the older rules, then every check that looks at a trailing stop in its own way. */
const REFUSALS = [2001, 2002, 2003, 2009, 4004, 4007, 4009, 4012, 4015, 4016, 4018, 5001];

export const TRAILING_CASES: readonly string[] = [
  ...KINDS.flatMap((kind) => [`placed ${kind}`, `fired ${kind}`]),
  'activated buy',
  'activated sell',
  'canceled active',
  'canceled waiting',
  'expired active',
  'amended active',
  'amended waiting',
  'fired after a halt',
  'fired with others',
  'activation refused to an active order',
  'tested',
  ...REFUSALS.map((code) => `rejection ${code}`),
].map((name) => `trailing ${name}`);

interface Trail {
  order: Order;
  isActive: boolean;
}

export class TrailingCoverage {
  readonly #count: (name: string) => void;
  readonly #trails = new Map<number, Trail>();

  constructor(count: (name: string) => void) {
    this.#count = (name) => count(`trailing ${name}`);
  }

  clear(): void {
    this.#trails.clear();
  }

  add(command: Command, outcome: Outcome): void {
    const { result } = outcome;
    if (command.type === 'place' && command.order.type === 'trailing_stop') this.#refusal(result);
    if (command.type === 'test' && command.order.type === 'trailing_stop') {
      if (result.kind === 'tested') this.#count('tested');
    }
    if (command.type === 'amend' && command.stopPrice !== undefined) {
      const trail = this.#trails.get(command.orderId ?? 0);
      const isRefused = result.kind === 'rejected' && result.rejection.code === 2009;
      if (trail?.isActive === true && isRefused) {
        this.#count('activation refused to an active order');
      }
    }
    const fired = outcome.steps.filter(
      ({ cause, orders }) => cause === 'trigger' && orders.some((o) => this.#trails.has(o.orderId)),
    );
    const triggers = outcome.steps.filter(({ cause }) => cause === 'trigger');
    if (fired.length > 0 && triggers.length > 1) this.#count('fired with others');
    if (fired.length > 0 && outcome.steps[0]?.trades.length === 0)
      this.#count('fired after a halt');
    for (const step of outcome.steps) this.#addStep(command, step);
  }

  #refusal(result: Result): void {
    if (result.kind !== 'rejected') return;
    const { code } = result.rejection;
    if (REFUSALS.includes(code)) this.#count(`rejection ${code}`);
  }

  #addStep(command: Command, step: Step): void {
    for (const order of step.orders) {
      if (order.type !== 'trailing_stop') continue;
      const known = this.#trails.get(order.orderId);
      if (order.status === 'pending') {
        const isActive = known?.isActive ?? order.stopPrice === 0;
        if (known === undefined) this.#count(`placed ${kindOf(order)}`);
        else if (command.type === 'amend')
          this.#count(`amended ${isActive ? 'active' : 'waiting'}`);
        this.#trails.set(order.orderId, { order, isActive });
        continue;
      }
      this.#trails.delete(order.orderId);
      if (known === undefined) continue;
      if (step.cause === 'trigger') this.#count(`fired ${kindOf(order)}`);
      else if (order.status === 'canceled') {
        this.#count(`canceled ${known.isActive ? 'active' : 'waiting'}`);
      } else if (order.status === 'expired' && known.isActive) this.#count('expired active');
    }
    for (const { symbol, priceTicks } of step.trades) {
      for (const trail of this.#trails.values()) {
        const { order } = trail;
        if (trail.isActive || order.symbol !== symbol) continue;
        const isReached =
          order.side === 'sell' ? priceTicks >= order.stopPrice : priceTicks <= order.stopPrice;
        if (!isReached) continue;
        trail.isActive = true;
        this.#count(`activated ${order.side}`);
      }
    }
  }
}

const kindOf = ({ side, price, stopPrice }: Order): string =>
  `${side} ${price > 0 ? 'limit' : 'market'} ${stopPrice > 0 ? 'by price' : 'at once'}`;
