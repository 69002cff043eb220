// The orders of the account, put together from answers of calls, events and snapshots. They come in any order; the one with
// the highest engineSeq is true.
import { decimal, type Order } from '@rialto/sdk';

/** Own volume in the book by side and price, as the book writes prices. */
export type OwnVolumes = ReadonlyMap<`${'buy' | 'sell'}:${string}`, string>;

/** More than the venue lets an account have open. */
const OPEN_MAX = 2000;
/** Ended orders of this visit, so that an old answer does not bring one back. Older ones are in the history. */
const ENDED_MAX = 300;

const FINAL: ReadonlySet<Order['status']> = new Set(['filled', 'canceled', 'expired', 'rejected']);

export const isFinal = ({ status }: Pick<Order, 'status'>): boolean => FINAL.has(status);

const isNewer = (one: Order, other: Order): boolean =>
  decimal.compare(one.engineSeq, other.engineSeq) > 0;

export class OrderTable {
  readonly #open = new Map<string, Order>();
  readonly #ended = new Map<string, Order>();

  /** Newest first. */
  get open(): readonly Order[] {
    return [...this.#open.values()].sort(byNewest);
  }

  /** Those that ended during this visit, newest first. */
  get ended(): readonly Order[] {
    return [...this.#ended.values()].sort(byNewest);
  }

  /** False if something as new was known already. */
  take(order: Order): boolean {
    const id = order.orderId;
    const known = this.#open.get(id) ?? this.#ended.get(id);
    if (known !== undefined && !isNewer(order, known)) return false;
    this.#open.delete(id);
    this.#ended.delete(id);
    if (isFinal(order)) put(this.#ended, order, ENDED_MAX);
    else put(this.#open, order, OPEN_MAX);
    return true;
  }

  /** Takes all open orders as they were at `engineSeq`. An order that is missing there has ended, unless it is younger. */
  replace(orders: readonly Order[], engineSeq: string): void {
    const listed = new Set(orders.map(({ orderId }) => orderId));
    for (const order of this.#open.values()) {
      const isYounger = decimal.compare(order.engineSeq, engineSeq) > 0;
      if (!listed.has(order.orderId) && !isYounger) this.#open.delete(order.orderId);
    }
    for (const order of orders) this.take(order);
  }
}

function put(orders: Map<string, Order>, order: Order, max: number): void {
  orders.set(order.orderId, order);
  if (orders.size <= max) return;
  const [oldest] = orders.keys();
  if (oldest !== undefined) orders.delete(oldest);
}

const byNewest = (a: Order, b: Order): number => decimal.compare(b.orderId, a.orderId);

/** What stands in the book now; an order that waits for its trigger does not. */
export function ownVolumesOf(orders: readonly Order[], symbol: string): OwnVolumes {
  const volumes = new Map<`${'buy' | 'sell'}:${string}`, string>();
  for (const { symbol: market, isWorking, side, price, remainingVolume } of orders) {
    if (market !== symbol || !isWorking || price === '') continue;
    const key = `${side}:${price}` as const;
    volumes.set(key, decimal.add(volumes.get(key) ?? '0', remainingVolume));
  }
  return volumes;
}
