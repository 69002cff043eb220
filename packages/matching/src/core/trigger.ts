// Conditional orders: after a step its trades are looked at one by one; what they trigger runs, each
// order as a separate step, and its trades are looked at in turn. Each order triggers once, so the
// chain ends.

import { grown } from '../book.ts';
import { OPEN } from '../names.ts';
import { ACCOUNT, CELLS, ID, MARKET, SIDE, STATUS, TRIGGERED, TYPE } from '../record.ts';
import type { State } from '../state.ts';
import { hasExpired, isExpired } from './expiry.ts';
import { triggersOf } from './finish.ts';
import { executeLater } from './later.ts';
import { beginStep, endStep } from './step.ts';

const CAUSE_TRIGGER = 2;

/** Queues what the trades of the step that just ended have triggered. */
export function scanTrades(s: State): void {
  const market = s.tradeMarket;
  const count = s.tradePriceCount;
  s.tradePriceCount = 0;
  if (market === undefined || market.phase !== 'continuous' || market.sweeping > 0) return;
  if (market.rising.count + market.falling.count === 0) return;
  for (let i = 0; i < count; i++) {
    const price = s.tradePrices[i]!;
    const first = s.triggeredTail;
    for (const list of [market.rising, market.falling]) {
      for (let slot = list.takeHit(price); slot >= 0; slot = list.takeHit(price)) {
        if (s.triggeredTail === s.triggered.length) {
          s.triggered = grown(s.triggered, new Int32Array(s.triggeredTail * 2));
        }
        s.triggered[s.triggeredTail++] = slot;
      }
    }
    // Orders hit by the same trade fire in the order they were placed.
    const { f64 } = s.pool;
    s.triggered
      .subarray(first, s.triggeredTail)
      .sort((a, b) => f64[a * CELLS + ID]! - f64[b * CELLS + ID]!);
  }
}

/** Runs the whole chain that the trades of the last step have started. */
export function runTriggered(s: State, time: number): void {
  s.triggeredHead = 0;
  s.triggeredTail = 0;
  scanTrades(s);
  while (s.triggeredHead < s.triggeredTail) {
    const slot = s.triggered[s.triggeredHead++]!;
    const { f64, u32 } = s.pool;
    const word = slot * CELLS * 2;
    const market = s.markets[u32[word + MARKET]!]!;
    if (market.phase !== 'continuous' || (hasExpired(s, time) && isExpired(s, slot, time))) {
      // A halt came first: the order keeps waiting, and is checked again when trading resumes. Or
      // the order expired first, and only its timer has not fired yet.
      triggersOf(market, u32[word + TYPE]!, u32[word + SIDE]!).add(slot);
      continue;
    }
    beginStep(s, time, CAUSE_TRIGGER);
    const account = s.accounts[u32[word + ACCOUNT]!]!;
    account.pending[market.index]! -= 1;
    account.open[market.index]! += 1;
    u32[word + STATUS] = OPEN;
    f64[slot * CELLS + TRIGGERED] = time;
    executeLater(s, slot);
    endStep(s);
    scanTrades(s);
  }
}
