// Checks a second factor. Every place that asks for one asks here: signing in, step-up, recovery.
import type { Context } from '../../platform/context.ts';
import type { User } from '../user.ts';
import type { FactorAnswer, Method } from './factor.ts';

/**
 * Spends the factor: a code or an assertion is good once, committed before this returns. Returns the method, or
 * undefined for a wrong answer. Counts tries for the account, and throws a 429 when there were too many.
 */
export async function checkFactor(
  _ctx: Context,
  _user: User,
  _answer: FactorAnswer,
  _place: { readonly address: string; readonly device: string | undefined },
): Promise<Method | undefined> {
  throw new Error('No second factor can be checked yet.');
}
