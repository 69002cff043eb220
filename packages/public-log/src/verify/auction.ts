// Checks of one uncross: its price by the documented rule, and its trades by price and then time.
//
// An iceberg takes part with all it has, and the log shows only what was visible before and what
// traded. So the volumes here are ranges: an order that traded and left is known exactly, one that
// still rests may hide more. A fault is reported only if no hidden volume could explain the price.
import { toDecimal } from '../decimal.ts';
import type { LogSide } from '../events.ts';
import type { MarketBook, Place } from '../queues.ts';
import { fault } from './fault.ts';
import { isTrading } from './markets.ts';

/** What one order is known to have wanted. */
interface Want {
  price: number;
  lots: number;
  /** It still rests, so it may hide more. */
  open: boolean;
}

/** The wants of one side, sorted so that those served at any price are a front part of the list. */
class Curve {
  readonly #prices: number[] = [];
  readonly #lots: number[] = [0];
  readonly #firstOpen: number;
  readonly #sign: number;

  constructor(side: LogSide, wants: Want[]) {
    // Buyers from the highest price, sellers from the lowest.
    this.#sign = side === 'buy' ? -1 : 1;
    wants.sort((a, b) => (a.price - b.price) * this.#sign);
    let sum = 0;
    for (const { price, lots } of wants) {
      sum += lots;
      this.#prices.push(price);
      this.#lots.push(sum);
    }
    const open = wants.findIndex((want) => want.open);
    this.#firstOpen = open < 0 ? Infinity : open;
    if (!Number.isSafeInteger(sum)) fault('the volumes of this auction are too large to be true');
  }

  get prices(): readonly number[] {
    return this.#prices;
  }

  /** How many orders are served at a price. */
  #count(price: number): number {
    let low = 0;
    let high = this.#prices.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#prices[middle]! - price) * this.#sign <= 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  lotsAt(price: number): number {
    return this.#lots[this.#count(price)]!;
  }

  /** May an order that is served at the price hide more? */
  mayHide(price: number): boolean {
    return this.#firstOpen < this.#count(price);
  }

  isSame(one: number, other: number): boolean {
    return this.#count(one) === this.#count(other);
  }
}

interface SideOfAuction {
  /** The order that traded last: it may go on with what it hides, and show a next slice at the end. */
  current: number;
  traded: Map<number, { place: Place; lots: number }>;
}

const newSide = (): SideOfAuction => ({ current: 0, traded: new Map() });

export interface AnnouncedUncross {
  /** Zero if nothing crosses. */
  price: number;
  lots: number;
  imbalance: number;
  reference: number;
}

/** One uncross from its announcement to its last trade. */
export class AuctionCheck {
  readonly book: MarketBook;
  readonly #said: AnnouncedUncross;
  readonly #buy = newSide();
  readonly #sell = newSide();
  #traded = 0;
  /** An order ended because it met its own family: what it wanted is not known. */
  hasPrevented = false;

  constructor(book: MarketBook, said: AnnouncedUncross) {
    this.book = book;
    this.#said = said;
    const { lastPrice, terms, phase, isCrossed } = book;
    // A book that may cross has no middle.
    const reference = lastPrice === 0 ? terms.listingPrice : lastPrice;
    if (said.reference !== reference) {
      fault(
        `the reference price must be ${this.#price(reference)}, the ${lastPrice === 0 ? 'listing price' : 'last price'}, but is ${this.#price(said.reference)}`,
      );
    }
    // What gathered may have waited through a closed phase.
    const isLate = phase !== 'auction' && said.price !== 0 && !isCrossed;
    if (isTrading(phase) || isLate) {
      fault(
        `${terms.symbol} is in phase ${phase}, with nothing gathered that an uncross could end`,
      );
    }
    if (said.price !== 0) return;
    if (said.lots !== 0 || said.imbalance !== 0) {
      fault('an uncross without a price has no volume and no imbalance');
    }
    if (isCrossed) fault('bids and asks meet, so the uncross must have a price');
  }

  #price(ticks: number): string {
    return toDecimal(ticks, this.book.terms.quotePrecision);
  }

  #volume(lots: number): string {
    return toDecimal(lots, this.book.terms.basePrecision);
  }

  #side(side: LogSide): SideOfAuction {
    return side === 'buy' ? this.#buy : this.#sell;
  }

  trade(price: number, lots: number, buyId: number, sellId: number): void {
    if (price !== this.#said.price) {
      fault(
        `all trades of this uncross are at ${this.#price(this.#said.price)}, but this one is at ${this.#price(price)}`,
      );
    }
    this.#traded += lots;
    if (this.#traded > this.#said.lots) {
      fault(
        `the uncross announced ${this.#volume(this.#said.lots)}, and this trade goes beyond it`,
      );
    }
    this.#serve('buy', buyId, lots);
    this.#serve('sell', sellId, lots);
  }

  /** Demands that the order is next on its side, and counts what it traded. */
  #serve(name: LogSide, orderId: number, lots: number): void {
    const side = this.#side(name);
    const first = this.book.sideOf(name).best?.first;
    const known = side.traded.get(orderId);
    if (first?.orderId === orderId) {
      const { price } = this.#said;
      if (name === 'buy' ? first.price < price : first.price > price) {
        fault(
          `order ${orderId} would ${name} at ${this.#price(first.price)}, not at ${this.#price(price)}`,
        );
      }
      if (known === undefined) side.traded.set(orderId, { place: first, lots });
    } else if (known === undefined || side.current !== orderId) {
      fault(
        `order ${orderId} must not ${name} yet: order ${first?.orderId ?? '(none)'} is first on its side`,
      );
    }
    if (known !== undefined) known.lots += lots;
    side.current = orderId;
  }

  /** Where the order stood, if it traded; only the last one of its side can have a next slice left. */
  nextSlice(orderId: number): Place | undefined {
    for (const { traded, current } of [this.#buy, this.#sell]) {
      const known = traded.get(orderId);
      if (known === undefined) continue;
      if (current !== orderId) {
        fault(`order ${orderId} had more to trade, but others were served before it was done`);
      }
      return known.place;
    }
    return undefined;
  }

  /** Everything that was announced has traded: was the price right? */
  finish(): void {
    const { price, lots } = this.#said;
    if (this.#traded !== lots) {
      fault(
        `the uncross announced ${this.#volume(lots)}, but only ${this.#volume(this.#traded)} traded`,
      );
    }
    if (price === 0) return;
    const { bids, asks } = this.book;
    const bid = bids.best;
    const ask = asks.best;
    if (bid !== undefined && ask !== undefined && bid.price >= price && ask.price <= price) {
      fault(
        `orders ${bid.first!.orderId} and ${ask.first!.orderId} still meet at ${this.#price(price)} after the uncross`,
      );
    }
    if (!this.hasPrevented) this.#checkPrice();
  }

  #wants(side: LogSide): Want[] {
    const wants: Want[] = [];
    const { traded } = this.#side(side);
    const resting = new Set<number>();
    for (const place of this.book.sideOf(side).places()) {
      resting.add(place.orderId);
      const lots = place.shown + (traded.get(place.orderId)?.lots ?? 0);
      wants.push({ price: place.price, lots, open: true });
    }
    for (const [orderId, { place, lots }] of traded) {
      if (!resting.has(orderId)) wants.push({ price: place.price, lots, open: false });
    }
    return wants;
  }

  #checkPrice(): void {
    const { price, lots, imbalance } = this.#said;
    const demand = new Curve('buy', this.#wants('buy'));
    const supply = new Curve('sell', this.#wants('sell'));
    const left = demand.lotsAt(price) - supply.lotsAt(price);
    // What is hidden can only add to the side that is left over.
    if (left === 0 ? imbalance !== 0 : imbalance / left < 1) {
      fault(
        `at ${this.#price(price)} at least ${this.#volume(Math.abs(left))} of the ${left >= 0 ? 'buyers' : 'sellers'} is left over, but the imbalance says ${this.#volume(imbalance)}`,
      );
    }
    const hidden = Math.abs(imbalance) - Math.abs(left);
    const rules = { demand, supply, price, lots, imbalance: Math.abs(imbalance), hidden };
    for (const other of this.#candidates(demand, supply)) {
      const why = isBetter(other, rules, this.#said.reference);
      if (why !== undefined) {
        fault(
          `the uncross must be at ${this.#price(other)} and not at ${this.#price(price)}, because it ${why}`,
        );
      }
    }
  }

  /**
   * Between two orders' prices nothing changes but the distance to the reference price, so these
   * are all prices that can be the best.
   */
  #candidates(demand: Curve, supply: Curve): number[] {
    const low = supply.prices[0]!;
    const high = demand.prices[0]!;
    const found = new Set([this.#said.reference]);
    for (const price of [...demand.prices, ...supply.prices]) {
      for (const near of [price - 1, price, price + 1]) found.add(near);
    }
    return [...found].filter((price) => price >= low && price <= high).sort((a, b) => a - b);
  }
}

/** Why another price is certainly better than the one of the uncross; undefined if it may not be. */
function isBetter(
  other: number,
  rules: {
    demand: Curve;
    supply: Curve;
    price: number;
    lots: number;
    imbalance: number;
    hidden: number;
  },
  reference: number,
): string | undefined {
  const { demand, supply, price, lots, imbalance, hidden } = rules;
  if (other === price) return undefined;
  const buys = demand.lotsAt(other);
  const sells = supply.lotsAt(other);
  const least = Math.min(buys, sells);
  if (least > lots) return 'trades more';
  if (least < lots) return undefined;
  // As much trades there; what is left over is what one side wants beyond that.
  const isSame = demand.isSame(other, price) && supply.isSame(other, price);
  if (!isSame) {
    const low = Math.max(buys, sells) - lots;
    const most = (curve: Curve, known: number, isBetterPart: boolean): number => {
      if (!curve.mayHide(other)) return known;
      return isBetterPart ? known + hidden : Infinity;
    };
    // At a price that serves fewer buyers than ours, they hide no more than the imbalance tells;
    // the same holds for sellers. If one side wants more than trades, the other is exact.
    const buysMost = sells > lots ? buys : most(demand, buys, other >= price);
    const sellsMost = buys > lots ? sells : most(supply, sells, other <= price);
    const high = Math.max(buysMost, sellsMost) - lots;
    if (high < imbalance) return 'trades as much and leaves less over';
    if (low !== high || high !== imbalance) return undefined;
  }
  const distance = Math.abs(other - reference);
  const ours = Math.abs(price - reference);
  if (distance < ours)
    return 'trades and leaves over as much, and is nearer to the reference price';
  if (distance === ours && other < price) {
    return 'trades and leaves over as much, is as near to the reference price, and lower';
  }
  return undefined;
}
