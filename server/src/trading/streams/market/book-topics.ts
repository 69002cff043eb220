// Channels of the book: its differences, its top, its best prices.
import type { TimedBookChange } from '@rialto/matching';
import { checksumOf, printLevels, type Precision } from '../../books/print.ts';
import { DEPTH_MAX, type Books, type BookView } from '../../books/replica.ts';
import { toBest } from '../../tickers/ticker.ts';
import { DepthView, type Differences, type Touched } from './depth-view.ts';
import { pushText, SharedTopic, type TopicOptions } from './shared-topic.ts';

export interface BookTopicOptions extends TopicOptions {
  readonly symbol: string;
  readonly precision: Precision;
  readonly books: Books;
  /** Whether the copy of the book is being fetched. */
  isLoading(): boolean;
}

/** What each channel of a book is told. */
export abstract class BookTopic extends SharedTopic {
  readonly symbol: string;
  precision: Precision;
  readonly #books: Books;
  readonly #isLoading: () => boolean;

  constructor(options: BookTopicOptions) {
    super(options);
    this.symbol = options.symbol;
    this.precision = options.precision;
    this.#books = options.books;
    this.#isLoading = options.isLoading;
  }

  /** Undefined while the copy may lack something. */
  protected get book(): BookView | undefined {
    return this.#isLoading() ? undefined : this.latest;
  }

  /** The copy as it is, also while it is fetched anew. */
  protected get latest(): BookView {
    return this.#books.view(this.symbol, this.precision) ?? { ...NOTHING, ...this.precision };
  }

  protected get best() {
    return this.#books.findBest(this.symbol, this.precision);
  }

  abstract onChange(change: TimedBookChange): void;
  abstract onReset(): void;
  /** Every 100 ms. */
  abstract onTick(): void;
}

const NOTHING = { updateId: 0, time: 0, sides: { bids: [], asks: [] } };

/** `depth` and `depth_fast`: a snapshot, then differences. */
export class DepthTopic extends BookTopic {
  readonly #isFast: boolean;
  readonly #touched: Touched = { bids: new Set(), asks: new Set() };
  #view: DepthView | undefined;
  #timeMs = 0;

  constructor({ isFast, ...options }: BookTopicOptions & { readonly isFast: boolean }) {
    super(options);
    this.#isFast = isFast;
  }

  onChange({ levels }: TimedBookChange): void {
    if (!this.isFollowed) return;
    for (const { side, priceTicks } of levels) {
      this.#touched[side === 'buy' ? 'bids' : 'asks'].add(priceTicks);
    }
    if (this.#isFast) this.#push();
  }

  onTick(): void {
    if (this.isFollowed) this.#push();
  }

  onReset(): void {
    if (!this.isFollowed) return;
    this.begin();
    this.publishSnapshot();
  }

  #push(): void {
    const { book } = this;
    const view = this.#view;
    if (book === undefined || view === undefined) return;
    if (!view.leadsTo(book)) return this.onReset();
    if (book.updateId === view.updateId) return;
    const differences = view.follow(book, this.#touched);
    this.#forget();
    this.#timeMs = book.time;
    this.publish(
      pushText(this.name, 'update', book.time, this.#print(view, differences)),
      book.time,
    );
  }

  protected begin(): void {
    const { latest } = this;
    this.#view = new DepthView(latest);
    this.#timeMs = latest.time;
    this.#forget();
  }

  #forget(): void {
    this.#touched.bids.clear();
    this.#touched.asks.clear();
  }

  #print(view: DepthView, { prevUpdateId, updateId, bids, asks }: Differences): string {
    const sides = `"bids":${printLevels(view, bids, Infinity)},"asks":${printLevels(view, asks, Infinity)}`;
    const checksum = checksumOf(view, view.sides);
    return `{"symbol":"${this.symbol}","prevUpdateId":"${prevUpdateId}","updateId":"${updateId}",${sides},"checksum":"${checksum}"}`;
  }

  protected printSnapshot(): string | undefined {
    const view = this.#view;
    if (view === undefined) return undefined;
    const { bids, asks } = view.sides;
    const sides = `"bids":${printLevels(view, bids, DEPTH_MAX)},"asks":${printLevels(view, asks, DEPTH_MAX)}`;
    const data = `{"symbol":"${this.symbol}","updateId":"${view.updateId}",${sides},"checksum":"${checksumOf(view, view.sides)}"}`;
    return pushText(this.name, 'snapshot', this.#timeMs, data);
  }
}

/** A channel whose every push is the whole of a small state, sent when it differs from the one before. */
abstract class StateTopic extends BookTopic {
  #data = '';
  #timeMs = 0;

  protected abstract printData(book: BookView): string;

  protected pushChanged(): void {
    const { book } = this;
    if (!this.isFollowed || book === undefined) return;
    const data = this.printData(book);
    if (withoutId(data) === withoutId(this.#data)) return;
    this.#data = data;
    this.#timeMs = book.time;
    this.publish(pushText(this.name, 'update', book.time, data), book.time);
  }

  protected begin(): void {
    const { latest } = this;
    this.#data = this.printData(latest);
    this.#timeMs = latest.time;
  }

  protected printSnapshot(): string {
    return pushText(this.name, 'snapshot', this.#timeMs, this.#data);
  }
}

/** A change elsewhere in the book counts the update id on, and is no change here. */
const withoutId = (data: string): string => data.replace(/"updateId":"\d+"/, '');

/** `book:{symbol}:{levels}`: the whole top of the book, every 100 ms if it changed. */
export class TopTopic extends StateTopic {
  readonly #levels: number;
  #isTouched = false;

  constructor({ levels, ...options }: BookTopicOptions & { readonly levels: number }) {
    super(options);
    this.#levels = levels;
  }

  onChange(): void {
    this.#isTouched = true;
  }

  onReset(): void {
    this.#isTouched = true;
  }

  onTick(): void {
    if (!this.#isTouched || this.book === undefined) return;
    this.#isTouched = false;
    this.pushChanged();
  }

  protected printData(book: BookView): string {
    const bids = printLevels(book, book.sides.bids, this.#levels);
    const asks = printLevels(book, book.sides.asks, this.#levels);
    return `{"symbol":"${this.symbol}","updateId":"${book.updateId}","bids":${bids},"asks":${asks}}`;
  }
}

/** `best:{symbol}`: the best prices, with every change of them. */
export class BestTopic extends StateTopic {
  onChange(): void {
    this.pushChanged();
  }

  onReset(): void {
    this.pushChanged();
  }

  onTick(): void {}

  protected printData({ updateId }: BookView): string {
    return JSON.stringify({
      symbol: this.symbol,
      ...toBest(this.best),
      updateId: String(updateId),
    });
  }
}
