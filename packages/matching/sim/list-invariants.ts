// What holds for every order list whatever happens, checked on every outcome without the twin.

import type { Order, Outcome, Step } from '../src/outcome.ts';

const isFinal = (o: Order): boolean =>
  ['filled', 'canceled', 'expired', 'rejected'].includes(o.status);

export class ListInvariants {
  /** The newest state of each leg, by list. */
  readonly #lists = new Map<number, Map<number, Order>>();
  /** Lists with one leg left, which is an order like any other: it may be amended to any size. */
  readonly #decided = new Set<number>();

  /** The first broken invariant, in words. */
  check(outcome: Outcome): string | undefined {
    for (const step of outcome.steps) {
      const found = this.#checkStep(step);
      if (found !== undefined) return `step ${step.engineSeq}: ${found}`;
    }
    return undefined;
  }

  #checkStep(step: Step): string | undefined {
    const changed = new Set<number>();
    for (const o of step.orders) {
      if (o.orderListId === 0) continue;
      const legs = this.#lists.get(o.orderListId) ?? new Map<number, Order>();
      legs.set(o.orderId, o);
      this.#lists.set(o.orderListId, legs);
      changed.add(o.orderListId);
    }
    for (const listId of changed) {
      const legs = [...this.#lists.get(listId)!.values()].sort((a, b) => a.orderId - b.orderId);
      const found = checkList(legs) ?? (this.#decided.has(listId) ? undefined : checkSize(legs));
      if (found !== undefined) return `list ${listId}: ${found}`;
      if (legs.slice(-2).some(isFinal)) this.#decided.add(listId);
      if (!legs.every(isFinal)) continue;
      this.#lists.delete(listId);
      this.#decided.delete(listId);
    }
    return undefined;
  }
}

function checkList(legs: readonly Order[]): string | undefined {
  const isBracket = legs[0]?.orderListKind === 'bracket';
  if (legs.length !== (isBracket ? 3 : 2)) return `it has ${legs.length} legs`;
  if (legs.some((o, i) => o.orderId !== o.orderListId + i)) return 'its ids are not consecutive';
  const [limit, stop] = legs.slice(-2) as [Order, Order];
  const entry = isBracket ? legs[0] : undefined;
  if (limit.filledVolume > 0 && stop.filledVolume > 0) return 'both legs traded';
  const isDecided = isFinal(limit) || isFinal(stop);
  if (!isDecided && limit.filledVolume + limit.preventedVolume + stop.filledVolume > 0) {
    return 'a leg traded, and both live';
  }
  if (!isDecided && stop.status !== 'pending') return 'the stop fired, and both live';
  if (!isDecided && stop.held !== 0n) return 'the stop holds besides the limit leg';
  if (entry === undefined || isFinal(entry)) return undefined;
  const isWaiting = limit.status === 'pending' && limit.held === 0n && stop.held === 0n;
  return isDecided || isWaiting ? undefined : 'an exit began before its entry ended';
}

/** Two legs are of one size, and exits never of more than the entry brought in. */
function checkSize(legs: readonly Order[]): string | undefined {
  const [limit, stop] = legs.slice(-2) as [Order, Order];
  if (limit.volume !== stop.volume) return 'the legs are not of one size';
  if (limit.filledVolume + stop.filledVolume > limit.volume) return 'the legs traded too much';
  const [entry] = legs;
  if (entry === undefined || entry === limit || !isFinal(entry)) return undefined;
  // Only live orders are rewritten when a market gets finer units.
  const hasBegun = limit.status !== 'pending' && entry.volumeDecimals === limit.volumeDecimals;
  const isUnborn = limit.statusReason !== '' && limit.filledVolume + stop.filledVolume === 0;
  if (!hasBegun || isUnborn) return undefined;
  const unit = 10n ** BigInt(18 - entry.volumeDecimals);
  const gained = BigInt(entry.filledVolume) * unit - (entry.side === 'buy' ? entry.fee : 0n);
  return BigInt(limit.volume) * unit > gained
    ? 'the exits give more than the entry got'
    : undefined;
}
