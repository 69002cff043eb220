// Fills the memory of the markets with what the tables have, as one state of them.
import type { Db } from '../../platform/db/pool.ts';
import { listKept } from '../candles/access.ts';
import { KEPT_MINUTES } from '../candles/resolution.ts';
import { listMarkets } from '../markets/access.ts';
import type { Reached } from '../projections/access.ts';
import { listTape } from '../trades/access.ts';
import { Memory, startOfKept, type Limits, type MarketMemory } from './fold.ts';

/** Trades of each market that are read at the start: a longest page. More gather as they come. */
const TRADES_READ = 1000;

/** `reached` is how far the tables are. */
export async function fillFromTables(
  db: Db,
  limits: Limits,
  reached: Reached,
  nowMs: number,
): Promise<Memory> {
  const memory = new Memory(limits, reached);
  const { engineSeq } = reached;
  const limit = Math.min(TRADES_READ, limits.tradesMax);
  for (const { symbol, quotePrecision } of await listMarkets(db)) {
    // One more says whether there are older ones.
    const found = await listTape(db, { symbol, limit: limit + 1, sort: 'desc' });
    const trades = found.map((trade) => ({ ...trade, symbol, engineSeq }));
    const market = memory.market(symbol);
    market.quotePrecision = quotePrecision;
    market.olderTrades = trades[limit];
    market.trades.push(...trades.slice(0, limit).reverse());
    await fillCandles(db, symbol, market, { engineSeq, nowMs });
  }
  return memory;
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
