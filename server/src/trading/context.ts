// What a trading route gets: the api role's context and the venue's definitions and books.
import type { KeyObject } from 'node:crypto';
import type { PublishedHead } from '../accounts/audit/head.ts';
import type { ApiContext } from '../platform/context.ts';
import type { Books } from './books/replica.ts';
import type { Engine } from './engine/door.ts';
import type { CoinList } from './coins/coin.ts';
import type { FeeTier } from './fees/tier.ts';
import type { MarketList } from './markets/market.ts';
import type { ServiceStatus } from './service/status.ts';
import type { Replica } from './replica/reader.ts';
import type { Statistics } from './tickers/access.ts';

export interface TradingContext extends ApiContext {
  readonly engine: Engine;
  /** The epoch of the current engine; zero while none is known. */
  readonly engineEpoch: () => number;
  readonly books: Books;
  /** Loads a market's book into memory; fails with the engine's error. */
  readonly loadBook: (symbol: string) => Promise<void>;
  /** Trades of the last hours and candles of the last days, in memory. */
  readonly replica: Replica;
  /** Definitions, at most a second old. */
  readonly markets: () => MarketList | Promise<MarketList>;
  readonly coins: () => CoinList | Promise<CoinList>;
  readonly feeTiers: () => readonly FeeTier[] | Promise<readonly FeeTier[]>;
  /** The last 24 hours of every market, from memory. */
  readonly statistics: () => Promise<Statistics>;
  /** The state of the service, at most a second old. */
  readonly status: () => ServiceStatus | Promise<ServiceStatus>;
  /** The newest signed head of the audit log, at most a second old; null while there is none. */
  readonly auditHead: () => PublishedHead | null | Promise<PublishedHead | null>;
  /** Signs receipts; undefined when no key is configured. */
  readonly signingKey: KeyObject | undefined;
  /** The OpenAPI document of the mounted routes, as JSON text. */
  readonly document: () => string;
}
