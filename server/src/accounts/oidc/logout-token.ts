// Checks the token with which a provider announces a logout (OpenID Connect Back-Channel Logout 1.0). The library has
// no such check, so the signature is verified here, with Node's own cryptography.
import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { BadClaims, checkIssuedAt, CLOCK_TOLERANCE_SECONDS } from './claims.ts';
import { askConfigured, keysOf } from './client.ts';
import type { Provider } from './settings.ts';

const EVENT = 'http://schemas.openid.net/event/backchannel-logout';
const TOKEN_CHARACTERS_MAX = 16_000;
const TEXT_CHARACTERS_MAX = 255;
const KEYS_MAX = 50;
/** Keys are read again after this, and not sooner for an unknown key: anybody can send us one. */
const KEYS_MS = 60_000;

export interface Logout {
  readonly jti: string;
  readonly sid: string | undefined;
  readonly subject: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;

/** Throws `BadClaims` with the reason, for the log, or what asking the provider throws. */
export async function checkLogoutToken(
  provider: Provider,
  token: string,
  nowMs: number,
): Promise<Logout> {
  if (token.length > TOKEN_CHARACTERS_MAX) throw new BadClaims('The token is too long.');
  const parts = token.split('.');
  const [header = '', payload = '', signature = ''] = parts;
  if (parts.length !== 3) throw new BadClaims('It is no signed token.');
  const { alg, kid, typ, crit } = parse(header);
  if (alg !== provider.algorithm) throw new BadClaims('alg is not the configured one.');
  if (crit !== undefined) throw new BadClaims('crit is not understood.');
  // Older providers give no type of their own. An identity token is refused by its missing event.
  if (typeof typ === 'string' && !/^(?:application\/)?(?:logout\+jwt|jwt)$/i.test(typ)) {
    throw new BadClaims('typ is not that of a logout.');
  }
  const { issuer, keys } = await readKeys(provider);
  const signed = Buffer.from(`${header}.${payload}`);
  const bytes = Buffer.from(signature, 'base64url');
  const fitting = keys.filter((key) => kid === undefined || key.kid === kid);
  if (!fitting.some(({ key }) => isSignedBy(provider, key, signed, bytes))) {
    throw new BadClaims('No key of the provider has signed it.');
  }
  return checkLogoutClaims(parse(payload), { issuer, clientId: provider.clientId, nowMs });
}

/** What the signature vouches for. */
export function checkLogoutClaims(
  claims: Json,
  { issuer, clientId, nowMs }: { issuer: string; clientId: string; nowMs: number },
): Logout {
  const { iss, aud, exp, iat, jti, events, nonce, sid, sub } = claims;
  if (iss !== issuer) throw new BadClaims('iss is another.');
  if (aud !== clientId && !(Array.isArray(aud) && aud.includes(clientId))) {
    throw new BadClaims('aud is another.');
  }
  checkIssuedAt(iat, nowMs);
  // Older providers give no end; then the age alone decides.
  if (
    exp !== undefined &&
    !(typeof exp === 'number' && exp > nowMs / 1000 - CLOCK_TOLERANCE_SECONDS)
  ) {
    throw new BadClaims('exp is past.');
  }
  if (typeof events !== 'object' || events === null || !Object.hasOwn(events, EVENT)) {
    throw new BadClaims('It announces no logout.');
  }
  if (nonce !== undefined) throw new BadClaims('It has a nonce, as identity tokens have.');
  const [id, session, subject] = [textOf(jti), textOf(sid), textOf(sub)];
  if (id === undefined) throw new BadClaims('jti is missing.');
  if (session === undefined && subject === undefined) throw new BadClaims('It names nobody.');
  return { jti: id, sid: session, subject };
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' && value.length <= TEXT_CHARACTERS_MAX
    ? value
    : undefined;

function parse(part: string): Json {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  } catch {
    // Said below.
  }
  throw new BadClaims('It is no signed token.');
}

interface KnownKey {
  readonly kid: unknown;
  readonly key: KeyObject;
}

interface KnownKeys {
  readonly issuer: string;
  readonly keys: readonly KnownKey[];
  readonly atMs: number;
}

const known = new WeakMap<Provider, KnownKeys>();

async function readKeys(provider: Provider): Promise<KnownKeys> {
  const found = known.get(provider);
  if (found !== undefined && Date.now() - found.atMs < KEYS_MS) return found;
  const { issuer, jwksUri } = await keysOf(provider);
  const { body } = await askConfigured(provider.issuer, {
    url: jwksUri,
    method: 'GET',
    headers: { accept: 'application/json' },
  });
  const read = { issuer, keys: parseKeys(provider, body.toString()), atMs: Date.now() };
  known.set(provider, read);
  return read;
}

const TYPES = { RS256: 'RSA', PS256: 'RSA', ES256: 'EC', EdDSA: 'OKP' } as const;

function parseKeys({ algorithm }: Provider, text: string): KnownKey[] {
  const { keys } = JSON.parse(text) as { readonly keys?: unknown };
  if (!Array.isArray(keys)) throw new BadClaims('The provider shows no keys.');
  return keys.slice(0, KEYS_MAX).flatMap((given: unknown) => {
    if (typeof given !== 'object' || given === null) return [];
    const jwk = given as Json;
    const isFit =
      jwk['kty'] === TYPES[algorithm] &&
      (jwk['use'] === undefined || jwk['use'] === 'sig') &&
      (jwk['alg'] === undefined || jwk['alg'] === algorithm);
    if (!isFit) return [];
    try {
      return [{ kid: jwk['kid'], key: createPublicKey({ key: { ...jwk }, format: 'jwk' }) }];
    } catch {
      // A key of a kind that is not known here signs nothing that is accepted.
      return [];
    }
  });
}

const PSS_PADDING = 6;
const HASH_BYTES = 32;

/** The configured algorithm alone decides how a signature is checked, never the token. */
function isSignedBy(
  { algorithm }: Provider,
  key: KeyObject,
  signed: Buffer,
  signature: Buffer,
): boolean {
  if (algorithm === 'EdDSA') return verify(null, signed, key, signature);
  if (algorithm === 'ES256') {
    const isCurve = key.asymmetricKeyDetails?.namedCurve === 'prime256v1';
    return isCurve && verify('sha256', signed, { key, dsaEncoding: 'ieee-p1363' }, signature);
  }
  if (algorithm === 'RS256') return verify('sha256', signed, key, signature);
  return verify('sha256', signed, { key, padding: PSS_PADDING, saltLength: HASH_BYTES }, signature);
}
