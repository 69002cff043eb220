// The books as queues: every resting order at its place, with the volume it shows.
import type { LogSide } from './events.ts';

/** What only the venue knows about a resting order. */
export interface HiddenTerms {
  volume: number;
  remaining: number;
  /** The size of an iceberg's slice; zero if the order shows everything. */
  visible: number;
}

/** A resting order at its place in the queue of its level. Prices in ticks, volumes in lots. */
export interface Place {
  readonly orderId: number;
  readonly side: LogSide;
  readonly book: MarketBook;
  price: number;
  shown: number;
  /** Absent in books that were read from the log. */
  hidden: HiddenTerms | undefined;
  next: Place | undefined;
  previous: Place | undefined;
}

export interface Level {
  price: number;
  /** What all its orders show together. */
  lots: number;
  first: Place | undefined;
  last: Place | undefined;
}

/** One side of a book: levels by price, each a queue. */
export class SideBook {
  readonly side: LogSide;
  /** Prices from the worst to the best. */
  readonly #prices: number[] = [];
  readonly #levels = new Map<number, Level>();

  constructor(side: LogSide) {
    this.side = side;
  }

  get best(): Level | undefined {
    const price = this.#prices.at(-1);
    return price === undefined ? undefined : this.#levels.get(price);
  }

  /** Levels from the best price to the worst. */
  *levels(): Generator<Level> {
    for (let i = this.#prices.length - 1; i >= 0; i--) yield this.#levels.get(this.#prices[i]!)!;
  }

  /** Resting orders from the best price to the worst, each level from the front of its queue. */
  *places(): Generator<Place> {
    for (const level of this.levels()) {
      for (let place = level.first; place !== undefined; place = place.next) yield place;
    }
  }

  level(price: number): Level | undefined {
    return this.#levels.get(price);
  }

  /** The order shows another volume, at the same place. */
  show(place: Place, lots: number): void {
    this.#levels.get(place.price)!.lots += lots - place.shown;
    place.shown = lots;
  }

  get isEmpty(): boolean {
    return this.#prices.length === 0;
  }

  /** Where the price stands or belongs, counted from the worst. */
  #position(price: number): number {
    const sign = this.side === 'buy' ? 1 : -1;
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#prices[middle]! - price) * sign < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Puts the order at the back of its level. */
  join(place: Place): void {
    let level = this.#levels.get(place.price);
    if (level === undefined) {
      level = { price: place.price, lots: 0, first: undefined, last: undefined };
      this.#levels.set(place.price, level);
      this.#prices.splice(this.#position(place.price), 0, place.price);
    }
    level.lots += place.shown;
    place.previous = level.last;
    place.next = undefined;
    if (level.last === undefined) level.first = place;
    else level.last.next = place;
    level.last = place;
  }

  leave(place: Place): void {
    const level = this.#levels.get(place.price)!;
    level.lots -= place.shown;
    if (place.previous === undefined) level.first = place.next;
    else place.previous.next = place.next;
    if (place.next === undefined) level.last = place.previous;
    else place.next.previous = place.previous;
    if (level.first !== undefined) return;
    this.#levels.delete(place.price);
    this.#prices.splice(this.#position(place.price), 1);
  }

  /** Is no other order of this side to be served before it? */
  isFirst(place: Place): boolean {
    return place.previous === undefined && this.#prices.at(-1) === place.price;
  }

  /** Expresses prices and volumes in finer units. */
  rescale(byTicks: number, byLots: number): void {
    const levels = [...this.#levels.values()];
    this.#levels.clear();
    for (const level of levels) {
      level.price *= byTicks;
      level.lots *= byLots;
      this.#levels.set(level.price, level);
      for (let place = level.first; place !== undefined; place = place.next) {
        place.price *= byTicks;
        place.shown *= byLots;
        if (place.hidden === undefined) continue;
        place.hidden.volume *= byLots;
        place.hidden.remaining *= byLots;
        place.hidden.visible *= byLots;
      }
    }
    for (let i = 0; i < this.#prices.length; i++) this.#prices[i]! *= byTicks;
  }
}

export interface MarketTerms {
  symbol: string;
  base: string;
  quote: string;
  basePrecision: number;
  quotePrecision: number;
  /** In ticks. */
  listingPrice: number;
}

/** One market: its terms, phase, last price, and both sides of its book. */
export class MarketBook {
  terms: MarketTerms;
  phase = '';
  /** Of the last trade, in ticks; zero before the first. */
  lastPrice = 0;
  readonly bids = new SideBook('buy');
  readonly asks = new SideBook('sell');

  constructor(terms: MarketTerms) {
    this.terms = terms;
  }

  sideOf(side: LogSide): SideBook {
    return side === 'buy' ? this.bids : this.asks;
  }

  get isEmpty(): boolean {
    return this.bids.isEmpty && this.asks.isEmpty;
  }

  /** Last trade; before the first, the middle of the book, rounded down; else the listing price. */
  get referencePrice(): number {
    if (this.lastPrice !== 0) return this.lastPrice;
    const { best: bid } = this.bids;
    const { best: ask } = this.asks;
    if (bid !== undefined && ask !== undefined) return Math.floor((bid.price + ask.price) / 2);
    return this.terms.listingPrice;
  }

  /** Does a bid meet or pass an ask? */
  get isCrossed(): boolean {
    const { best: bid } = this.bids;
    const { best: ask } = this.asks;
    return bid !== undefined && ask !== undefined && bid.price >= ask.price;
  }

  /**
   * Takes new terms. What rests keeps its decimals, expressed in the new units; a lower precision of
   * prices forgets the last price, as the engine does.
   */
  configure(terms: MarketTerms): void {
    const moreTicks = terms.quotePrecision - this.terms.quotePrecision;
    const moreLots = terms.basePrecision - this.terms.basePrecision;
    this.terms = terms;
    if (moreTicks === 0 && moreLots === 0) return;
    const byTicks = 10 ** Math.max(0, moreTicks);
    const byLots = 10 ** Math.max(0, moreLots);
    this.bids.rescale(byTicks, byLots);
    this.asks.rescale(byTicks, byLots);
    this.lastPrice = moreTicks < 0 ? 0 : this.lastPrice * byTicks;
  }
}

/** All markets, and the number of the last trade. */
export class QueueBooks {
  tradeId: number;
  readonly markets = new Map<string, MarketBook>();
  readonly places = new Map<number, Place>();

  constructor(tradeId: number = 0) {
    this.tradeId = tradeId;
  }

  open(terms: MarketTerms): MarketBook {
    const book = new MarketBook(terms);
    this.markets.set(terms.symbol, book);
    return book;
  }

  add(
    book: MarketBook,
    order: { orderId: number; side: LogSide; price: number; shown: number },
    hidden?: HiddenTerms,
  ): Place {
    const { orderId, side, price, shown } = order;
    const place: Place = {
      orderId,
      side,
      book,
      price,
      shown,
      hidden,
      next: undefined,
      previous: undefined,
    };
    book.sideOf(side).join(place);
    this.places.set(orderId, place);
    return place;
  }

  remove(place: Place): void {
    place.book.sideOf(place.side).leave(place);
    this.places.delete(place.orderId);
  }
}
