// Ending many orders takes many steps. A sweep is what is left of such a command: which orders it
// concerns, and how far it has come. It is part of the state, so that it goes on after a restart.

import { assert } from './assert.ts';
import type { ByteReader, ByteWriter } from './bytes.ts';
import { CELLS, ID, NONE } from './record.ts';
import type { State, Sweep } from './state.ts';

/** What one step of a sweep did. */
export interface SweepStep {
  sweepId: number;
  orderIds: number[];
  done: boolean;
}

/** Does it skip some of the account's orders? Then it must remember its position among them. */
export const isPartial = (sweep: Sweep): boolean =>
  sweep.account !== NONE && (sweep.market !== NONE || sweep.side !== NONE);

/** Puts a sweep at the end of those that are not finished. */
export function keepSweep(s: State, sweep: Sweep): void {
  s.sweeps.push(sweep);
  if (isPartial(sweep)) s.accounts[sweep.account]!.sweeps.push(sweep);
  if (sweep.account === NONE) s.markets[sweep.market]!.sweeping += 1;
}

/** Takes the oldest sweep away. */
export function dropSweep(s: State): void {
  const sweep = s.sweeps.shift();
  assert(sweep !== undefined, 'there is no sweep');
  if (isPartial(sweep)) {
    const { sweeps } = s.accounts[sweep.account]!;
    sweeps.splice(sweeps.indexOf(sweep), 1);
  }
  if (sweep.account === NONE) s.markets[sweep.market]!.sweeping -= 1;
}

// Indices begin at -1, and the encoding has no sign.
export function writeSweeps(w: ByteWriter, s: State): void {
  w.whole(s.sweepCount);
  w.whole(s.sweeps.length);
  for (const sweep of s.sweeps) {
    w.whole(sweep.id);
    for (const index of [sweep.market, sweep.account, sweep.side]) w.whole(index + 1);
    w.whole(sweep.reason);
    w.whole(sweep.throughId);
    w.whole(sweep.next === NONE ? 0 : s.pool.f64[sweep.next * CELLS + ID]!);
    w.whole(sweep.list);
    w.whole(sweep.stop);
    w.whole(sweep.lastId);
  }
}

/** To be called after the orders were restored. */
export function readSweeps(r: ByteReader, s: State): void {
  s.sweepCount = r.whole();
  const count = r.whole();
  for (let i = 0; i < count; i++) {
    const id = r.whole();
    const [market, account, side] = [r.whole() - 1, r.whole() - 1, r.whole() - 1] as const;
    const reason = r.whole();
    const throughId = r.whole();
    const nextId = r.whole();
    const next = nextId === 0 ? NONE : s.ids.find(nextId);
    assert(nextId === 0 || next !== NONE, 'a sweep names an unknown order');
    const [list, stop, lastId] = [r.whole(), r.whole(), r.whole()] as const;
    keepSweep(s, {
      id,
      market,
      account,
      side,
      reason,
      throughId,
      next,
      list,
      stop,
      lastId,
    });
  }
}
