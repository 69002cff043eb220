// Invariants that hold independently of the twin, checked on every outcome.

import type { Phase } from '../src/command.ts';
import type { Order, OrderStatus, Outcome, Step, Trade } from '../src/outcome.ts';

interface Sums {
  lots: number;
  total: bigint;
  fee: bigint;
  rebate: bigint;
  decimals: number;
}

const NEXT: Record<OrderStatus, OrderStatus[]> = {
  pending: ['pending', 'open', 'partially_filled', 'filled', 'canceled', 'expired', 'rejected'],
  open: ['open', 'partially_filled', 'filled', 'canceled', 'expired', 'rejected'],
  partially_filled: ['partially_filled', 'filled', 'canceled', 'expired'],
  filled: [],
  canceled: [],
  expired: [],
  rejected: [],
};

export class Invariants {
  #seq = 0;
  #time = 0;
  #tradeId: number;
  readonly #updateIds = new Map<string, number>();
  readonly #phases = new Map<string, Phase>();
  readonly #sums = new Map<number, Sums>();
  readonly #status = new Map<number, OrderStatus>();
  readonly #parents = new Map<number, number>();
  readonly #causes = new Set<string>();
  readonly #clientIds = new Map<string, number>();

  constructor(shard: number) {
    this.#tradeId = shard * 1e15;
  }

  /** The first broken invariant, in words. */
  check(outcome: Outcome, rules: number): string | undefined {
    for (const step of outcome.steps) {
      const found = this.#checkStep(step) ?? (rules >= 2 ? checkExpiry(step) : undefined);
      if (found !== undefined) return `step ${step.engineSeq}: ${found}`;
    }
    return undefined;
  }

  #checkStep(step: Step): string | undefined {
    if (step.engineSeq !== this.#seq + 1) return 'engineSeq has a gap';
    this.#seq = step.engineSeq;
    if (step.time < this.#time) return 'time went backwards';
    this.#time = step.time;
    for (const { account, parent } of step.accounts) this.#parents.set(account, parent);
    for (const book of step.books) {
      if (book.updateId !== (this.#updateIds.get(book.symbol) ?? 0) + 1)
        return 'updateId has a gap';
      this.#updateIds.set(book.symbol, book.updateId);
    }
    const found =
      this.#checkJournals(step) ??
      this.#checkTrades(step) ??
      checkUncross(step) ??
      this.#checkOrders(step);
    for (const { symbol, phase } of step.phases) this.#phases.set(symbol, phase);
    return found;
  }

  /** Double entry: at least two postings, zero per coin, no account below zero, each cause once. */
  #checkJournals(step: Step): string | undefined {
    for (const { kind, reference, postings } of step.journals) {
      const isOrderEvent = kind === 'hold' || kind === 'release' || kind === 'amend';
      const event = isOrderEvent
        ? `${kind} ${reference} ${step.engineSeq}`
        : `${kind} ${reference}`;
      const isSecond = this.#causes.has(event) && endsAfterFill(step, kind, reference);
      const cause = isSecond ? `${event} at its end` : event;
      if (this.#causes.has(cause)) return `the cause ${cause} was posted twice`;
      this.#causes.add(cause);
      if (postings.length < 2) return `the entry ${cause} has ${postings.length} postings`;
      const sums = new Map<string, bigint>();
      for (const { owner, coin, amount, after } of postings) {
        if (amount === 0n) return `the entry ${cause} posts nothing`;
        sums.set(coin, (sums.get(coin) ?? 0n) + amount);
        const isCustody = typeof owner === 'string' && owner.startsWith('custody:');
        if (after < 0n && !isCustody) return `${owner} has ${after} ${coin}`;
      }
      for (const [coin, sum] of sums) if (sum !== 0n) return `${cause} adds up to ${sum} ${coin}`;
    }
    return undefined;
  }

  #checkTrades(step: Step): string | undefined {
    const orders = new Map(step.orders.map((o) => [o.orderId, o]));
    const entries = new Map(
      step.journals.filter((j) => j.kind === 'trade').map((j) => [j.reference, j]),
    );
    const lastPrice = new Map<string, Trade>();
    for (const trade of step.trades) {
      this.#tradeId += 1;
      if (trade.tradeId !== this.#tradeId) return 'trade ids have a gap';
      const { buyer, seller, priceTicks, takerSide } = trade;
      if (this.#parents.get(buyer.account) === this.#parents.get(seller.account)) {
        return `trade ${trade.tradeId} is within one family`;
      }
      const [bid, ask] = [orders.get(buyer.orderId), orders.get(seller.orderId)];
      if (bid?.side !== 'buy' || ask?.side !== 'sell') return 'a trade has not one of each side';
      for (const order of [bid, ask]) {
        const found = this.#addTrade(trade, order, order === bid ? buyer.fee : seller.fee);
        if (found !== undefined) return found;
      }
      if (hasLimit(bid) && priceTicks > bid.price) return 'a buyer paid too much';
      if (hasLimit(ask) && priceTicks < ask.price) return 'a seller got too little';
      const maker = takerSide === 'buy' ? ask : bid;
      const isAuction = step.uncrosses.some(({ symbol }) => symbol === trade.symbol);
      if (!isAuction && this.#phases.get(trade.symbol) !== 'continuous') {
        return 'a trade was made while the market did not trade';
      }
      if (!isAuction && maker.price !== priceTicks) return 'a trade is not at the resting price';
      const before = lastPrice.get(trade.symbol);
      if (!isAuction && before !== undefined) {
        const worse =
          takerSide === 'buy' ? priceTicks - before.priceTicks : before.priceTicks - priceTicks;
        if (worse < 0) return 'a worse price traded before a better one';
      }
      lastPrice.set(trade.symbol, trade);
      const entry = entries.get(trade.tradeId);
      let posted = 0n;
      for (const p of entry?.postings ?? []) if (p.owner === 'fees') posted += p.amount;
      if (posted !== buyer.fee + seller.fee - trade.rebate)
        return 'fees posted are not fees traded';
      const takerFee = takerSide === 'buy' ? buyer.fee : seller.fee;
      if (trade.rebate > takerFee) return 'a rebate exceeds the fee it comes from';
    }
    return undefined;
  }

  #addTrade(trade: Trade, order: Order, fee: bigint): string | undefined {
    const isMaker = (order.side === 'sell') === (trade.takerSide === 'buy');
    const sums = this.#sums.get(order.orderId) ?? {
      lots: 0,
      total: 0n,
      fee: 0n,
      rebate: 0n,
      decimals: order.volumeDecimals,
    };
    if (sums.decimals !== order.volumeDecimals) {
      sums.lots *= 10 ** (order.volumeDecimals - sums.decimals);
      sums.decimals = order.volumeDecimals;
    }
    sums.lots += trade.lots;
    sums.total += trade.total;
    sums.fee += fee;
    if (isMaker) sums.rebate += trade.rebate;
    this.#sums.set(order.orderId, sums);
    return undefined;
  }

  #checkOrders(step: Step): string | undefined {
    for (const o of step.orders) {
      if (o.engineSeq !== step.engineSeq) return `order ${o.orderId} has another engineSeq`;
      if (o.clientOrderId !== '') {
        const key = `${o.account} ${o.clientOrderId}`;
        const first = this.#clientIds.get(key) ?? o.orderId;
        if (first !== o.orderId) return `client id ${key} made two orders`;
        this.#clientIds.set(key, o.orderId);
      }
      const before = this.#status.get(o.orderId);
      if (before !== undefined && !NEXT[before].includes(o.status)) {
        return `order ${o.orderId} went from ${before} to ${o.status}`;
      }
      const sums = this.#sums.get(o.orderId);
      const lots =
        (sums?.lots ?? 0) * 10 ** (o.volumeDecimals - (sums?.decimals ?? o.volumeDecimals));
      const isSummed =
        o.filledVolume === lots &&
        o.filledTotal === (sums?.total ?? 0n) &&
        o.fee === (sums?.fee ?? 0n) &&
        o.rebate === (sums?.rebate ?? 0n);
      if (!isSummed) return `order ${o.orderId} is not the sum of its trades`;
      if (o.total === 0n && o.volume !== o.filledVolume + o.remainingVolume + o.preventedVolume) {
        return `order ${o.orderId} does not add up`;
      }
      if (o.total > 0n && o.filledTotal > o.total) return `order ${o.orderId} overspent`;
      const isFinal = ['filled', 'canceled', 'expired', 'rejected'].includes(o.status);
      if (isFinal && o.held !== 0n) return `order ${o.orderId} is final and holds ${o.held}`;
      if (o.status === 'filled' && o.remainingVolume !== 0)
        return `order ${o.orderId} is not filled`;
      this.#status.set(o.orderId, o.status);
      if (isFinal) this.#sums.delete(o.orderId);
    }
    return undefined;
  }
}

/** A trailing stop without a price becomes a market order. */
const hasLimit = ({ type, price }: Order): boolean =>
  !type.endsWith('market') && (type !== 'trailing_stop' || price > 0);
/** The trades of an auction are those that its records speak of, at their prices, and pay no rebate. */
function checkUncross(step: Step): string | undefined {
  for (const { symbol } of step.uncrosses.slice(0, 1)) {
    const records = step.uncrosses.filter(({ lots }) => lots > 0);
    const prices = [...new Set(records.map(({ priceTicks }) => priceTicks))];
    for (const price of prices) {
      const said = records.filter(({ priceTicks }) => priceTicks === price);
      const made = step.trades.filter(({ priceTicks }) => priceTicks === price);
      const sum = (list: readonly { lots: number }[]): number =>
        list.reduce((total, { lots }) => total + lots, 0);
      if (sum(said) !== sum(made)) return `the uncross of ${symbol} says another volume`;
    }
    for (const trade of step.trades) {
      if (!prices.includes(trade.priceTicks)) return 'an auction traded at two prices';
      if (trade.rebate !== 0n) return 'an auction paid a rebate';
    }
  }
  return undefined;
}

/** An order never trades after its expiry, even while its timer has not fired. */
function checkExpiry(step: Step): string | undefined {
  for (const o of step.orders) {
    if (o.expireTime > 0 && o.expireTime <= step.time && o.lastTradeAt >= o.expireTime) {
      return `order ${o.orderId} traded after its end`;
    }
  }
  return undefined;
}

/**
 * In the end of an auction the last leg of a list may trade in part, which returns what its list held beyond it, and then
 * end, because it would trade with its own family: two releases in one step.
 */
function endsAfterFill(step: Step, kind: string, reference: number | string): boolean {
  if (kind !== 'release' || step.uncrosses.length === 0) return false;
  const order = step.orders.find(({ orderId }) => orderId === reference);
  return order?.orderListId !== 0 && order?.status === 'expired' && order.filledVolume > 0;
}
