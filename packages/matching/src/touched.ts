// The balances that a stretch of tape posted to, as the state has them now. A record has the buckets that it
// changed; a reader wants the whole balance, and would need every record since the account's first to know it.

import type { State } from './state.ts';
import * as tape from './tape.ts';
import type { Tape } from './tape.ts';
import { LIMBS, toBigint } from './wide.ts';

/** Cells of a balance: three buckets, each an amount. */
export const BALANCE_CELLS: number = 3 * LIMBS;

/**
 * Calls `visit` for every balance of a user's account that records between two cells posted to, as often as it
 * occurs. The first cell must begin a record.
 */
export function visitBalances(
  s: State,
  t: Tape,
  from: number,
  until: number,
  visit: (account: number, coin: number) => void,
): void {
  const { u32, i32 } = t;
  for (let cell = from; cell < until;) {
    const kind = u32[cell * 2]!;
    const at = cell + 1;
    cell = at + u32[cell * 2 + 1]!;
    if (kind === tape.TRADE) {
      const { base, quote } = s.markets[i32[(at + 7) * 2]!]!;
      for (const side of [0, 1]) {
        const account = i32[(at + 6) * 2 + side]!;
        visit(account, base);
        visit(account, quote);
      }
    } else if (kind === tape.HOLD_MOVE) {
      visit(u32[(at + 1) * 2]!, u32[(at + 1) * 2 + 1]! >> 8);
    } else if (kind === tape.POSTING && i32[at * 2]! >= 0) {
      visit(i32[at * 2]!, u32[at * 2 + 1]! >> 4);
    }
  }
}

/** Copies a balance's cells, which are zero where nothing was ever posted. */
export function copyBalance(
  s: State,
  account: number,
  coin: number,
  into: Float64Array,
  at: number,
): void {
  const row = s.accounts[account]!.rows[coin] ?? 0;
  if (row === 0) into.fill(0, at, at + BALANCE_CELLS);
  else into.set(s.rows.subarray(row * BALANCE_CELLS, (row + 1) * BALANCE_CELLS), at);
}

/** The reverse: the three buckets from the cells of a balance. */
export function readBalance(
  f64: Float64Array,
  at: number,
): { available: bigint; hold: bigint; pendingWithdraw: bigint } {
  return {
    available: toBigint(f64, at),
    hold: toBigint(f64, at + LIMBS),
    pendingWithdraw: toBigint(f64, at + 2 * LIMBS),
  };
}
