// Fills the memory of the markets with what the tables have, as one state of them.
import type { Db } from '../../platform/db/pool.ts';
import { listKept } from '../candles/access.ts';
import { KEPT_MINUTES } from '../candles/resolution.ts';
import { listMarkets } from '../markets/access.ts';
import type { History, Reached } from '../projections/access.ts';
import type { Stretch } from '../trade-tables.ts';
import { listTape } from '../trades/access.ts';
import {
  Memory,
  startOfKept,
  type Limits,
  type MarketMemory,
  type OlderTrades,
  type RecentTrade,
} from './fold.ts';

/** Trades of each market that are read at the start: a longest page. More gather as they come. */
const TRADES_READ = 1000;
/** No trade has a greater id. */
const LAST_ID = 2n ** 62n;

/** `reached` is how far the tables are. */
export async function fillFromTables(
  history: History,
  limits: Limits,
  reached: Reached,
  nowMs: number,
): Promise<Memory> {
  const { db } = history;
  const memory = new Memory(limits, reached);
  const { engineSeq } = reached;
  const limit = Math.min(TRADES_READ, limits.tradesMax);
  for (const { symbol, quotePrecision } of await listMarkets(db)) {
    // Days in files are left there: a start needs no file store, and reads no file for each market that rests.
    let inFiles: Stretch | undefined;
    const stopAtArchive = (day: Stretch) => (inFiles = day);
    // One more says whether there are older ones.
    const newest = { symbol, limit: limit + 1, sort: 'desc', stopAtArchive } as const;
    const found = await listTape(history, newest);
    const trades = found.map((trade) => ({ ...trade, symbol, engineSeq }));
    const market = memory.market(symbol);
    market.quotePrecision = quotePrecision;
    market.trades.push(...trades.slice(0, limit).reverse());
    market.olderTrades = trades[limit] ?? olderInFiles(market.trades[0], inFiles, engineSeq);
    await fillCandles(db, symbol, market, { engineSeq, nowMs });
  }
  return memory;
}

/** Some older trade is in a file: where one can be at most, which is all that a reader needs to know. */
function olderInFiles(
  first: RecentTrade | undefined,
  inFiles: Stretch | undefined,
  engineSeq: number,
): OlderTrades | undefined {
  if (inFiles === undefined) return undefined;
  const tradeId = first === undefined ? LAST_ID : first.tradeId - 1n;
  return { tradeId, timeMs: inFiles.toMs - 1n, engineSeq };
}

async function fillCandles(
  db: Db,
  symbol: string,
  market: MarketMemory,
  { engineSeq, nowMs }: { readonly engineSeq: number; readonly nowMs: number },
): Promise<void> {
  for (const minutes of KEPT_MINUTES) {
    const kept = market.candles[minutes];
    kept.fromMs = startOfKept(minutes, nowMs);
    const { previousClose: close, candles } = await listKept(db, symbol, minutes, kept.fromMs);
    kept.older = close === undefined ? undefined : { close, engineSeq };
    kept.candles.push(...candles.map((candle) => ({ ...candle, engineSeq })));
  }
}
