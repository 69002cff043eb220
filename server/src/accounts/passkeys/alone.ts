// Signing in with a passkey and nothing else. The browser offers the passkeys that it has for this host; the one that its
// owner chooses names them, and must have verified them by a finger, a face or a number.
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import type { ApiContext } from '../../platform/context.ts';
import { createToken, isToken } from '../sessions/token.ts';
import { insertChallengeAlone, takeChallengeAlone } from '../sign-in/challenges.ts';
import type { User } from '../user.ts';
import { findUserByHandle } from '../users/credentials.ts';
import { createChallenge, challengeIn } from './challenges.ts';
import { checkAssertion, makeOptions } from './check.ts';
import { parseAssertion } from './shapes.ts';

const lookupOf = ({ secrets }: ApiContext, token: string): Buffer =>
  secrets.lookup('passkey sign-in token', token);

/** The browser keeps `token` in its sign-in cookie: the answer must come from where the question went. */
export async function beginAlone(
  ctx: ApiContext,
): Promise<{ token: string; options: PublicKeyCredentialRequestOptionsJSON }> {
  const challenge = createChallenge();
  const options = await makeOptions(ctx, { challenge });
  const token = createToken();
  await insertChallengeAlone(ctx.db, lookupOf(ctx, token), challenge);
  return { token, options };
}

/** Whose passkey it is; undefined for a wrong answer. The challenge is spent in any case. */
export async function findByPasskey(
  ctx: ApiContext,
  token: string | undefined,
  assertion: unknown,
): Promise<User | undefined> {
  const given = parseAssertion(assertion);
  const challenge = given && challengeIn(given.response.clientDataJSON);
  const { userHandle } = given?.response ?? {};
  if (given === undefined || challenge === undefined || !userHandle) return undefined;
  if (token === undefined || !isToken(token)) return undefined;
  if (!(await takeChallengeAlone(ctx.db, lookupOf(ctx, token), challenge))) return undefined;
  const user = await findUserByHandle(ctx.db, Buffer.from(userHandle, 'base64url'));
  if (user === undefined || user.botType !== null) return undefined;
  return (await checkAssertion(ctx, user, { given, challenge, isAlone: true })) ? user : undefined;
}
