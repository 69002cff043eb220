// A passkey in software, as a browser with an authenticator would answer. A test can make it lie about anything.
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';

/** What the browser and the authenticator say; a test changes what it wants to be wrong. */
export interface Lies {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly isPresent?: boolean;
  readonly counter?: number;
  readonly userHandle?: string | null;
  readonly crossOrigin?: boolean;
  /** Signs with another key. */
  readonly isForged?: boolean;
  readonly id?: string;
}

interface CreationOptions {
  readonly challenge: string;
  readonly rp: { readonly id?: string };
  readonly user: { readonly id: string };
}

interface RequestOptions {
  readonly challenge: string;
  readonly rpId?: string;
}

export interface Authenticator {
  readonly id: string;
  readonly userHandle: string | undefined;
  /** How often it was used; 0 for ever in one that does not count. */
  counter: number;
  register(options: CreationOptions, lies?: Lies & { attestation?: Buffer }): object;
  assert(options: RequestOptions, lies?: Lies): object;
}

export function createAuthenticator(
  origin: string,
  { counts = true }: { readonly counts?: boolean } = {},
): Authenticator {
  const credential = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const id = credential.toString('base64url');

  const dataOf = (rpId: string, lies: Lies, own: Authenticator, attested?: Buffer): Buffer => {
    if (counts) own.counter += 1;
    const { isPresent = true, isVerified = true, counter = own.counter } = lies;
    const flags = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (attested === undefined ? 0 : 0x40);
    const number = Buffer.alloc(4);
    number.writeUInt32BE(counter);
    const hash = createHash('sha256')
      .update(lies.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, Buffer.of(flags), number, attested ?? Buffer.alloc(0)]);
  };

  let userHandle: string | undefined;
  const authenticator: Authenticator = {
    id,
    get userHandle() {
      return userHandle;
    },
    counter: 0,
    register({ challenge, rp, user }, lies = {}) {
      userHandle = user.id;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credential, coseOf(publicKey)]);
      const authData = dataOf(rp.id ?? '', lies, this, attested);
      const clientData = clientDataOf('webauthn.create', challenge, origin, lies);
      return {
        id: lies.id ?? id,
        rawId: lies.id ?? id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          attestationObject: (lies.attestation ?? attestationOf(authData)).toString('base64url'),
          transports: ['internal', 'pigeon'],
        },
        clientExtensionResults: { credProps: { rk: true } },
        authenticatorAttachment: 'platform',
      };
    },
    assert({ challenge, rpId = '' }, lies = {}) {
      const authData = dataOf(rpId, lies, this);
      const clientData = clientDataOf('webauthn.get', challenge, origin, lies);
      const signed = Buffer.concat([authData, createHash('sha256').update(clientData).digest()]);
      const signature = sign('sha256', signed, lies.isForged === true ? other : privateKey);
      const handle = lies.userHandle === undefined ? userHandle : lies.userHandle;
      return {
        id: lies.id ?? id,
        rawId: lies.id ?? id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData.toString('base64url'),
          authenticatorData: authData.toString('base64url'),
          signature: signature.toString('base64url'),
          ...(handle !== undefined && { userHandle: handle }),
        },
        clientExtensionResults: {},
      };
    },
  };
  return authenticator;
}

const clientDataOf = (type: string, challenge: string, origin: string, lies: Lies): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: lies.type ?? type,
      challenge: lies.challenge ?? challenge,
      origin: lies.origin ?? origin,
      crossOrigin: lies.crossOrigin ?? false,
    }),
  );

/** CBOR of `{fmt, attStmt, authData}`. */
export const attestationOf = (
  authData: Buffer,
  format = 'none',
  statement: Buffer = Buffer.of(0xa0),
): Buffer =>
  Buffer.concat([
    Buffer.of(0xa3),
    text('fmt'),
    text(format),
    text('attStmt'),
    statement,
    text('authData'),
    bytes(authData),
  ]);

export const text = (value: string): Buffer =>
  Buffer.concat([Buffer.of(0x60 + value.length), Buffer.from(value)]);

export function bytes(value: Buffer): Buffer {
  const { length } = value;
  const head = length < 256 ? Buffer.of(0x58, length) : Buffer.of(0x59, length >> 8, length & 0xff);
  return Buffer.concat([head, value]);
}

/** The public key as COSE writes it: EC2, ES256, P-256, x, y. */
function coseOf(key: KeyObject): Buffer {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  return Buffer.concat([
    Buffer.of(0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21),
    bytes(Buffer.from(x, 'base64url')),
    Buffer.of(0x22),
    bytes(Buffer.from(y, 'base64url')),
  ]);
}
