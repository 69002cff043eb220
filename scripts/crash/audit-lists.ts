// Checks order lists while the journal is replayed: their legs never fill beyond the one size, and end
// together.
import type { Order, Step } from '@rialto/matching';
import { keyOf } from './records.ts';

export interface ListCounts {
  readonly placed: number;
  /** Lists of which one leg traded. */
  readonly traded: number;
  readonly trailsFired: number;
}

/** The key under which a client asked for the list. */
export function listKey(orders: readonly Order[]): string {
  const [first] = orders;
  return keyOf.list(first?.account ?? 0, (first?.clientOrderId ?? '').replace(/-limit$/, ''));
}

const isLive = ({ status }: Order): boolean =>
  status === 'pending' || status === 'open' || status === 'partially_filled';

export class ListWatch {
  readonly #broken: string[];
  readonly #lists = new Map<number, Map<number, Order>>();
  #trailsFired = 0;

  constructor(broken: string[]) {
    this.#broken = broken;
  }

  take(step: Step): void {
    const touched = new Set<number>();
    for (const order of step.orders) {
      if (order.type === 'trailing_stop' && order.triggeredAt === step.time) {
        this.#trailsFired += step.cause === 'trigger' ? 1 : 0;
      }
      if (order.orderListId === 0) continue;
      const legs = this.#lists.get(order.orderListId) ?? new Map<number, Order>();
      this.#lists.set(order.orderListId, legs.set(order.orderId, order));
      touched.add(order.orderListId);
    }
    for (const id of touched) this.#check(id, step.engineSeq);
  }

  /** After every step: at most one leg has traded, and once one has, or one has ended, no other waits. */
  #check(id: number, engineSeq: number): void {
    const legs = [...(this.#lists.get(id)?.values() ?? [])];
    const size = Math.max(...legs.map(({ volume }) => volume));
    const filled = legs.reduce((sum, leg) => sum + leg.filledVolume, 0);
    if (filled > size) {
      this.#broken.push(`list ${id} filled ${filled} of ${size} lots by event ${engineSeq}`);
    }
    const decided = legs.some((leg) => !isLive(leg) || leg.filledVolume > 0 || leg.triggeredAt > 0);
    if (decided && legs.filter(isLive).length > 1) {
      this.#broken.push(`list ${id} has two live legs after it was decided, event ${engineSeq}`);
    }
  }

  get counts(): ListCounts {
    const lists = [...this.#lists.values()];
    const traded = lists.filter((legs) => [...legs.values()].some((leg) => leg.filledVolume > 0));
    return { placed: lists.length, traded: traded.length, trailsFired: this.#trailsFired };
  }
}
