// The narrow of an event queue: which messages it wants. It is checked when the queue is opened, so that a client
// learns if we cannot filter by it.
import { badRequest } from '../../http/errors.ts';

const OPERATORS: ReadonlySet<string> = new Set(['channel', 'stream', 'topic', 'sender', 'is']);
const IS_OPERANDS: ReadonlySet<string> = new Set([
  'dm',
  'private',
  'starred',
  'unread',
  'mentioned',
  'alerted',
  'resolved',
]);

export interface NarrowTerm {
  readonly operator: string;
  readonly operand: string;
}

export function checkQueueNarrow(terms: readonly NarrowTerm[]): void {
  for (const { operator, operand } of terms) {
    if (!OPERATORS.has(operator)) throw badRequest(`Operator ${operator} not supported.`);
    if (operator === 'is' && !IS_OPERANDS.has(operand)) {
      throw badRequest(`Operand ${operand} not supported.`);
    }
  }
}
