// Asks for an assertion of a passkey, and checks it. An assertion signs a challenge, which is good once.
import {
  generateAuthenticationOptions,
  verifyAuthenticationResponse,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/server';
import type { ApiContext, Context } from '../../platform/context.ts';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { noteAct } from '../audit/actions.ts';
import { tellPerson } from '../notices/actions.ts';
import { takeSignInChallenge } from '../sign-in/challenges.ts';
import type { User } from '../user.ts';
import { findHandle } from '../users/credentials.ts';
import { challengeIn, CHALLENGE_MINUTES, openChallenge } from './challenges.ts';
import { passkeysImpossible } from './errors.ts';
import { relyingPartyOf } from './relying-party.ts';
import { parseAssertion, type AssertionJson } from './shapes.ts';
import {
  findPasskey,
  listPasskeysOf,
  noteUse,
  suspect,
  takeChallenge,
  type Passkey,
} from './store.ts';

type PageContext = Context & Partial<Pick<ApiContext, 'publicUrl'>>;

/** For a person who is signed in. `boundTo` is the hash of the one act that the assertion is for. */
export async function askPasskey(
  ctx: PageContext,
  user: User,
  boundTo?: Buffer,
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const challenge = await openChallenge(ctx, { userId: user.id, purpose: 'assert', boundTo });
  return makeOptions(ctx, { challenge, user });
}

/** Without a user the browser offers every passkey that it has for this host, and its owner must be verified. */
export async function makeOptions(
  ctx: PageContext,
  { challenge, user }: { readonly challenge: Buffer; readonly user?: User },
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  const party = relyingPartyOf(ctx);
  if (party === undefined) throw passkeysImpossible();
  const known = user === undefined ? [] : await listPasskeysOf(ctx.db, user.id);
  return generateAuthenticationOptions({
    rpID: party.rpId,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MINUTES * MINUTE_MS,
    userVerification: user === undefined ? 'required' : 'preferred',
    allowCredentials: known
      .filter(({ suspectedAt }) => suspectedAt === null)
      .map(({ credential, transports }) => ({
        id: credential.toString('base64url'),
        transports: [...transports],
      })),
  });
}

/**
 * Whether the assertion is one of this person's passkeys, for a challenge that this person was given. The challenge is
 * spent in any case. With `boundTo` it must have been given for that act, or to that sign-in.
 */
export async function checkPasskey(
  ctx: PageContext,
  user: User,
  { assertion, boundTo }: { readonly assertion: unknown; readonly boundTo?: Buffer | undefined },
): Promise<boolean> {
  const given = parseAssertion(assertion);
  const challenge = given && challengeIn(given.response.clientDataJSON);
  if (given === undefined || challenge === undefined) return false;
  const isOurs = await ctx.inTransaction(
    async (tx) =>
      (await takeChallenge(tx, { challenge, userId: user.id, purpose: 'assert', boundTo })) ||
      (boundTo !== undefined &&
        (await takeSignInChallenge(tx, { challenge, userId: user.id, lookup: boundTo }))),
  );
  if (!isOurs) return false;
  return checkAssertion(ctx, user, { given, challenge, isAlone: false });
}

export interface Assertion {
  readonly given: AssertionJson;
  /** Ours, and spent. */
  readonly challenge: Buffer;
  /** Whether nothing else proves who it is: then the passkey must have verified its user, and name them. */
  readonly isAlone: boolean;
}

export async function checkAssertion(
  ctx: PageContext,
  user: User,
  { given, challenge, isAlone }: Assertion,
): Promise<boolean> {
  const passkey = await findPasskey(ctx.db, Buffer.from(given.id, 'base64url'));
  if (passkey?.userId !== user.id || passkey.suspectedAt !== null) return false;
  const { userHandle } = given.response;
  const isNamed = userHandle !== undefined && userHandle !== null && userHandle !== '';
  if (isAlone && !isNamed) return false;
  if (isNamed) {
    const handle = await findHandle(ctx.db, user.id);
    if (handle === null || !handle.equals(Buffer.from(userHandle, 'base64url'))) return false;
  }
  const shown = await verify(ctx, passkey, { given, challenge, isAlone });
  if (shown === undefined) return false;
  const { newCounter: counter, credentialBackedUp: backedUp } = shown;
  return ctx.inTransaction(async (tx) => {
    if (await noteUse(tx, passkey.id, { counter, backedUp, alone: isAlone })) return true;
    if (!(await suspect(tx, passkey.id, counter))) return false;
    const { label, id } = passkey;
    const details = { factor: 'passkey', id: String(id), label, refused: 'counter' };
    noteAct(tx, { act: 'factor use', subject: user.email, details, by: user });
    await tellPerson(tx, ctx, user, 'passkey_suspected', { name: label });
    return false;
  });
}

/** What a right assertion says; undefined for a wrong one. */
async function verify(
  ctx: PageContext,
  { credential, publicKey }: Passkey,
  { given, challenge, isAlone }: Assertion,
) {
  const party = relyingPartyOf(ctx);
  if (party === undefined) return undefined;
  const { clientDataJSON, authenticatorData, signature } = given.response;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        id: given.id,
        rawId: given.rawId,
        type: given.type,
        response: { clientDataJSON, authenticatorData, signature },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: [...party.origins],
      expectedRPID: party.rpId,
      requireUserVerification: isAlone,
      credential: {
        id: credential.toString('base64url'),
        publicKey: new Uint8Array(publicKey),
        // The library compares counters before it checks the signature, and then anybody could have a passkey
        // suspected. The counter is compared when it is stored, in one statement.
        counter: 0,
      },
    });
    return verified ? authenticationInfo : undefined;
  } catch (error) {
    ctx.log.debug({ err: error }, 'An assertion of a passkey was refused.');
    return undefined;
  }
}
