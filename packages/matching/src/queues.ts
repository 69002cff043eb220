// The resting orders of every market in the order in which they are served, with what each shows.
// Changes nothing.

import type { BookSide } from './book.ts';
import type { MarketConfig, Phase } from './command.ts';
import { decodeOrder } from './decode.ts';
import type { Order } from './outcome.ts';
import { CELLS, NEXT, NONE, SHOWN } from './record.ts';
import type { State } from './state.ts';

export interface QueueView {
  config: MarketConfig;
  phase: Phase;
  /** Zero before the first trade. */
  lastPriceTicks: number;
  /** Bids and then asks: the best price first, and each level from the front of its queue. */
  orders: Array<{ order: Order; shownLots: number }>;
}

function* sideOf(s: State, book: BookSide): Generator<{ order: Order; shownLots: number }> {
  const { f64, i32, u32 } = s.pool;
  for (let i = book.count - 1; i >= 0; i--) {
    let slot = book.headOf(book.levelAt(i));
    while (slot !== NONE) {
      const cell = slot * CELLS;
      yield { order: decodeOrder(s, f64, u32, cell), shownLots: f64[cell + SHOWN]! };
      slot = i32[cell * 2 + NEXT]!;
    }
  }
}

/** Every queue, and the id of the last trade; where there was none, the id before the first. */
export function listQueues(s: State): { lastTradeId: number; markets: QueueView[] } {
  return {
    lastTradeId: s.config.shard * 1e15 + s.tradeCount,
    markets: s.markets.map((market) => ({
      config: market.config,
      phase: market.phase,
      lastPriceTicks: market.lastPrice,
      orders: [...sideOf(s, market.bids), ...sideOf(s, market.asks)],
    })),
  };
}
