// Turns the core's answer into the result of an operators' row.
import type { Result } from '@rialto/matching';
import type { OperatorResult } from './store.ts';

/** Undefined when nothing was decided: the row then keeps waiting. */
export function toOperatorResult(id: number, result: Result): OperatorResult | undefined {
  const status = statusOf(result);
  if (status === undefined) return undefined;
  return {
    id,
    status,
    result: JSON.stringify(result, (_key, value: unknown) =>
      typeof value === 'bigint' ? value.toString() : value,
    ),
  };
}

/**
 * `done` stands for everything done, now or before; a new kind of result must be handled here
 * first.
 */
function statusOf(result: Result): OperatorResult['status'] | undefined {
  switch (result.kind) {
    case 'done':
    case 'moved':
    case 'placed':
    case 'canceled':
    case 'canceled_all':
    case 'swept':
    case 'amended':
    case 'timer':
    case 'tested':
    // Each of its items has its own result.
    case 'batch':
    case 'listed':
    case 'replaced':
      return 'done';
    case 'rejected':
    case 'batch_rejected':
      return 'refused';
    case 'lookup_again':
      return undefined;
  }
}
