// The frame of what operators do with custody: the right is looked at again, and the act and its entry in the audit log are
// one commit.
import { appendAudit } from '../../../accounts/audit/actions.ts';
import type { ActName } from '../../../accounts/audit/acts.ts';
import { accessAgain } from '../../../accounts/operators/access.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { grantOfAct } from '../../operators/grants.ts';

export interface CustodyAct {
  readonly act: Extract<ActName, `custody ${string}`>;
  readonly subject: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** Does `work` for an operator, with its entry in the audit log. `details` may be what the work found. */
export function doAct<T>(
  ctx: Context,
  by: Operator,
  { act, subject, details = {} }: CustodyAct,
  work: (tx: Tx, operator: Operator) => Promise<T>,
  found: (result: T) => Readonly<Record<string, unknown>> = () => ({}),
): Promise<T> {
  return ctx.inTransaction(async (tx) => {
    const operator = await accessAgain(tx, by, grantOfAct(act));
    const result = await work(tx, operator);
    await appendAudit(tx, ctx.clock.now(), {
      operator: operator.email,
      act,
      subject,
      details: { ...details, ...found(result), via: operator.via },
      outcome: 'done',
    });
    return result;
  });
}
