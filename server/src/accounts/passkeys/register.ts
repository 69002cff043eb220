// Adds a passkey to an account: what the browser is asked for, and what is accepted.
import {
  generateRegistrationOptions,
  verifyRegistrationResponse,
  type PublicKeyCredentialCreationOptionsJSON,
  type VerifiedRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoBase64URL } from '@simplewebauthn/server/helpers';
import type { ApiContext, Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/transaction.ts';
import { MINUTE_MS } from '../../platform/std/time.ts';
import { readOrganizationName } from '../organization.ts';
import { lockFactors, noteFactorAdded } from '../second-factors/changes.ts';
import type { User } from '../user.ts';
import { ensureHandle } from '../users/credentials.ts';
import { challengeIn, CHALLENGE_MINUTES, openChallenge } from './challenges.ts';
import { passkeyNotTaken, passkeysImpossible, tooManyPasskeys } from './errors.ts';
import { parseLabel } from './label.ts';
import { relyingPartyOf, type RelyingParty } from './relying-party.ts';
import { knownTransports, parseRegistration, type RegistrationJson } from './shapes.ts';
import { insertPasskey, listPasskeysOf, takeChallenge, type Passkey } from './store.ts';

export const PASSKEYS_MAX = 20;
/** Ed25519, ECDSA with P-256, RSA: in the order in which we like them. */
const ALGORITHMS = [-8, -7, -257];

type PageContext = Context & Partial<Pick<ApiContext, 'publicUrl'>>;

export async function makeRegistrationOptions(
  ctx: PageContext,
  user: User,
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const party = partyOf(ctx);
  const known = await listPasskeysOf(ctx.db, user.id);
  if (known.length >= PASSKEYS_MAX) throw tooManyPasskeys(PASSKEYS_MAX);
  const handle = await ctx.inTransaction((tx) => ensureHandle(tx, user.id));
  const challenge = await openChallenge(ctx, {
    userId: user.id,
    purpose: 'register',
    boundTo: undefined,
  });
  return generateRegistrationOptions({
    rpName: (await readOrganizationName(ctx.db)) ?? ctx.config.ORGANIZATION_NAME,
    rpID: party.rpId,
    userID: new Uint8Array(handle),
    userName: user.email,
    userDisplayName: user.fullName,
    challenge: new Uint8Array(challenge),
    timeout: CHALLENGE_MINUTES * MINUTE_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    excludeCredentials: known.map(({ credential, transports }) => ({
      id: credential.toString('base64url'),
      transports: [...transports],
    })),
  });
}

export interface NewPasskey {
  readonly response: unknown;
  readonly label: string;
  /** The network address from where it was done. */
  readonly address: string;
  /** Replaces the main chat key if this is the first factor; undefined if its owner keeps the key. */
  readonly replaceKey: ((tx: Tx) => Promise<unknown>) | undefined;
}

/** Checks what the browser made, and stores it. */
export async function registerPasskey(
  ctx: PageContext,
  user: User,
  { response, label, address, replaceKey }: NewPasskey,
): Promise<bigint> {
  const party = partyOf(ctx);
  const name = parseLabel(label);
  const given = parseRegistration(response);
  if (given === undefined) {
    throw passkeyNotTaken('`response` is not what PublicKeyCredential.toJSON() gives.');
  }
  const { credential, ...rest } = await verify(ctx, party, user, given);
  const passkey = {
    userId: user.id,
    credential: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
    transports: knownTransports(given.response.transports),
    alone: rest.userVerified && given.clientExtensionResults?.credProps?.rk === true,
    backedUp: rest.credentialBackedUp,
    label: name,
  };
  return ctx.inTransaction((tx) => store(tx, ctx, user, passkey, { address, replaceKey }));
}

async function store(
  tx: Tx,
  ctx: Context,
  user: User,
  passkey: Omit<Passkey, 'id' | 'createdAt' | 'lastUsedAt' | 'suspectedAt'>,
  { address, replaceKey }: Pick<NewPasskey, 'address' | 'replaceKey'>,
): Promise<bigint> {
  // One change of a person's factors at a time: the limit and "the first one" hold for what is committed.
  const before = await lockFactors(tx, user.id);
  const known = await listPasskeysOf(tx, user.id);
  if (known.length >= PASSKEYS_MAX) throw tooManyPasskeys(PASSKEYS_MAX);
  const id = await insertPasskey(tx, passkey);
  if (id === undefined) throw passkeyNotTaken('it is registered already.');
  const change = { kind: 'passkey', name: passkey.label, address } as const;
  await noteFactorAdded(tx, ctx, user, change, { before, replaceKey });
  return id;
}

function partyOf(ctx: PageContext): RelyingParty {
  const party = relyingPartyOf(ctx);
  if (party === undefined) throw passkeysImpossible();
  return party;
}

type Registered = NonNullable<VerifiedRegistrationResponse['registrationInfo']>;

async function verify(
  ctx: Context,
  { rpId, origins }: RelyingParty,
  user: User,
  given: RegistrationJson,
): Promise<Registered> {
  const challenge = challengeIn(given.response.clientDataJSON);
  const isOurs =
    challenge !== undefined &&
    (await ctx.inTransaction((tx) =>
      takeChallenge(tx, { challenge, userId: user.id, purpose: 'register', boundTo: undefined }),
    ));
  if (!isOurs) {
    throw passkeyNotTaken('it took more than 5 minutes, or was sent twice. Please try once more.');
  }
  if (!isPlain(given)) {
    throw passkeyNotTaken('it came with a certificate of its maker, which nobody had asked for.');
  }
  try {
    const { registrationInfo } = await verifyRegistrationResponse({
      // Only the parts that were checked.
      response: {
        id: given.id,
        rawId: given.rawId,
        type: given.type,
        response: {
          clientDataJSON: given.response.clientDataJSON,
          attestationObject: given.response.attestationObject,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge.toString('base64url'),
      expectedOrigin: [...origins],
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (registrationInfo !== undefined && registrationInfo.credential.id === given.id) {
      return registrationInfo;
    }
  } catch (error) {
    ctx.log.debug({ err: error }, 'A passkey was not registered.');
  }
  throw passkeyNotTaken('what the browser sent does not belong to this page.');
}

/**
 * Whether there is no certificate to follow. We ask for none; to check one means to fetch addresses that its sender
 * chose.
 */
function isPlain({ response }: RegistrationJson): boolean {
  try {
    const object = decodeAttestationObject(isoBase64URL.toBuffer(response.attestationObject));
    const format = object.get('fmt');
    return (
      format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined)
    );
  } catch {
    return false;
  }
}
