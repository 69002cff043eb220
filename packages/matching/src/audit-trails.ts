// Part of the audit: every trailing stop is in exactly one place, and the groups are in order.

import { trailAbove, trailBelow } from './amount.ts';
import { trailOf } from './link.ts';
import { BUY, PENDING, SELL, isTrailing } from './names.ts';
import * as rec from './record.ts';
import { CELLS, NONE } from './record.ts';
import type { Market, State } from './state.ts';

export function auditTrails(s: State, market: Market, wrong: (text: string) => void): void {
  const { symbol } = market.config;
  const { u32 } = s.pool;
  const placed = new Set<number>();
  const place = (slot: number): void => {
    if (placed.has(slot)) wrong(`a trailing stop of ${symbol} is in two places`);
    placed.add(slot);
  };
  for (const side of [BUY, SELL]) {
    const { sleeping } = market.trails.sideOf(side);
    for (let i = 0; i < sleeping.count; i++) place(sleeping.slotAt(i));
    auditGroups(s, market, side, place, wrong);
  }
  let count = 0;
  let last = 0;
  for (const slot of market.trails.after(0)) {
    count += 1;
    const word = slot * CELLS * 2;
    const id = s.pool.f64[slot * CELLS + rec.ID]!;
    if (id <= last) wrong(`the trailing stops of ${symbol} are out of order`);
    last = id;
    const isOne =
      u32[word + rec.STATUS] === PENDING &&
      isTrailing(u32[word + rec.TYPE]!) &&
      u32[word + rec.MARKET] === market.index;
    if (!isOne) wrong(`order ${id} is no trailing stop of ${symbol}`);
    if (!placed.has(slot)) wrong(`trailing stop ${id} follows no price`);
    if (s.pool.f64[slot * CELLS + rec.SHOWN] !== 0) wrong(`trailing stop ${id} has two extremes`);
  }
  if (count !== market.trails.count || count !== placed.size) {
    wrong(`${symbol} counts ${market.trails.count} trailing stops instead of ${placed.size}`);
  }
  const pending = s.accounts.reduce((sum, a) => sum + (a.pending[market.index] ?? 0), 0);
  const stops = market.rising.count + market.falling.count;
  // Exits of a bracket that waits for its entry are pending too, and in no list.
  if (pending < stops + count) wrong(`${symbol} has more conditional orders than its accounts`);
}

function auditGroups(
  s: State,
  market: Market,
  side: number,
  place: (slot: number) => void,
  wrong: (text: string) => void,
): void {
  const { i32, u32 } = s.pool;
  const { symbol } = market.config;
  const better = (a: number, b: number): boolean =>
    b === 0 || (a !== 0 && (side === SELL ? a > b : a < b));
  let before: { delta: number; extreme: number } | undefined;
  const deltas = new Set<number>();
  for (const { delta, extreme, fires, slots } of market.trails.sideOf(side).groups()) {
    if (before?.delta === delta) {
      if (before.extreme === extreme || !better(before.extreme, extreme)) {
        wrong(`groups of delta ${delta} in ${symbol} are out of order`);
      }
    } else if (deltas.has(delta)) wrong(`delta ${delta} of ${symbol} occurs twice`);
    deltas.add(delta);
    before = { delta, extreme };
    const due = side === SELL ? trailBelow(extreme, delta) : trailAbove(extreme, delta);
    if (fires !== due) wrong(`delta ${delta} of ${symbol} fires at ${fires} instead of ${due}`);
    let previous = slots.at(-1);
    for (const [i, slot] of slots.entries()) {
      place(slot);
      const word = slot * CELLS * 2;
      if (i32[word + rec.PREV] !== previous) wrong(`a group of ${symbol} is no ring`);
      previous = slot;
      const isHead = i32[word + rec.LEVEL] !== NONE;
      if (isHead !== (i === 0)) wrong(`a group of ${symbol} has not one first order`);
      if (u32[word + rec.SIDE] !== side || trailOf(u32[word + rec.LINK]!) !== delta) {
        wrong(`a trailing stop of ${symbol} is in a foreign group`);
      }
    }
  }
}
