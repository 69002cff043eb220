// The clients' own journal: every request and every answer. The audit compares the venue with it.
import type { Order } from '@rialto/matching';
import type { NewCommand } from '../../server/src/trading/engine/command.ts';
import { formatAmount, formatFixed } from '../../server/src/trading/amount.ts';

export type Answer =
  /** Done; `said` is what the answer says about the order, or empty where it says nothing. */
  | { readonly kind: 'done'; readonly said: string; readonly isReplay: boolean }
  /** Refused by the rules, or not accepted at all: it had no effect. */
  | { readonly kind: 'nothing'; readonly why: string }
  | { readonly kind: 'unknown' };

export interface Asked {
  /** Kind, account and the client's own id: one request, however often it is repeated. */
  readonly key: string;
  readonly via: 'door' | 'http' | 'rows';
  readonly command: NewCommand;
  readonly answers: Answer[];
}

export class Records {
  readonly #asked = new Map<string, Asked>();
  acknowledged = 0;
  refused = 0;
  unknown = 0;
  repeated = 0;

  open(key: string, via: Asked['via'], command: NewCommand): Asked {
    const known = this.#asked.get(key);
    if (known !== undefined) return known;
    const asked: Asked = { key, via, command, answers: [] };
    this.#asked.set(key, asked);
    return asked;
  }

  add(asked: Asked, answer: Answer): void {
    asked.answers.push(answer);
    if (answer.kind === 'unknown') this.unknown += 1;
    else if (answer.kind === 'nothing') this.refused += 1;
    else if (answer.isReplay) this.repeated += 1;
    else this.acknowledged += 1;
  }

  find(key: string): Asked | undefined {
    return this.#asked.get(key);
  }

  all(): Iterable<Asked> {
    return this.#asked.values();
  }

  get size(): number {
    return this.#asked.size;
  }
}

/** What an answer says about an order, over HTTP or the engine's door, as one comparable line. */
export interface Told {
  readonly orderId: string;
  readonly side: string;
  readonly price: string;
  readonly volume: string;
  readonly filledVolume: string;
  readonly remainingVolume: string;
  readonly filledTotal: string;
  readonly fee: string;
  readonly status: string;
  readonly statusReason: string;
  readonly engineSeq: string;
  readonly updatedAt: string;
}

export const toLine = (told: Told): string =>
  [
    told.orderId,
    told.side,
    told.price,
    told.volume,
    told.filledVolume,
    told.remainingVolume,
    told.filledTotal,
    told.fee,
    told.status,
    told.statusReason,
    told.engineSeq,
    told.updatedAt,
  ].join(' ');

export function describeOrder(order: Order): string {
  const volume = (lots: number) => formatFixed(BigInt(lots), order.volumeDecimals);
  return toLine({
    orderId: String(order.orderId),
    side: order.side,
    price: order.price === 0 ? '' : formatFixed(BigInt(order.price), order.priceDecimals),
    volume: order.volume === 0 ? '' : volume(order.volume),
    filledVolume: volume(order.filledVolume),
    remainingVolume: volume(order.remainingVolume),
    filledTotal: formatAmount(order.filledTotal),
    fee: formatAmount(order.fee),
    status: order.status,
    statusReason: order.statusReason,
    engineSeq: String(order.engineSeq),
    updatedAt: String(order.updatedAt),
  });
}

/** The orders of a list, one behind the other: the first is the one that the line is about. */
export const toLines = (orders: readonly Told[]): string => orders.map(toLine).join(' | ');
export const describeOrders = (orders: readonly Order[]): string =>
  orders.map(describeOrder).join(' | ');

/** The venue's id of the order that a line is about. */
export const orderIdOf = (line: string): number => Number(line.slice(0, line.indexOf(' ')));

export const keyOf = {
  place: (account: number, clientOrderId: string) => `place ${account} ${clientOrderId}`,
  /** A list by the common part of its legs' client ids. */
  list: (account: number, id: string) => `list ${account} ${id}`,
  cancel: (account: number, orderId: number) => `cancel ${account} ${orderId}`,
  transfer: (id: string) => `transfer ${id}`,
  deposit: (id: string) => `deposit ${id}`,
  withdrawal: (id: string) => `withdrawal ${id}`,
  settlement: (id: string) => `settlement ${id}`,
  adjustment: (id: string) => `adjustment ${id}`,
  reversal: (depositId: string, part: number) => `reversal ${depositId} ${part}`,
  chainCost: (id: string) => `chain cost ${id}`,
};
