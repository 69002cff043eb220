// The declarations of the public channels.
import { Type } from 'typebox';
import { Auction } from '../../auctions/auction.ts';
import { Depth } from '../../books/book.ts';
import { Candle } from '../../candles/candle.ts';
import { RESOLUTIONS, type Resolution } from '../../candles/resolution.ts';
import { BestPrice, Ticker } from '../../tickers/ticker.ts';
import { PublicTrade } from '../../trades/trade.ts';
import { Count } from '../../values.ts';
import type { Channel } from '../channel.ts';
import { TOPS, type BookKind } from './market-data.ts';
import { VenueStatus, VenueStatusChange } from './status-topic.ts';

const { symbol, updateId, bids, asks, checksum } = Depth.properties;

const DepthSnapshot = Type.Object(
  { symbol, updateId, bids, asks, checksum },
  { title: 'DepthSnapshot' },
);

const DepthUpdate = Type.Object(
  {
    symbol,
    prevUpdateId: Count('Update id of the push before; the differences lead from there.'),
    updateId,
    bids: Type.Array(bids.items, {
      description: 'Levels that changed; a volume of zero removes the level.',
    }),
    asks: Type.Array(asks.items, { description: 'Likewise.' }),
    checksum,
  },
  { title: 'DepthUpdate' },
);

const TopOfBook = Type.Object({ symbol, updateId, bids, asks }, { title: 'TopOfBook' });

/** Parts of a name are texts that the declaration has checked. */
const bookChannel = (kind: 'depth' | 'depth_fast', cadence: string): Channel => ({
  pattern: `${kind}:{symbol}`,
  access: 'public',
  summary:
    'The book, 1000 levels of each side: a snapshot first, then differences that also cover levels entering and leaving that range.',
  cadence,
  snapshot: DepthSnapshot,
  update: DepthUpdate,
  open: ({ market }, parts) => market.book(parts['symbol'] ?? '', kind),
});

export const MARKET_CHANNELS: readonly Channel[] = [
  bookChannel('depth', 'every 100 ms when it changed'),
  bookChannel('depth_fast', 'with every event of the engine that changes the book'),
  {
    pattern: 'book:{symbol}:{levels}',
    access: 'public',
    summary: 'The whole top of the book each time.',
    cadence: 'every 100 ms when it changed',
    snapshot: TopOfBook,
    update: TopOfBook,
    choices: { levels: TOPS },
    open: ({ market }, parts) => market.book(parts['symbol'] ?? '', parts['levels'] as BookKind),
  },
  {
    pattern: 'best:{symbol}',
    access: 'public',
    summary: 'The best bid and ask.',
    cadence: 'with every change of them',
    snapshot: BestPrice,
    update: BestPrice,
    open: ({ market }, parts) => market.book(parts['symbol'] ?? '', 'best'),
  },
  {
    pattern: 'trades:{symbol}',
    access: 'public',
    summary: 'The last 50 trades, oldest first, then each that is made.',
    cadence: 'with every event of the engine that has trades',
    snapshot: Type.Array(PublicTrade),
    update: Type.Array(PublicTrade),
    open: ({ market }, parts) => market.trades(parts['symbol'] ?? ''),
  },
  {
    pattern: 'ticker:{symbol}',
    access: 'public',
    summary: "A market's last 24 hours and its best prices.",
    cadence: 'every second when it changed',
    snapshot: Ticker,
    update: Ticker,
    open: ({ market }, parts) => market.ticker(parts['symbol'] ?? ''),
  },
  {
    pattern: 'tickers',
    access: 'public',
    summary: 'The tickers of all markets; after the snapshot only those that changed.',
    cadence: 'every second when one changed',
    snapshot: Type.Array(Ticker),
    update: Type.Array(Ticker),
    open: ({ market }) => market.ticker(undefined),
  },
  {
    pattern: 'candles:{symbol}:{resolution}',
    access: 'public',
    summary:
      'The candle that forms, and once more when it has closed. No snapshot before the first trade.',
    cadence: 'every second when it changed, and at its close',
    snapshot: Candle,
    update: Candle,
    choices: { resolution: RESOLUTIONS },
    open: ({ market }, parts) =>
      market.candles(parts['symbol'] ?? '', parts['resolution'] as Resolution),
  },
  {
    pattern: 'status',
    access: 'public',
    summary: 'The phase of every market, the state of the service and of the networks.',
    cadence: 'with every change of a phase; the rest every second when it changed',
    snapshot: VenueStatus,
    update: VenueStatusChange,
    open: ({ market }) => market.status(),
  },
  {
    pattern: 'auction:{symbol}',
    access: 'public',
    summary: 'What the auction of a market would trade if it ended now.',
    cadence: 'every second in an auction, when it changed',
    snapshot: Auction,
    update: Auction,
    open: ({ market }, parts) => market.auction(parts['symbol'] ?? ''),
  },
];
