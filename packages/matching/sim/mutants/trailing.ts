// The planted bugs of trailing stops.

import type { Mutant } from './mutant.ts';

export const TRAILING_MUTANTS: readonly Mutant[] = [
  {
    name: 'a trailing sell fires above its extreme, as a buy does',
    file: 'trail-side.ts',
    search: 'return this.#sign === 1 ? trailBelow(key, delta) : -trailAbove(-key, delta);',
    replace: 'return this.#sign === 1 ? trailAbove(key, delta) : -trailAbove(-key, delta);',
  },
  {
    name: 'a trailing buy follows the highest price',
    file: 'trails.ts',
    search: '[new TrailSide(BUY, pool), new TrailSide(SELL, pool)]',
    replace: '[new TrailSide(SELL, pool), new TrailSide(SELL, pool)]',
  },
  {
    name: 'a trail loosens with a worse price',
    file: 'trail-side.ts',
    search:
      'if (key <= this.#leastKey) return;\n    let least = Infinity;\n    for (const track of this.#tracks) {\n      const group = track.last!;\n      if (key > group.key) {',
    replace:
      'let least = Infinity;\n    for (const track of this.#tracks) {\n      const group = track.last!;\n      if (key !== group.key) {',
  },
  {
    name: 'a trailing stop with an activation price follows from its placement',
    file: 'trails.ts',
    search: 'if (this.#pool.f64[slot * CELLS + STOP] === 0) this.#own(slot).add(slot);',
    replace: 'if (this.#pool.f64[slot * CELLS + STOP]! >= 0) this.#own(slot).add(slot);',
  },
  {
    name: 'the price at which a trailing sell fires is rounded up',
    file: 'amount.ts',
    search: 'return whole * factor + Math.floor((rest * factor) / 10_000);',
    replace: 'return whole * factor + Math.ceil((rest * factor) / 10_000);',
  },
  {
    name: 'the price at which a trailing buy fires is rounded down',
    file: 'amount.ts',
    search: 'return whole * factor + Math.ceil((rest * factor) / 10_000);',
    replace: 'return whole * factor + Math.floor((rest * factor) / 10_000);',
  },
  {
    name: 'a trail fires before it follows the trades of its step',
    file: 'core/trigger.ts',
    search:
      'if (trails.count > 0 && !s.looksBack) followTrade(s, market, price);\n    if (!mayFire) continue;',
    replace:
      'if (trails.count > 0 && !s.looksBack && i + 1 === count) followTrade(s, market, price);\n    if (!mayFire) continue;',
  },
  {
    name: 'a merged group loses its orders but one',
    file: 'trail-side.ts',
    search: 'i32[otherTail * CELLS * 2 + NEXT] = into.head;',
    replace: 'i32[group.head * CELLS * 2 + NEXT] = into.head;',
  },
  {
    name: 'a snapshot loses the extremes',
    file: 'snapshot.ts',
    search: 'extremes.get(slot) ?? f64[slot * CELLS + rec.SHOWN]!',
    replace: 'f64[slot * CELLS + rec.SHOWN]!',
  },
  {
    name: 'a change of precision leaves the extremes in the old ticks',
    file: 'core/admin.ts',
    search: '  market.trails.rescale(byTicks);\n',
    replace: '',
  },
  {
    name: 'a look back at the last price counts as a trade',
    file: 'core/phase.ts',
    search: 's.looksBack = true;',
    replace: 's.looksBack = false;',
  },
  {
    name: 'trails do not follow the trades of a step that halts the market',
    file: 'core/trigger.ts',
    search:
      'if (trails.count > 0 && !s.looksBack) followTrade(s, market, price);\n    if (!mayFire) continue;',
    replace:
      'if (!mayFire) continue;\n    if (trails.count > 0 && !s.looksBack) followTrade(s, market, price);',
  },
  {
    name: 'trailing stops and stops hit by one trade fire one kind after the other',
    file: 'core/trigger.ts',
    search:
      'if (trails.count > 0) trails.takeHits(price, take);\n    // Orders hit by the same trade fire in the order they were placed.\n    const { f64 } = s.pool;\n    s.triggered\n      .subarray(first, s.triggeredTail)',
    replace:
      'const tail = s.triggeredTail;\n    if (trails.count > 0) trails.takeHits(price, take);\n    const { f64 } = s.pool;\n    s.triggered\n      .subarray(first, tail)',
  },
  {
    name: 'a repeated client id may have another delta',
    file: 'core/recall.ts',
    search: '(s.rules < 4 || trailOf(u32[word + LINK]!) === (terms.trailingDelta ?? 0)) &&',
    replace: '',
  },
  {
    name: 'the activation price of an active trailing stop can be amended',
    file: 'core/amend.ts',
    search: 'if (isOver || (isTrailing(type) && market.trails.isActive(slot))) return',
    replace: 'if (isOver) return',
  },
];
