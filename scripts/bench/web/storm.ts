// Two traders who change their minds all the time, within the limits that every account has: levels come and go in
// batches, and market orders from both sides run into the book.
import { setTimeout as sleep } from 'node:timers/promises';
import { decimal, type Trading } from '@rialto/sdk';

/** With the market order, a batch has as many as it may. */
const LEVELS = 19;
/** Both traders and the page have one address, which may ask ten times a second. */
const ROUND_MS = 700;
/** Prices are asked for every so many rounds. */
const ASKED_EVERY = 5;
const VOLUME = '0.001';

export interface Storm {
  /** Rages for so long, then cancels what is left; returns how many orders were placed. */
  rage(seconds: number): Promise<number>;
}

export function brewStorm(traders: readonly Trading[], symbol: string): Storm {
  let rounds = 0;
  async function trade(venue: Trading, untilMs: number): Promise<number> {
    let placed = 0;
    let best = { bid: '1', ask: '1' };
    let sinceAsked = ASKED_EVERY;
    while (performance.now() < untilMs) {
      const next = sleep(ROUND_MS);
      rounds += 1;
      sinceAsked += 1;
      if (sinceAsked >= ASKED_EVERY) {
        sinceAsked = 0;
        const { bids, asks } = await venue.public.depth({ symbol });
        best = { bid: bids[0]?.price ?? '1', ask: asks[0]?.price ?? '1' };
      }
      const { bid, ask } = best;
      const isBuying = rounds % 2 === 0;
      const side = isBuying ? 'buy' : 'sell';
      const levels = Array.from({ length: LEVELS }, (_, level) => {
        const away = `${level}.${10 + (rounds % 80)}`;
        const price = isBuying ? decimal.subtract(bid, away) : decimal.add(ask, away);
        return { symbol, side, type: 'limit', price, volume: VOLUME } as const;
      });
      const market = { symbol, side, type: 'market', volume: VOLUME } as const;
      const answers = await venue.order.createBatch({ orders: [...levels, market] });
      placed += answers.length;
      await venue.order.cancelAll({ symbol });
      await next;
    }
    return placed;
  }
  return {
    async rage(seconds) {
      const untilMs = performance.now() + seconds * 1000;
      const counts = await Promise.all(traders.map((venue) => trade(venue, untilMs)));
      return counts.reduce((sum, one) => sum + one, 0);
    },
  };
}
