// What operators do and may not do, as the audit log has it: who, how they acted, and what came of it.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { appendAudit } from '../audit/actions.ts';
import type { ActName } from '../audit/acts.ts';
import type { AuditOutcome } from '../audit/entry.ts';
import type { Operator } from './operator.ts';

type Acting = Pick<Operator, 'email' | 'via'>;

const SUBJECT_CHARACTERS_MAX = 300;

export function note(
  tx: Tx,
  ctx: Context,
  { email, via }: Acting,
  act: ActName,
  subject: string,
  outcome: AuditOutcome,
  details: Readonly<Record<string, unknown>>,
): Promise<void> {
  return appendAudit(tx, ctx.clock.now(), {
    operator: email,
    act,
    subject: subject.slice(0, SUBJECT_CHARACTERS_MAX).toWellFormed(),
    details: { ...details, via },
    outcome,
  });
}

/** Runs `work`; a refusal is in the audit log before the caller learns of it. */
export async function orDenied<T>(
  ctx: Context,
  operator: Acting,
  act: ActName,
  subject: string,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  try {
    return await ctx.inTransaction(work);
  } catch (error) {
    if (error instanceof Refusal) {
      const details = { refusal: error.code };
      await ctx.inTransaction((tx) => note(tx, ctx, operator, act, subject, 'denied', details));
    }
    throw error;
  }
}
