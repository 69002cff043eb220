// Orders that run some time after they were accepted. Their hold is in place, so they cannot be
// refused any more; an obstacle becomes their recorded end.

import { CANCELED, EXPIRED, FOK, STATUS_REJECTED, reasonNumber } from '../names.ts';
import {
  ACCOUNT,
  CELLS,
  FLAGS,
  FLAG_POST_ONLY,
  MARKET,
  PRICE,
  REMAINING,
  SIDE,
  STP,
  TIF,
  TYPE,
} from '../record.ts';
import type { State } from '../state.ts';
import { isAdmitted, isForAuction } from './check.ts';
import { CHECK_TOTAL } from './scratch.ts';
import { execute } from './execute.ts';
import { finish } from './finish.ts';
import { touch } from './step.ts';
import { crosses, walk } from './walk.ts';

const REASON_FOK = reasonNumber('fok_unfilled');
const REASON_CROSS = reasonNumber('post_only_cross');
const REASON_CLOSED = reasonNumber('market_closed');

/** Runs an order that was accepted earlier: on its trigger, or as one of an all_or_none batch. */
export function executeLater(s: State, slot: number): void {
  touch(s, slot);
  const { f64, u32 } = s.pool;
  const cell = slot * CELLS;
  const word = cell * 2;
  const market = s.markets[u32[word + MARKET]!]!;
  const side = u32[word + SIDE]!;
  const postOnly = (u32[word + FLAGS]! & FLAG_POST_ONLY) !== 0;
  const best = market.bookOf(1 - side).bestPrice();
  const price = f64[cell + PRICE]!;
  if (!isAdmitted(market, postOnly, isForAuction(u32[word + TYPE]!, u32[word + TIF]!, postOnly))) {
    finish(s, slot, CANCELED, REASON_CLOSED);
  } else if (postOnly && best !== 0 && crosses(side, price, best)) {
    finish(s, slot, STATUS_REJECTED, REASON_CROSS);
  } else if (u32[word + TIF] === FOK) {
    const account = s.accounts[u32[word + ACCOUNT]!]!;
    const lots = f64[cell + REMAINING]!;
    const stp = u32[word + STP]!;
    const { time } = s;
    const terms = {
      account,
      side,
      limit: price,
      lots,
      byTotal: false,
      stp,
      time,
      visibleOnly: false,
    };
    if (walk(s, market, terms, CHECK_TOTAL, undefined) < lots) {
      finish(s, slot, EXPIRED, REASON_FOK);
    } else execute(s, slot);
  } else execute(s, slot);
}
