// Decides when a market halts by itself, and changes the phase of a market.

import { addPpm, subtractPpm } from '../amount.ts';
import { fail } from '../assert.ts';
import { grown } from '../book.ts';
import type { Phase } from '../command.ts';
import { PHASES } from '../names.ts';
import { HALT_WINDOW_SECONDS } from '../state.ts';
import type { Market, State } from '../state.ts';
import * as tape from '../tape.ts';

/** Compares with the last price made at least five minutes earlier, to the second. */
export function isHaltPrice(s: State, market: Market, price: number): boolean {
  const second = Math.floor(s.time / 1000);
  const earlier = market.priceAsOf(second - HALT_WINDOW_SECONDS);
  market.recordPrice(second, price);
  const { haltPpm } = market.config;
  if (haltPpm === 0 || earlier === 0) return false;
  return price > addPpm(earlier, haltPpm) || price < subtractPpm(earlier, haltPpm);
}

/**
 * When the step ends, fires the stops that the last price satisfies but a halt or sweep held back.
 */
export function lookAtStops(s: State, market: Market): void {
  // Trades of this step are looked at anyway.
  if (market.lastPrice === 0 || s.tradePriceCount > 0) return;
  s.looksBack = true;
  s.tradeMarket = market;
  s.tradePrices[0] = market.lastPrice;
  s.tradePriceCount = 1;
}

/** Keeps the price of a trade, for the orders that it may trigger when the step has ended. */
export function noteTradePrice(s: State, market: Market, price: number): void {
  if (s.tradePriceCount === s.tradePrices.length) {
    s.tradePrices = grown(s.tradePrices, new Float64Array(s.tradePriceCount * 2));
  }
  s.tradePrices[s.tradePriceCount++] = price;
  s.tradeMarket = market;
}

/** Sets the phase; with `until`, the next one follows by itself at that time. */
export function changePhase(
  s: State,
  market: Market,
  phase: Phase,
  until: number,
  next: Phase,
): void {
  // After a halt, prices are compared with the one at which trading stopped: the older one that caused the
  // halt would cause the next one at once.
  if (s.rules >= 2 && market.phase === 'halted' && phase !== 'halted') {
    market.restartHistory(Math.max(0, Math.floor(s.time / 1000) - HALT_WINDOW_SECONDS));
  }
  market.phase = phase;
  market.nextPhase = next;
  s.phaseEnds.remove(market.index);
  if (until > 0) {
    s.timerSeq += 1;
    s.phaseEnds.set(market.index, until, s.timerSeq);
  }
  const number = PHASES.indexOf(phase);
  if (number < 0) fail(`no such phase: ${phase}`);
  const at = s.tape.begin(tape.PHASE, 2);
  s.tape.f64[at] = until;
  s.tape.u32[(at + 1) * 2] = market.index;
  s.tape.u32[(at + 1) * 2 + 1] = number;
}
