// What holds for every order list whatever happens, checked on every outcome without the twin.

import type { Order, Outcome, Step } from '../src/outcome.ts';

const isFinal = (o: Order): boolean =>
  ['filled', 'canceled', 'expired', 'rejected'].includes(o.status);

export class ListInvariants {
  /** The newest state of each leg, by list. */
  readonly #lists = new Map<number, Map<number, Order>>();

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
      const found = checkList(legs);
      if (found !== undefined) return `list ${listId}: ${found}`;
      if (legs.every(isFinal)) this.#lists.delete(listId);
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
  if (entry === undefined || isFinal(entry)) return checkSize(entry, limit, stop);
  const isWaiting = limit.status === 'pending' && limit.held === 0n && stop.held === 0n;
  return isDecided || isWaiting ? undefined : 'an exit began before its entry ended';
}

/** The exits never give more than the entry brought in. */
function checkSize(entry: Order | undefined, limit: Order, stop: Order): string | undefined {
  const filled = limit.filledVolume + stop.filledVolume;
  if (entry === undefined || limit.volumeDecimals !== entry.volumeDecimals) return undefined;
  // The exit that is left is an ordinary order, and its owner may have made it larger.
  if (limit.volume !== stop.volume) return undefined;
  if (filled > entry.filledVolume) return 'the exits traded more than the entry';
  const unit = 10n ** BigInt(18 - entry.volumeDecimals);
  const gained = BigInt(entry.filledVolume) * unit - entry.fee;
  if (entry.side === 'buy' && BigInt(filled) * unit > gained) return 'the exits gave the fee away';
  return undefined;
}
