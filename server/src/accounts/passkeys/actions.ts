// What the owner of a passkey does with it later: another label, trust after a suspicion, the end.
import type { Context } from '../../platform/context.ts';
import { noteChange } from '../audit/actions.ts';
import { checkRemovable, lockFactors, noteFactorRemoved } from '../second-factors/changes.ts';
import { findFactors } from '../second-factors/access.ts';
import type { User } from '../user.ts';
import { noSuchPasskey } from './errors.ts';
import { parseLabel } from './label.ts';
import { deletePasskey, lockPasskey, updatePasskey } from './store.ts';

export interface PasskeyChange {
  readonly label?: string | undefined;
  /** The owner says that there is no copy: it can be used again. */
  readonly isTrusted?: boolean | undefined;
}

export function changePasskey(
  ctx: Context,
  user: User,
  id: bigint,
  { label, isTrusted }: PasskeyChange,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockFactors(tx, user.id);
    const passkey = await lockPasskey(tx, user.id, id);
    if (passkey === undefined) throw noSuchPasskey();
    const next = {
      label: label === undefined ? passkey.label : parseLabel(label),
      suspectedAt: isTrusted === true ? null : passkey.suspectedAt,
    };
    await updatePasskey(tx, id, next);
    const shown = (one: { label: string; suspectedAt: Date | null }) => ({
      label: one.label,
      suspected: one.suspectedAt !== null,
    });
    noteChange(tx, {
      act: 'factor change',
      subject: user.email,
      details: { factor: 'passkey', id: String(id) },
      before: shown(passkey),
      after: shown(next),
    });
  });
}

export function removePasskey(
  ctx: Context,
  user: User,
  id: bigint,
  address: string,
): Promise<void> {
  return ctx.inTransaction(async (tx) => {
    await lockFactors(tx, user.id);
    const passkey = await lockPasskey(tx, user.id, id);
    if (passkey === undefined) throw noSuchPasskey();
    await deletePasskey(tx, id);
    const after = await findFactors(tx, user.id);
    await checkRemovable(tx, user, after);
    const change = { kind: 'passkey', name: passkey.label, address } as const;
    await noteFactorRemoved(tx, ctx, user, change, after);
  });
}
