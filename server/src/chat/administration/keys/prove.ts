// Proves that the person of a session is there, before their key is shown: by a second factor, or by the password of an
// account that has none.
import { directoryProof } from '../../../accounts/ldap/actions.ts';
import { confirmPassword } from '../../../accounts/passwords/actions.ts';
import { readStepUp, requireFresh } from '../../../accounts/second-factors/step-up.ts';
import type { Session } from '../../../accounts/sessions/access.ts';
import type { Context } from '../../../platform/context.ts';
import { limitKeyOf } from '../../../platform/http/address.ts';
import { noSession } from '../../http/errors.ts';
import { createPerson } from '../users/actions.ts';

/** For routes that only browsers have. */
export function accessSession(session: Session | undefined): Session {
  if (session === undefined) throw noSession();
  return session;
}

export async function proveForKey(
  ctx: Context,
  session: Session,
  password: string,
  caller: string,
): Promise<void> {
  const { id: sessionId, user } = session;
  const { methods } = await readStepUp(ctx, session);
  if (!methods.includes('password')) return requireFresh(ctx, session);
  const proof = directoryProof(ctx, createPerson);
  await confirmPassword(ctx, user, { password, address: limitKeyOf(caller), sessionId }, proof);
}
