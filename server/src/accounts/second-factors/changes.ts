// What every change of a person's factors brings with it, in the transaction of the change.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct } from '../audit/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { emitSecurity } from '../notices/events.ts';
import { freezeWithdrawals } from '../trading-keys/access.ts';
import { FREEZE_HOURS } from '../trading-keys/freeze.ts';
import type { User } from '../user.ts';
import { accessUserForUpdate } from '../users/access.ts';
import { factorRequired } from './errors.ts';
import { hasFactor, type Factors } from './factor.ts';
import { clearFactorDue, isFactorRequired } from './policy.ts';
import { deleteRecoveryCodes, findFactors } from './store.ts';

export interface FactorChange {
  readonly kind: 'totp' | 'passkey';
  /** The label of a passkey. */
  readonly name?: string | undefined;
  /** The network address from where it was done. */
  readonly address: string;
}

/** Locks the person, so that two changes of their factors come one after the other. */
export async function lockFactors(tx: Tx, userId: number): Promise<Factors> {
  await accessUserForUpdate(tx, userId);
  return findFactors(tx, userId);
}

/**
 * `before` is what the person had. The first factor replaces the main chat key, which programs got for the password
 * alone, unless its owner keeps it: `replaceKey` is undefined then.
 */
export async function noteFactorAdded(
  tx: Tx,
  ctx: Context,
  user: User,
  change: FactorChange,
  {
    before,
    replaceKey,
  }: { before: Factors; replaceKey: ((tx: Tx) => Promise<unknown>) | undefined },
): Promise<void> {
  await clearFactorDue(tx, user.id);
  await noteChange(tx, ctx, user, 'add', change);
  if (!hasFactor(before)) await replaceKey?.(tx);
}

/** Refuses to remove the last factor of somebody who has to have one. `after` is what would be left. */
export async function checkRemovable(tx: Tx, user: User, after: Factors): Promise<void> {
  // One that may be a copy is no factor that could be required.
  const isLast = !hasFactor({ ...after, suspected: 0 });
  if (isLast && (await isFactorRequired(tx, user))) throw factorRequired();
}

/** Without a factor there is nothing that recovery codes could replace. */
export async function noteFactorRemoved(
  tx: Tx,
  ctx: Context,
  user: User,
  change: FactorChange,
  after: Factors,
): Promise<void> {
  if (!hasFactor(after)) await deleteRecoveryCodes(tx, user.id);
  await noteChange(tx, ctx, user, 'remove', change);
}

async function noteChange(
  tx: Tx,
  ctx: Context,
  user: User,
  verb: 'add' | 'remove',
  { kind, name, address }: FactorChange,
): Promise<void> {
  await freezeWithdrawals(tx, user.id, FREEZE_HOURS);
  emitSecurity(tx, user.id, 'factor');
  const details = { userId: user.id, kind, ...(name !== undefined && { name }) };
  noteAct(tx, { act: `factor ${verb}`, subject: user.email, details, by: user });
  const facts = { address, ...(name !== undefined && { name }) };
  await tellPerson(tx, ctx, user, verb === 'add' ? 'factor_added' : 'factor_removed', facts);
}
