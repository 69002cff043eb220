// Counts what happened in auctions and at their ends.

import type { Command, Phase } from '../../src/command.ts';
import type { Outcome, Step } from '../../src/outcome.ts';

export const AUCTION_CASES = [
  'auction called by an operator',
  'auction called with an end',
  'auction called before the first trade',
  'auction after a halt',
  'auction ended by its timer',
  'auction ended by an operator',
  'auction ended towards post_only',
  'auction ended without trading, and uncrossed later',
  'auction refused: until',
  'auction refused: until of another phase',
  'auction refused: a kind of order',
  'auction with nothing to trade',
  'auction with trades',
  'auction at the reference price',
  'auction with an imbalance of buyers',
  'auction with an imbalance of sellers',
  'auction with a self-match',
  'auction in two rounds',
  'auction that triggered stops',
  'auction with an expired order in the way',
  'auction with an iceberg',
  'auction that returned a price improvement',
  'order placed in an auction',
  'order placed across the book in an auction',
  'order amended in an auction',
  'order amended across the book in an auction',
  'order canceled in an auction',
  'order expired in an auction',
  'test in an auction',
] as const;

type Case = (typeof AUCTION_CASES)[number];

export class AuctionCases {
  readonly #count: (name: Case) => void;
  readonly #phases = new Map<string, Phase>();
  /** Markets that have traded. */
  readonly #traded = new Set<string>();
  /** Markets that left an auction for a phase in which nothing trades. */
  readonly #left = new Set<string>();

  constructor(count: (name: Case) => void) {
    this.#count = count;
  }

  add(command: Command, outcome: Outcome): void {
    this.#addCommand(command, outcome);
    for (const [i, step] of outcome.steps.entries()) {
      this.#addPhases(command, step);
      for (const { symbol } of step.uncrosses.slice(0, 1)) {
        this.#addUncross(symbol, step, outcome.steps[i + 1]);
      }
      for (const { symbol } of step.trades) this.#traded.add(symbol);
      for (const { symbol, phase } of step.phases) this.#phases.set(symbol, phase);
    }
  }

  #addCommand(command: Command, outcome: Outcome): void {
    const { result } = outcome;
    const isIn = (symbol: string | undefined): boolean =>
      symbol !== undefined && this.#phases.get(symbol) === 'auction';
    if (command.type === 'set_phase' && result.kind === 'rejected') {
      const { details, code } = result.rejection;
      if (details['parameter'] !== 'until') return;
      this.#count(
        code === 2009 ? 'auction refused: until of another phase' : 'auction refused: until',
      );
    }
    if (command.type === 'place' && isIn(command.order.symbol)) {
      if (result.kind === 'placed') this.#count('order placed in an auction');
      if (result.kind === 'rejected' && result.rejection.details['phase'] === 'auction') {
        this.#count('auction refused: a kind of order');
      }
    }
    if (command.type === 'test' && isIn(command.order.symbol) && result.kind === 'tested') {
      this.#count('test in an auction');
    }
    if (result.kind === 'amended' && isIn(result.order.symbol)) {
      this.#count('order amended in an auction');
    }
    if (result.kind === 'canceled' && isIn(result.order.symbol)) {
      this.#count('order canceled in an auction');
    }
    for (const step of outcome.steps) {
      for (const o of step.orders) {
        if (step.cause === 'gtd' && isIn(o.symbol)) this.#count('order expired in an auction');
      }
      for (const { symbol, levels } of step.books) {
        if (!isIn(symbol) || step.uncrosses.length > 0) continue;
        this.#best(symbol, levels, command);
      }
    }
  }

  readonly #books = new Map<string, { buy: Set<number>; sell: Set<number> }>();

  /** Levels that came in the call phase and meet one of the other side. */
  #best(
    symbol: string,
    levels: Outcome['steps'][number]['books'][number]['levels'],
    command: Command,
  ): void {
    const book = this.#books.get(symbol) ?? { buy: new Set<number>(), sell: new Set<number>() };
    this.#books.set(symbol, book);
    for (const { side, priceTicks, lots } of levels) {
      if (lots === 0) {
        book[side].delete(priceTicks);
        continue;
      }
      book[side].add(priceTicks);
      const meets =
        side === 'buy'
          ? [...book.sell].some((ask) => ask <= priceTicks)
          : [...book.buy].some((bid) => bid >= priceTicks);
      if (!meets) continue;
      if (command.type === 'amend') this.#count('order amended across the book in an auction');
      if (command.type === 'place') this.#count('order placed across the book in an auction');
    }
  }

  #addPhases(command: Command, step: Step): void {
    for (const { symbol, phase, until } of step.phases) {
      const before = this.#phases.get(symbol);
      if (phase === 'auction') {
        this.#books.delete(symbol);
        if (step.cause === 'phase_end') this.#count('auction after a halt');
        else if (command.type === 'set_phase') {
          this.#count('auction called by an operator');
          if (until > 0) this.#count('auction called with an end');
          if (!this.#traded.has(symbol)) this.#count('auction called before the first trade');
        }
      } else if (before === 'auction') {
        if (phase === 'continuous' || phase === 'post_only') {
          const byTimer = step.cause === 'phase_end';
          this.#count(byTimer ? 'auction ended by its timer' : 'auction ended by an operator');
          if (phase === 'post_only') this.#count('auction ended towards post_only');
        } else this.#left.add(symbol);
      } else if (phase === 'continuous' || phase === 'post_only') {
        if (this.#left.delete(symbol) && step.uncrosses.length > 0) {
          this.#count('auction ended without trading, and uncrossed later');
        }
      }
    }
  }

  #addUncross(symbol: string, step: Step, next: Step | undefined): void {
    const [first] = step.uncrosses;
    if (first === undefined) return;
    if (first.lots === 0) this.#count('auction with nothing to trade');
    else this.#count('auction with trades');
    if (first.priceTicks === first.referenceTicks) this.#count('auction at the reference price');
    if (first.imbalanceLots > 0) this.#count('auction with an imbalance of buyers');
    if (first.imbalanceLots < 0) this.#count('auction with an imbalance of sellers');
    if (step.prevented.length > 0) this.#count('auction with a self-match');
    if (step.uncrosses.length > 1) this.#count('auction in two rounds');
    if (next?.cause === 'trigger' && next.orders.some((o) => o.symbol === symbol)) {
      this.#count('auction that triggered stops');
    }
    if (step.orders.some((o) => o.statusReason === 'gtd')) {
      this.#count('auction with an expired order in the way');
    }
    const traded = new Set(
      step.trades.flatMap(({ buyer, seller }) => [buyer.orderId, seller.orderId]),
    );
    for (const o of step.orders) {
      if (!traded.has(o.orderId)) continue;
      if (o.visibleVolume > 0) this.#count('auction with an iceberg');
      if (o.side === 'buy' && o.price > first.priceTicks) {
        this.#count('auction that returned a price improvement');
      }
    }
  }
}
