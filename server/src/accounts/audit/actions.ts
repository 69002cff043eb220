// Writing the audit log: always in the transaction of the act, so that neither exists without the other.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { canonicalJson, GENESIS_HASH, hashEntry, type AuditNote } from './entry.ts';
import { findLastEntry, insertEntry, lockAuditLog } from './store.ts';

/**
 * Adds to the log, if and only if the transaction commits. Call it last: until the commit nobody else can
 * write an entry.
 */
export async function appendAudit(tx: Tx, atMs: number, note: AuditNote): Promise<void> {
  await lockAuditLog(tx);
  const last = await findLastEntry(tx);
  const previousHash = last?.hash ?? GENESIS_HASH;
  const entry = {
    seq: (last?.seq ?? 0n) + 1n,
    // As the column keeps it: the hash is made from what will be read.
    at: new Date(Math.floor(atMs)),
    operator: note.operator,
    act: note.act,
    subject: note.subject,
    details: canonicalJson(note.details),
    outcome: note.outcome,
    commandId: note.commandId ?? null,
  };
  await insertEntry(tx, { ...entry, previousHash, hash: hashEntry(previousHash, entry) });
}

/** A context whose transactions also write `note`: for actions that open a transaction of their own. */
export function audited<C extends Context>(ctx: C, note: AuditNote): C {
  return {
    ...ctx,
    inTransaction: (work, options) =>
      ctx.inTransaction(async (tx) => {
        const result = await work(tx);
        await appendAudit(tx, ctx.clock.now(), note);
        return result;
      }, options),
  };
}
