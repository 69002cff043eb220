// The rules of the venue, applied to one event after the other: price, then time, and nothing that the
// books do not allow.
import { bookText } from '../books.ts';
import { sha256Hex } from '../chain.ts';
import { toDecimal } from '../decimal.ts';
import type { LogSide, PublicEvent } from '../events.ts';
import type { MarketBook, Place, QueueBooks } from '../queues.ts';
import { AuctionCheck } from './auction.ts';
import { exactDecimal, fault, positiveDecimal, wholeNumber } from './fault.ts';
import { checkTerms, isOpen, isPhase, isTrading } from './markets.ts';
import { SeenIds } from './seen.ts';
import { newStep } from './step.ts';
import type { OpenStep } from './step.ts';

type Event<T extends PublicEvent['type']> = Extract<PublicEvent, { type: T }>;

const REASONS: ReadonlySet<string> = new Set(['canceled', 'expired', 'amended', 'prevented']);

const opposite = (side: LogSide): LogSide => (side === 'buy' ? 'sell' : 'buy');

/** Checks every event against the books, and keeps the books. Throws a `LogFault`. */
export class Rules {
  readonly books: QueueBooks;
  /** Where the counting stands: nothing before this step, and nothing of it, may follow. */
  #step: OpenStep;
  readonly #gone = new SeenIds();

  /** The books at a checkpoint, and the step and time that it names. */
  constructor(books: QueueBooks, engineSeq: number, time: number) {
    this.books = books;
    this.#step = newStep(engineSeq, time);
    this.#step.isOver = true;
  }

  take(event: PublicEvent, line: number): void {
    const time = wholeNumber('time', event.time);
    if (time < this.#step.time) {
      fault(`time must not run back: ${time} comes after ${this.#step.time}`);
    }
    if (event.type === 'market_phase') {
      this.closeStep();
      this.#phase(event);
      this.#step.time = time;
      this.#step.line = line;
      return;
    }
    this.#enterStep(wholeNumber('engineSeq', event.engineSeq), time, event.type === 'checkpoint');
    const { usedUp } = this.#step;
    this.#step.usedUp = [];
    switch (event.type) {
      case 'market':
        this.#market(event);
        break;
      case 'add':
        this.#add(event, usedUp);
        break;
      case 'reduce':
        this.#reduce(event);
        break;
      case 'remove':
        this.#remove(event);
        break;
      case 'trade':
        this.#trade(event);
        break;
      case 'uncross':
        this.#uncross(event);
        break;
      case 'checkpoint':
        this.#checkpoint(event);
        break;
    }
    this.#step.line = line;
  }

  #enterStep(engineSeq: number, time: number, isCheckpoint: boolean): void {
    const step = this.#step;
    if (engineSeq < step.engineSeq) {
      fault(`engineSeq must not fall: ${engineSeq} comes after ${step.engineSeq}`);
    }
    if (isCheckpoint) {
      // It speaks of the last step that ended, whether that one changed a book or not.
      this.closeStep();
      this.#step.engineSeq = engineSeq;
      this.#step.time = time;
      return;
    }
    if (engineSeq === step.engineSeq) {
      if (step.isOver)
        fault(`step ${engineSeq} was over, so the next event must be of a later step`);
      if (time !== step.time) {
        fault(`all of step ${engineSeq} happened at ${step.time}, but this says ${time}`);
      }
      return;
    }
    this.closeStep();
    this.#step = newStep(engineSeq, time);
  }

  /** What must hold when a step has ended. The fault lies with its last line. */
  closeStep(): void {
    const step = this.#step;
    if (step.isOver) return;
    step.isOver = true;
    try {
      step.auction?.finish();
    } catch (error) {
      fault((error as Error).message, step.line);
    }
    step.auction = undefined;
    this.checkCrossed();
  }

  /** No bid may stand at or above an ask where orders trade as they come. */
  checkCrossed(): void {
    for (const book of this.#step.changed) {
      if (!isTrading(book.phase) || !book.isCrossed) continue;
      const bid = book.bids.best!.first!;
      const ask = book.asks.best!.first!;
      fault(
        `after step ${this.#step.engineSeq} the bid of order ${bid.orderId} at ${this.#price(book, bid.price)} meets the ask of order ${ask.orderId} at ${this.#price(book, ask.price)}: they should have traded`,
        this.#step.line,
      );
    }
  }

  #price(book: MarketBook, ticks: number): string {
    return toDecimal(ticks, book.terms.quotePrecision);
  }

  #book(symbol: string): MarketBook {
    return this.books.markets.get(symbol) ?? fault(`market ${symbol} was never listed`);
  }

  /** A resting order of the market. */
  #place(orderId: string, symbol: string): Place {
    const book = this.#book(symbol);
    const place = this.books.places.get(wholeNumber('orderId', orderId));
    if (place?.book !== book) fault(`order ${orderId} does not rest in the book of ${symbol}`);
    return place;
  }

  #market(event: Event<'market'>): void {
    const terms = checkTerms(event);
    const book = this.books.markets.get(terms.symbol);
    if (book === undefined) {
      this.books.open(terms);
      return;
    }
    if (book.terms.base !== terms.base || book.terms.quote !== terms.quote) {
      fault(`market ${terms.symbol} trades ${book.terms.base} for ${book.terms.quote} for ever`);
    }
    const isLower =
      terms.basePrecision < book.terms.basePrecision ||
      terms.quotePrecision < book.terms.quotePrecision;
    if (isLower && !book.isEmpty) {
      fault(`the precision of ${terms.symbol} must not be lowered while orders rest there`);
    }
    book.configure(terms);
    for (const side of [book.bids, book.asks]) {
      for (const { price, lots } of side.levels()) {
        if (!Number.isSafeInteger(price) || !Number.isSafeInteger(lots)) {
          fault(`with this precision, what rests in ${terms.symbol} has too many digits`);
        }
      }
    }
  }

  #phase({ symbol, phase }: Event<'market_phase'>): void {
    const book = this.#book(symbol);
    if (!isPhase(phase)) fault(`there is no phase "${phase}"`);
    if (book.phase === 'delisted') fault(`${symbol} is delisted, and stays so`);
    book.phase = phase;
  }

  #add(event: Event<'add'>, usedUp: readonly Place[]): void {
    const { symbol, side } = event;
    const book = this.#book(symbol);
    const { quotePrecision, basePrecision } = book.terms;
    const orderId = wholeNumber('orderId', event.orderId);
    const price = positiveDecimal('price', event.price, quotePrecision);
    const shown = positiveDecimal('volume', event.volume, basePrecision);
    if (side !== 'buy' && side !== 'sell') fault(`a side is buy or sell, not "${String(side)}"`);
    if (this.books.places.has(orderId)) fault(`order ${orderId} rests already`);
    const next = this.#nextSlice(orderId, usedUp);
    if (next !== undefined) this.#checkSlice(next, book, side, price);
    else this.#checkJoining(orderId, book, side, price);
    this.books.add(book, { orderId, side, price, shown });
    if (!Number.isSafeInteger(book.sideOf(side).level(price)!.lots)) {
      fault('the volume of this level is too large to be true');
    }
    this.#step.changed.add(book);
  }

  /** The order that shows its next slice with this event, if it is one. */
  #nextSlice(orderId: number, usedUp: readonly Place[]): Place | undefined {
    const { auction } = this.#step;
    return auction === undefined
      ? usedUp.find((place) => place.orderId === orderId)
      : auction.nextSlice(orderId);
  }

  #checkSlice(old: Place, book: MarketBook, side: LogSide, price: number): void {
    if (old.book === book && old.side === side && old.price === price) return;
    fault(
      `the next slice of order ${old.orderId} must join the level it left, to ${old.side} at ${this.#price(old.book, old.price)}`,
    );
  }

  #checkJoining(orderId: number, book: MarketBook, side: LogSide, price: number): void {
    const { symbol } = book.terms;
    const { taker, amended } = this.#step;
    if (!isOpen(book.phase)) fault(`${symbol} is in phase ${book.phase}, and takes no orders`);
    const isTaker = taker?.orderId === orderId;
    const before = amended.get(orderId);
    if (before !== undefined && before !== side) {
      fault(`order ${orderId} was to ${before}, and an amendment does not change that`);
    }
    if (this.#gone.has(orderId) && before === undefined && !isTaker) {
      fault(
        `order ${orderId} has left the book before: it comes back only at once, as the next slice of an iceberg, or in the step of its amendment`,
      );
    }
    if (!isTaker) return;
    if (taker.side !== side || taker.book !== book) {
      fault(`order ${orderId} traded to ${taker.side} in ${taker.book.terms.symbol} in this step`);
    }
    if (side === 'buy' ? price < taker.worst : price > taker.worst) {
      fault(
        `order ${orderId} rests at ${this.#price(book, price)}, but traded at ${this.#price(book, taker.worst)}, which is worse than its limit`,
      );
    }
  }

  #reduce(event: Event<'reduce'>): void {
    const place = this.#place(event.orderId, event.symbol);
    const { basePrecision } = place.book.terms;
    const volume = positiveDecimal('volume', event.volume, basePrecision);
    if (volume >= place.shown) {
      fault(
        `order ${event.orderId} shows ${toDecimal(place.shown, basePrecision)}: at its place it can only show less, not ${event.volume}`,
      );
    }
    place.book.sideOf(place.side).show(place, volume);
  }

  #remove(event: Event<'remove'>): void {
    const { orderId, symbol, reason } = event;
    const place = this.#place(orderId, symbol);
    if (!REASONS.has(reason))
      fault(
        `an order is removed because it is canceled, expired, amended or prevented, not "${reason}"`,
      );
    const { auction } = this.#step;
    if (reason === 'amended') {
      if (!isOpen(place.book.phase)) {
        fault(`${symbol} is in phase ${place.book.phase}, and takes no amendments`);
      }
      this.#step.amended.set(place.orderId, place.side);
    } else if (reason === 'prevented' && auction?.book === place.book) {
      auction.hasPrevented = true;
    }
    this.#leave(place);
  }

  #leave(place: Place): void {
    this.#gone.add(place.orderId);
    this.books.remove(place);
  }

  #trade(event: Event<'trade'>): void {
    const book = this.#book(event.symbol);
    const { quotePrecision, basePrecision } = book.terms;
    const price = positiveDecimal('price', event.price, quotePrecision);
    const lots = positiveDecimal('volume', event.volume, basePrecision);
    const tradeId = wholeNumber('tradeId', event.tradeId);
    if (tradeId !== this.books.tradeId + 1) {
      fault(`the next trade must have the id ${this.books.tradeId + 1}, but this has ${tradeId}`);
    }
    const buyId = wholeNumber('buyOrderId', event.buyOrderId);
    const sellId = wholeNumber('sellOrderId', event.sellOrderId);
    if (buyId === sellId) fault(`order ${buyId} cannot trade with itself`);
    const { takerSide } = event;
    if (takerSide === '') this.#tradeInAuction(book, price, lots, buyId, sellId);
    else if (takerSide === 'buy') this.#take(book, takerSide, buyId, sellId, price, lots);
    else if (takerSide === 'sell') this.#take(book, takerSide, sellId, buyId, price, lots);
    else fault(`takerSide is buy, sell or empty, not "${String(takerSide)}"`);
    this.books.tradeId = tradeId;
    book.lastPrice = price;
    this.#step.changed.add(book);
  }

  /** An incoming order trades with the order that is first on the other side. */
  #take(
    book: MarketBook,
    side: LogSide,
    takerId: number,
    makerId: number,
    price: number,
    lots: number,
  ): void {
    const { symbol, basePrecision } = book.terms;
    const step = this.#step;
    if (book.phase !== 'continuous') {
      fault(`${symbol} is in phase ${book.phase}, in which nothing trades`);
    }
    if (step.auction !== undefined) fault('the trades of an uncross have an empty takerSide');
    if (this.books.places.has(takerId)) {
      fault(`order ${takerId} rests, so it cannot be the one that takes`);
    }
    if (step.taker !== undefined && (step.taker.orderId !== takerId || step.taker.side !== side)) {
      fault(`order ${step.taker.orderId} takes in this step, so order ${takerId} cannot`);
    }
    const maker = this.books.places.get(makerId);
    if (maker?.book !== book || maker.side === side) {
      fault(`order ${makerId} does not rest on the side to ${opposite(side)} of ${symbol}`);
    }
    const first = book.sideOf(maker.side).best!.first!;
    if (first.price !== maker.price) {
      fault(
        `order ${first.orderId} at ${this.#price(book, first.price)} has the better price and must trade before order ${makerId} at ${this.#price(book, maker.price)}`,
      );
    }
    if (first !== maker) {
      fault(
        `order ${first.orderId} came before order ${makerId} at the same price and must trade first`,
      );
    }
    if (price !== maker.price) {
      fault(
        `a trade is at the price of the resting order ${makerId}, ${this.#price(book, maker.price)}, not at ${this.#price(book, price)}`,
      );
    }
    if (lots > maker.shown) {
      fault(
        `order ${makerId} shows ${toDecimal(maker.shown, basePrecision)}, so ${toDecimal(lots, basePrecision)} cannot trade with it at once`,
      );
    }
    // Prices only get worse while an order goes through the book.
    step.taker = { orderId: takerId, side, book, worst: price };
    this.#gone.add(takerId);
    this.#shrink(maker, lots);
  }

  #shrink(place: Place, lots: number): void {
    if (lots < place.shown) {
      place.book.sideOf(place.side).show(place, place.shown - lots);
      return;
    }
    this.#leave(place);
    this.#step.usedUp.push(place);
  }

  #uncross(event: Event<'uncross'>): void {
    const step = this.#step;
    const book = this.#book(event.symbol);
    const { quotePrecision, basePrecision } = book.terms;
    step.auction?.finish();
    if (step.taker !== undefined) fault('an uncross has a step of its own');
    step.auction = new AuctionCheck(book, {
      price: event.price === '' ? 0 : positiveDecimal('price', event.price, quotePrecision),
      lots: exactDecimal('volume', event.volume, basePrecision),
      imbalance: exactDecimal('imbalance', event.imbalance, basePrecision),
      reference: positiveDecimal('referencePrice', event.referencePrice, quotePrecision),
    });
  }

  #tradeInAuction(
    book: MarketBook,
    price: number,
    lots: number,
    buyId: number,
    sellId: number,
  ): void {
    const { auction } = this.#step;
    if (auction?.book !== book) {
      fault('a trade without a takerSide must follow the uncross of its market in the same step');
    }
    auction.trade(price, lots, buyId, sellId);
    for (const id of [buyId, sellId]) {
      const place = this.books.places.get(id);
      if (place !== undefined) this.#shrink(place, lots);
    }
  }

  #checkpoint({ bookHash }: Event<'checkpoint'>): void {
    const mine = sha256Hex(bookText(this.books));
    if (mine !== bookHash) {
      fault(
        `the events up to here lead to books with the hash ${mine}, but the checkpoint says ${bookHash}`,
      );
    }
  }
}
