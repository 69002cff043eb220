// The channel of a market's auction.
import { toAuction, type Auction } from '../../auctions/auction.ts';
import type { Books } from '../../books/replica.ts';
import { referenceOf, type MarketDefinition, type MarketList } from '../../markets/market.ts';
import { pushText, SharedTopic, type TopicOptions } from './shared-topic.ts';

export interface AuctionTopicOptions extends TopicOptions {
  readonly market: MarketDefinition;
  readonly books: Books;
}

/** `auction:{symbol}`: what would trade now, every second while it changes; empty outside of auctions. */
export class AuctionTopic extends SharedTopic {
  #market: MarketDefinition;
  readonly #books: Books;
  #told: Auction;

  constructor(options: AuctionTopicOptions) {
    super(options);
    this.#market = options.market;
    this.#books = options.books;
    this.#told = this.#look();
  }

  /** Every second. */
  onSecond(list: MarketList): void {
    this.#market = list.bySymbol.get(this.#market.symbol) ?? this.#market;
    if (!this.isFollowed) return;
    const auction = this.#look();
    if (contentOf(auction) === contentOf(this.#told)) return;
    this.#told = auction;
    this.publish(pushText(this.name, 'update', this.clock.now(), JSON.stringify(auction)));
  }

  #look(): Auction {
    const market = this.#market;
    const { symbol } = market;
    return toAuction(market, this.#books.findIndication(symbol, market, referenceOf(market)));
  }

  protected begin(): void {
    this.#told = this.#look();
  }

  protected printSnapshot(): string {
    return pushText(this.name, 'snapshot', this.clock.now(), JSON.stringify(this.#told));
  }
}

/** Outside of an auction the book changes all the time, and nothing of it is told. */
const contentOf = ({ updateId, ...content }: Auction): string =>
  JSON.stringify(content.phase === 'auction' ? { ...content, updateId } : content);
