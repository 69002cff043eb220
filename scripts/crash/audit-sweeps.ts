// Checks sweeps: every order that should end has ended, once.
import type { History } from './findings.ts';
import type { Sweep } from './sweeps.ts';

export interface SweepCounts {
  readonly count: number;
  readonly orders: number;
  /** Sweeps whose orders ended in more than one epoch: an engine died in between. */
  readonly cut: number;
}

export function checkSweeps(
  { ends }: Pick<History, 'ends'>,
  sweeps: readonly Sweep[],
  broken: string[],
): SweepCounts {
  let orders = 0;
  let cut = 0;
  for (const { kind, symbol, orderIds } of sweeps) {
    orders += orderIds.length;
    const epochs = new Set(orderIds.map((id) => ends.get(id)));
    const left = orderIds.filter((id) => !ends.has(id));
    if (left.length > 0) {
      broken.push(
        `${left.length} of ${orderIds.length} orders outlived a sweep (${kind}) of ${symbol}`,
      );
    }
    if (epochs.size > 1) cut += 1;
  }
  return { count: sweeps.length, orders, cut };
}
