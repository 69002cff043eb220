// What every change of a person's second factors brings with it.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { Refusal } from '../../platform/http/refusal.ts';
import { tellPerson } from '../notices/actions.ts';
import { freezeWithdrawals } from '../trading-keys/access.ts';
import type { User } from '../user.ts';
import { isFactorAsked } from '../users/credentials.ts';
import { hasFactor } from '../second-factors/factor.ts';
import { findFactors } from '../second-factors/store.ts';

const FREEZE_HOURS = 24;

/** Ends the main chat key, with all that depends on it. Chat knows what that is. */
export type ReplaceKey = (tx: Tx) => Promise<unknown>;

export type FactorChange =
  | {
      readonly kind: 'added';
      /** What its owner calls it. */
      readonly name: string;
      /** Whether the main chat key stays, although this is the first factor. */
      readonly keepKey: boolean;
      readonly replaceKey: ReplaceKey;
    }
  | { readonly kind: 'removed'; readonly name: string };

/**
 * Call it after the rows have changed, with the person's row locked. Programs that have the main key never showed a
 * factor, so the first factor ends it. The last factor stays while the organization asks for one.
 */
export async function afterFactorChange(
  tx: Tx,
  ctx: Context,
  user: User,
  change: FactorChange,
): Promise<void> {
  const factors = await findFactors(tx, user.id);
  if (change.kind === 'added') {
    const isFirst = Number(factors.totp) + factors.passkeys === 1;
    if (isFirst && !change.keepKey) await change.replaceKey(tx);
  } else if (!hasFactor(factors) && (await isFactorAsked(tx, user.id))) {
    throw factorRequired();
  }
  await freezeWithdrawals(tx, user.id, FREEZE_HOURS);
  const notice = change.kind === 'added' ? 'factor_added' : 'factor_removed';
  await tellPerson(tx, ctx, user, notice, { name: change.name });
}

const factorRequired = () =>
  new Refusal({
    code: 'FACTOR_REQUIRED',
    message:
      'Your organization asks for a second factor, and this is your last one. Add another one first.',
    status: 400,
  });
