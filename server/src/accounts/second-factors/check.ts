// Checks a second factor. Every place that asks for one asks here: signing in, step-up, recovery.
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { noteAct, noteNothing } from '../audit/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { checkPasskey } from '../passkeys/check.ts';
import { takeNotice, tryCode } from '../sign-in/codes.ts';
import type { User } from '../user.ts';
import type { Method } from '../method.ts';
import type { FactorPlace } from './act.ts';
import type { FactorAnswer } from './factor.ts';
import { normalizeRecoveryCode, recoveryLookup } from './recovery-codes.ts';
import { totpOwner } from './sealed.ts';
import { findTotp, spendRecoveryCode, spendStep } from './store.ts';
import { findStep, normalizeCode } from './totp.ts';

/** Wrong codes in a row, each after the right password, after which its owner is told. */
const SUSPICIOUS_CODES = 3;

/** Where it is asked, and at which moment. */
export interface AskedPlace extends FactorPlace {
  /** Whether the asker has just given the right password, and is not signed in. */
  readonly isSignIn?: boolean;
}

/**
 * Spends the factor: a code or an assertion is good once, committed before this returns. Returns the method, or
 * undefined for a wrong answer. Counts tries for the account, and throws a 429 when there were too many.
 */
export async function checkFactor(
  ctx: Context,
  user: User,
  answer: FactorAnswer,
  place: AskedPlace,
): Promise<Method | undefined> {
  // Nobody guesses a signature, so nothing is counted.
  if (answer.kind === 'passkey') {
    return (await checkPasskey(ctx, user, answer)) ? 'passkey' : undefined;
  }
  return tryCode<Method>(ctx, user.id, place.device, {
    spend: async (tx) =>
      answer.kind === 'totp'
        ? spendTotp(ctx, tx, user, answer.code)
        : spendRecovery(ctx, tx, user, answer.code, place),
    async failed(tx, failuresInRow) {
      noteNothing(tx);
      if (place.isSignIn !== true || failuresInRow < SUSPICIOUS_CODES) return;
      if (!(await takeNotice(tx, ctx, user.id))) return;
      await tellPerson(tx, ctx, user, 'password_known', { address: place.address });
    },
  });
}

async function spendTotp(
  ctx: Context,
  tx: Tx,
  { id }: User,
  typed: string,
): Promise<'totp' | undefined> {
  const row = await findTotp(tx, id);
  if (row === undefined) return undefined;
  const { sealed, lastStep, nowSeconds } = row;
  const secret = Buffer.from(ctx.secrets.open(totpOwner(id), sealed), 'hex');
  const step = findStep(secret, normalizeCode(typed), { seconds: nowSeconds, lastStep });
  if (step === undefined) return undefined;
  return (await spendStep(tx, id, { sealed, step })) ? 'totp' : undefined;
}

async function spendRecovery(
  ctx: Context,
  tx: Tx,
  user: User,
  typed: string,
  { address }: FactorPlace,
): Promise<'recovery' | undefined> {
  const code = normalizeRecoveryCode(typed);
  if (code === undefined) return undefined;
  const lookup = recoveryLookup(ctx.secrets, user.id, code);
  if (!(await spendRecoveryCode(tx, user.id, lookup))) return undefined;
  const details = { address, kind: 'recovery code' };
  noteAct(tx, { act: 'factor use', subject: user.email, details, by: user });
  await tellPerson(tx, ctx, user, 'recovery_code_used', { address });
  return 'recovery';
}
