// From the steps of the core to the events of the public log.
import type { MarketConfig, Order, Step, Trade } from '@rialto/matching';
import { toDecimal } from './decimal.ts';
import type { LogSide, PublicEvent, RemoveReason } from './events.ts';
import { FINAL, losesPlace, removeReason, sliceOf, termsOf } from './orders.ts';
import { QueueBooks } from './queues.ts';
import type { MarketBook, Place } from './queues.ts';

/**
 * Follows the queue of every market, hidden volumes included, and says what a step did to the
 * visible books. It throws where a step cannot be explained; the books may then be half changed.
 */
export class Recorder {
  readonly books: QueueBooks;

  /** The books as they stand: of an empty venue, or what `readQueues` found in a snapshot. */
  constructor(books: QueueBooks = new QueueBooks()) {
    this.books = books;
  }

  take(step: Step): PublicEvent[] {
    const record = new StepRecord(this.books, step);
    record.write();
    return record.events;
  }
}

/** The work on one step. */
class StepRecord {
  readonly events: PublicEvent[] = [];
  readonly #books: QueueBooks;
  readonly #step: Step;
  readonly #time: string;
  readonly #engineSeq: string;
  /** The orders that the step changed, as it left them. */
  readonly #after = new Map<number, Order>();
  /** Levels from which an order went in this step, as symbol, side and price. */
  readonly #left = new Set<string>();
  /** Orders that traded all they had in this step. */
  readonly #filled = new Set<number>();

  constructor(books: QueueBooks, step: Step) {
    this.#books = books;
    this.#step = step;
    this.#time = String(step.time);
    this.#engineSeq = String(step.engineSeq);
    for (const order of step.orders) this.#after.set(order.orderId, order);
  }

  /** Markets first, then what traded, then where the other orders stand, and the phase at last. */
  write(): void {
    const step = this.#step;
    for (const config of step.markets) this.#market(config);
    if (step.uncrosses.length === 0) for (const trade of step.trades) this.#trade(trade);
    else this.#auction();
    for (const order of step.orders) this.#settle(order);
    for (const { symbol, phase } of step.phases) {
      this.#book(symbol).phase = phase;
      this.events.push({ time: this.#time, type: 'market_phase', symbol, phase });
    }
    this.#checkLevels();
  }

  #fail(what: string): never {
    throw new Error(`Step ${this.#engineSeq} cannot be explained: ${what}.`);
  }

  #book(symbol: string): MarketBook {
    return this.#books.markets.get(symbol) ?? this.#fail(`market ${symbol} is not listed`);
  }

  #market(config: MarketConfig): void {
    const terms = termsOf(config);
    const book = this.#books.markets.get(config.symbol);
    const same =
      book !== undefined &&
      book.terms.basePrecision === terms.basePrecision &&
      book.terms.quotePrecision === terms.quotePrecision &&
      book.terms.listingPrice === terms.listingPrice;
    if (same) return;
    if (book === undefined) this.#books.open(terms);
    else book.configure(terms);
    this.events.push({
      time: this.#time,
      type: 'market',
      engineSeq: this.#engineSeq,
      symbol: terms.symbol,
      base: terms.base,
      quote: terms.quote,
      basePrecision: String(terms.basePrecision),
      quotePrecision: String(terms.quotePrecision),
      listingPrice: toDecimal(terms.listingPrice, terms.quotePrecision),
    });
  }

  /**
   * The end of an auction. Orders that met their own family have ended, and the rest may have met again at
   * another price, so there can be several rounds.
   */
  #auction(): void {
    // Orders whose time had run out take no part, so they go first.
    this.#removeEnded('gtd');
    const trades = this.#step.trades.values();
    for (const uncross of this.#step.uncrosses) {
      if (uncross.lots === 0) this.#removeEnded('stp');
      const book = this.#book(uncross.symbol);
      const { quotePrecision, basePrecision } = book.terms;
      this.events.push({
        time: this.#time,
        type: 'uncross',
        engineSeq: this.#engineSeq,
        symbol: uncross.symbol,
        price: uncross.priceTicks === 0 ? '' : toDecimal(uncross.priceTicks, quotePrecision),
        volume: toDecimal(uncross.lots, basePrecision),
        imbalance: toDecimal(uncross.imbalanceLots, basePrecision),
        referencePrice: toDecimal(uncross.referenceTicks, quotePrecision),
      });
      let { lots } = uncross;
      while (lots > 0) {
        const trade = trades.next().value ?? this.#fail('an uncross has too few trades');
        this.#uncrossTrade(trade);
        lots -= trade.lots;
      }
      if (uncross.lots > 0) this.#removePrevented(book, uncross.priceTicks);
      // Only the order that traded last can have something left without showing it.
      for (const side of [book.bids, book.asks]) {
        const place = side.best?.first;
        if (place?.shown === 0) this.#showNext(place);
      }
    }
    if (trades.next().done !== true) this.#fail('there are trades beside those of the uncross');
  }

  /** What still meets at the price of a round is of one family, and the younger order has ended. */
  #removePrevented({ bids, asks }: MarketBook, price: number): void {
    for (;;) {
      const bid = bids.best?.first;
      const ask = asks.best?.first;
      if (bid === undefined || ask === undefined || bid.price < price || ask.price > price) return;
      const younger = bid.orderId > ask.orderId ? bid : ask;
      const order = this.#after.get(younger.orderId);
      if (order?.status !== 'expired') this.#fail(`order ${younger.orderId} was left out`);
      this.#remove(younger, removeReason(order));
    }
  }

  #removeEnded(reason: Order['statusReason']): void {
    for (const order of this.#step.orders) {
      const place = this.#books.places.get(order.orderId);
      if (place === undefined || order.status !== 'expired') continue;
      if (order.statusReason === reason) this.#remove(place, removeReason(order));
    }
  }

  /** A trade of an incoming order with the first order of the other side. */
  #trade(trade: Trade): void {
    const { takerSide, buyer, seller } = trade;
    const [taker, maker] = takerSide === 'buy' ? [buyer, seller] : [seller, buyer];
    const resting = this.#books.places.get(taker.orderId);
    // It gave up its place for a price that takes.
    if (resting !== undefined) this.#remove(resting, 'amended');
    const place = this.#bringForward(maker.orderId);
    if (place.price !== trade.priceTicks) this.#fail(`trade ${trade.tradeId} has another price`);
    this.#writeTrade(trade, takerSide);
    this.#fill(place, trade.lots);
  }

  /** A trade of an uncross, between the first orders of both sides. */
  #uncrossTrade(trade: Trade): void {
    const buy = this.#bringForward(trade.buyer.orderId);
    const sell = this.#bringForward(trade.seller.orderId);
    this.#writeTrade(trade, '');
    this.#uncrossFill(buy, trade.lots);
    this.#uncrossFill(sell, trade.lots);
  }

  /** An iceberg takes part with all it has, and stays in front until that is done. */
  #uncrossFill(place: Place, lots: number): void {
    const hidden = place.hidden!;
    if (lots > hidden.remaining) this.#fail(`order ${place.orderId} traded too much`);
    hidden.remaining -= lots;
    place.book.sideOf(place.side).show(place, Math.max(0, place.shown - lots));
    if (hidden.remaining > 0) return;
    this.#leave(place);
    this.#filled.add(place.orderId);
  }

  /** The order, after everything in front of it that ended in this step has gone. */
  #bringForward(orderId: number): Place {
    const place =
      this.#books.places.get(orderId) ?? this.#fail(`order ${orderId} trades, but does not rest`);
    const side = place.book.sideOf(place.side);
    while (!side.isFirst(place)) {
      const ahead = side.best!.first!;
      const order = this.#after.get(ahead.orderId);
      if (order === undefined) {
        this.#fail(`order ${orderId} traded before ${ahead.orderId}, which stood in front of it`);
      }
      if (FINAL.has(order.status)) this.#remove(ahead, removeReason(order));
      else if (losesPlace(order, ahead)) this.#remove(ahead, 'amended');
      else this.#fail(`order ${orderId} traded before ${ahead.orderId}, which kept its place`);
    }
    return place;
  }

  #writeTrade(trade: Trade, takerSide: LogSide | ''): void {
    const { symbol, tradeId, priceTicks, lots, buyer, seller } = trade;
    const book = this.#book(symbol);
    const { quotePrecision, basePrecision } = book.terms;
    if (trade.priceDecimals !== quotePrecision || trade.volumeDecimals !== basePrecision) {
      this.#fail(`trade ${tradeId} has another precision than its market`);
    }
    if (tradeId !== this.#books.tradeId + 1) this.#fail(`trade ${tradeId} is not the next one`);
    this.#books.tradeId = tradeId;
    book.lastPrice = priceTicks;
    this.events.push({
      time: this.#time,
      type: 'trade',
      engineSeq: this.#engineSeq,
      symbol,
      tradeId: String(tradeId),
      price: toDecimal(priceTicks, quotePrecision),
      volume: toDecimal(lots, basePrecision),
      takerSide,
      buyOrderId: String(buyer.orderId),
      sellOrderId: String(seller.orderId),
    });
  }

  /** Takes what traded off a resting order; an iceberg shows its next slice at the back. */
  #fill(place: Place, lots: number): void {
    const { orderId, side, book } = place;
    const hidden = place.hidden!;
    if (lots > place.shown) this.#fail(`order ${orderId} traded more than it showed`);
    hidden.remaining -= lots;
    if (lots < place.shown) {
      book.sideOf(side).show(place, place.shown - lots);
      return;
    }
    if (hidden.remaining > 0) {
      this.#showNext(place);
      return;
    }
    this.#leave(place);
    this.#filled.add(orderId);
  }

  /** An iceberg shows its next slice, at the back of its level. */
  #showNext(place: Place): void {
    const { orderId, side, price, book } = place;
    const hidden = place.hidden!;
    this.#leave(place);
    const shown = sliceOf(hidden.visible, hidden.remaining);
    this.#add(book, { orderId, side, price, shown }, hidden);
  }

  /** Brings a changed order to where the step left it. */
  #settle(order: Order): void {
    const place = this.#books.places.get(order.orderId);
    if (place === undefined) {
      if (FINAL.has(order.status)) return;
      if (this.#filled.has(order.orderId)) this.#fail(`order ${order.orderId} traded too much`);
      if (this.#rests(order)) this.#join(order);
      return;
    }
    if (FINAL.has(order.status)) {
      if (order.status === 'filled') this.#fail(`order ${order.orderId} is filled, but rests`);
      this.#remove(place, removeReason(order));
      return;
    }
    this.#checkPrecision(order);
    if (losesPlace(order, place)) {
      this.#remove(place, 'amended');
      this.#join(order);
      return;
    }
    const hidden = place.hidden!;
    const remaining = order.remainingVolume;
    if (remaining > hidden.remaining) this.#fail(`order ${order.orderId} grew at its place`);
    hidden.volume = order.volume;
    hidden.remaining = remaining;
    if (place.shown <= remaining) return;
    place.book.sideOf(place.side).show(place, remaining);
    this.events.push({
      time: this.#time,
      type: 'reduce',
      engineSeq: this.#engineSeq,
      symbol: order.symbol,
      orderId: String(order.orderId),
      volume: toDecimal(remaining, order.volumeDecimals),
    });
  }

  /**
   * A live order may wait for its trigger, or for its turn in a batch that was accepted as a whole.
   * One that joins changes the volume of its level, unless another one left that level.
   */
  #rests(order: Order): boolean {
    const { symbol, side, price, status } = order;
    if (status === 'pending') return false;
    if (this.#left.has(`${symbol} ${side} ${price}`)) return true;
    return this.#step.books.some(
      (change) =>
        change.symbol === symbol &&
        change.levels.some((level) => level.side === side && level.priceTicks === price),
    );
  }

  #checkPrecision({ symbol, orderId, priceDecimals, volumeDecimals }: Order): void {
    const { quotePrecision, basePrecision } = this.#book(symbol).terms;
    if (priceDecimals !== quotePrecision || volumeDecimals !== basePrecision) {
      this.#fail(`order ${orderId} has another precision than its market`);
    }
  }

  #join(order: Order): void {
    const { orderId, side, price, volume } = order;
    this.#checkPrecision(order);
    const remaining = order.remainingVolume;
    const visible = order.visibleVolume;
    const shown = sliceOf(visible, remaining);
    this.#add(
      this.#book(order.symbol),
      { orderId, side, price, shown },
      {
        volume,
        remaining,
        visible,
      },
    );
  }

  #add(
    book: MarketBook,
    order: { orderId: number; side: LogSide; price: number; shown: number },
    hidden: NonNullable<Place['hidden']>,
  ): void {
    this.#books.add(book, order, hidden);
    const { symbol, quotePrecision, basePrecision } = book.terms;
    this.events.push({
      time: this.#time,
      type: 'add',
      engineSeq: this.#engineSeq,
      symbol,
      orderId: String(order.orderId),
      side: order.side,
      price: toDecimal(order.price, quotePrecision),
      volume: toDecimal(order.shown, basePrecision),
    });
  }

  #leave(place: Place): void {
    this.#left.add(`${place.book.terms.symbol} ${place.side} ${place.price}`);
    this.#books.remove(place);
  }

  #remove(given: Place, reason: RemoveReason): void {
    let place = given;
    // It has traded what it showed, so for a reader of the log it is gone already.
    if (place.shown === 0) {
      this.#showNext(place);
      place = this.#books.places.get(place.orderId)!;
    }
    this.#leave(place);
    this.events.push({
      time: this.#time,
      type: 'remove',
      engineSeq: this.#engineSeq,
      symbol: place.book.terms.symbol,
      orderId: String(place.orderId),
      reason,
    });
  }

  /** The levels that the core says it changed must show the same volume here. */
  #checkLevels(): void {
    for (const { symbol, levels } of this.#step.books) {
      const book = this.#book(symbol);
      for (const { side, priceTicks, lots } of levels) {
        const mine = book.sideOf(side).level(priceTicks)?.lots ?? 0;
        if (mine !== lots) {
          this.#fail(`${symbol} shows ${lots} lots to ${side} at ${priceTicks}, not ${mine}`);
        }
      }
    }
  }
}
