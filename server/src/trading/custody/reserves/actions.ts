// What operators ask for: a comparison of the chains with the ledger, and a publication. The role custody does both, as only
// it reaches nodes.
import { appendAudit } from '../../../accounts/audit/actions.ts';
import { accessAgain } from '../../../accounts/operators/access.ts';
import type { Operator } from '../../../accounts/operators/operator.ts';
import type { Context } from '../../../platform/context.ts';
import type { Tx } from '../../../platform/db/transaction.ts';
import { grantOfAct } from '../../operators/grants.ts';
import { askTurns } from '../reconciliation/access.ts';
import { findAsked, insertPublication } from './store.ts';

type AskedAct = 'custody reconcile' | 'reserves publish';

/** Has every network compared now. Returns their names. */
export function askReconciliation(ctx: Context, operator: Operator): Promise<string[]> {
  return ctx.inTransaction(async (tx) => {
    await accessAgain(tx, operator, grantOfAct('custody reconcile'));
    const networks = await askTurns(tx);
    await note(ctx, tx, operator, 'custody reconcile', networks.join(', '));
    return networks;
  });
}

/** Asking again before it is made is the same request. Returns its number. */
export function askPublication(ctx: Context, operator: Operator): Promise<bigint> {
  return ctx.inTransaction(async (tx) => {
    await accessAgain(tx, operator, grantOfAct('reserves publish'));
    const asked = await findAsked(tx);
    const id = asked ?? (await insertPublication(tx, operator.email, new Date(ctx.clock.now())));
    await note(ctx, tx, operator, 'reserves publish', `publication ${id}`);
    return id;
  });
}

const note = (ctx: Context, tx: Tx, { email, via }: Operator, act: AskedAct, subject: string) =>
  appendAudit(tx, ctx.clock.now(), {
    operator: email,
    act,
    subject,
    details: { via },
    outcome: 'requested',
  });
