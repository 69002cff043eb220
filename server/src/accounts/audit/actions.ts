// Writes the audit log: always in the transaction of the act, so that neither exists without the
// other.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { findUser } from '../users/access.ts';
import type { ActName } from './acts.ts';
import { boundDetails, differences, type Values } from './details.ts';
import { canonicalJson, GENESIS_HASH, hashEntry, type AuditNote } from './entry.ts';
import { findLastEntry, insertEntry, lockAuditLog } from './store.ts';

const SUBJECT_CHARACTERS_MAX = 300;

/**
 * What was done, to what, and what has changed. The transaction knows who did it, and from where.
 */
export interface ActNote {
  readonly act: ActName;
  /** An address, a name or a number: what a reader would look for. Never a secret. */
  readonly subject: string;
  readonly before?: Values;
  readonly after?: Values;
  readonly details?: Values;
  /** Who acted, if the caller was unauthenticated until the act, or there is no cause. */
  readonly by?: { readonly id: number; readonly email: string };
}

/** Records an act last of all before the commit, if the transaction gets that far. */
export function noteAct(tx: Tx, note: ActNote): void {
  tx.beforeCommit(async () => {
    await appendAudit(tx, Date.now(), await complete(tx, note));
  });
}

/**
 * The same for a change: unchanged values are left out, and without a difference there is no act.
 */
export function noteChange(
  tx: Tx,
  { before, after, ...note }: ActNote & { readonly before: Values; readonly after: Values },
): void {
  const changed = differences(before, after);
  if (changed === undefined) noteNothing(tx);
  else noteAct(tx, { ...note, ...changed });
}

interface Listed {
  readonly id: number;
}

/** The same for an item of an organization's list: comparing the lists shows which one. */
export function noteList(
  tx: Tx,
  act: ActName,
  before: readonly Listed[],
  after: readonly Listed[],
): void {
  const byId = (list: readonly Listed[]) => new Map(list.map((one) => [one.id, one]));
  const [was, is] = [byId(before), byId(after)];
  const ids = [...new Set([...was.keys(), ...is.keys()])];
  const changed = ids.find(
    (id) => canonicalJson(was.get(id) ?? null) !== canonicalJson(is.get(id) ?? null),
  );
  const order = { before: { order: [...was.keys()] }, after: { order: [...is.keys()] } };
  if (changed === undefined || act.endsWith(' order')) {
    return noteChange(tx, { act, subject: `${after.length} of them`, ...order });
  }
  const values = differences({ ...was.get(changed) }, { ...is.get(changed) });
  noteAct(tx, { act, subject: String(changed), ...values });
}

/** A context whose transactions also record what is done to whom, with what an operator said about it. */
export const notingActs = (ctx: Context, note: ActNote): Context => ({
  ...ctx,
  inTransaction: (work, options) =>
    ctx.inTransaction(async (tx) => {
      const result = await work(tx);
      noteAct(tx, note);
      return result;
    }, options),
});

/** States that the request changes nothing that the audit log covers. */
export function noteNothing({ cause }: Tx): void {
  if (cause !== undefined) cause.noted.isSettled = true;
}

async function complete(
  tx: Tx,
  { act, subject, before, after, details = {}, by }: ActNote,
): Promise<AuditNote> {
  const { cause } = tx;
  return {
    operator: by?.email ?? (await emailOf(tx)),
    act,
    subject: subject.slice(0, SUBJECT_CHARACTERS_MAX).toWellFormed(),
    details: boundDetails({
      ...details,
      ...(before && { before }),
      ...(after && { after }),
      by: by?.id ?? cause?.userId ?? null,
      via: cause?.via ?? 'server',
      ...(cause?.from && { from: cause.from }),
      ...(cause?.requestId && { request: cause.requestId }),
    }),
    outcome: 'done',
  };
}

/** The caller of a trading key is known only by the owner's number. */
async function emailOf(tx: Tx): Promise<string> {
  const { email = '', userId = null } = tx.cause ?? {};
  if (email !== '' || userId === null) return email;
  return (await findUser(tx, userId))?.email ?? '';
}

/**
 * Adds to the log, if and only if the transaction commits. Call it last: until the commit no other
 * transaction can write an entry.
 */
export async function appendAudit(tx: Tx, atMs: number, note: AuditNote): Promise<void> {
  await lockAuditLog(tx);
  const last = await findLastEntry(tx);
  const previousHash = last?.hash ?? GENESIS_HASH;
  const entry = {
    seq: (last?.seq ?? 0n) + 1n,
    // As the column stores it: the hash covers what will be read.
    at: new Date(Math.floor(atMs)),
    operator: note.operator,
    act: note.act,
    subject: note.subject,
    details: canonicalJson(note.details),
    outcome: note.outcome,
    commandId: note.commandId ?? null,
  };
  await insertEntry(tx, { ...entry, previousHash, hash: hashEntry(previousHash, entry) });
  tx.cause?.noted.acts.push(note.act);
}
