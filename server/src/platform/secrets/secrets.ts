// Secrets at rest. A secret that must be read back is encrypted with its own data key, wrapped by the master key,
// which is not in the database; a secret that must be found has a keyed hash.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
  type KeyObject,
} from 'node:crypto';

export interface Secrets {
  /** The keyed hash under which a secret is found. Without the master key it reveals nothing. */
  lookup(purpose: string, secret: string): Buffer;
  /** Encrypts `secret`. It opens only for the same `owner`, so a row copied elsewhere is worthless. */
  seal(owner: string, secret: string): Buffer;
  open(owner: string, sealed: Buffer): string;
  /** Whether it is encrypted with the current master key; if not, it should be encrypted again. */
  isCurrent(sealed: Buffer): boolean;
  /** A key for one purpose alone, the same in every process that has the master key. */
  key(purpose: string): KeyObject;
  /** The same, with the key of the other master key that is accepted while both are in use. */
  keys(purpose: string): readonly KeyObject[];
  /** The key for lookups, unless the deployment has stored another one. */
  readonly lookupKey: Buffer;
  withLookupKey(lookupKey: Buffer): Secrets;
}

/** The stored value was not encrypted for this owner with this master key. */
export class SealError extends Error {
  override name = 'SealError';
}

/** The old format without the id of the master key; only read. */
const VERSION_WITHOUT_ID = 1;
const VERSION = 2;
const KEY_ID = 4;
const NONCE = 12;
const TAG = 16;
const KEY = 32;
const WRAPPED = NONCE + KEY + TAG;

interface Master {
  /** The prefix of everything encrypted with it. */
  readonly prefix: Buffer;
  readonly wrappingKey: Buffer;
  derive(info: string): Buffer;
}

function toMaster(hex: string): Master {
  const master = Buffer.from(hex, 'hex');
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', master, 'rialto', info, KEY));
  return {
    prefix: Buffer.concat([Buffer.of(VERSION), derive('key id').subarray(0, KEY_ID)]),
    wrappingKey: derive('wrap data keys'),
    derive,
  };
}

/** `otherKeyHex` is accepted and decrypts too, while one master key replaces another; empty: none. */
export function createSecrets(masterKeyHex: string, otherKeyHex = ''): Secrets {
  const current = toMaster(masterKeyHex);
  const masters = otherKeyHex === '' ? [current] : [current, toMaster(otherKeyHex)];
  return build(current, masters, current.derive('look up secrets'));
}

function build(current: Master, masters: readonly Master[], lookupBytes: Buffer): Secrets {
  // A key object, made once: with plain bytes every hash would create one, at five times its own cost.
  const lookupKey = createSecretKey(lookupBytes);
  // Separate from the keys above, whatever the purpose is called.
  const keyOf = (master: Master, purpose: string) =>
    createSecretKey(master.derive(`purpose: ${purpose}`));
  const isCurrent = (sealed: Buffer) =>
    sealed.subarray(0, current.prefix.length).equals(current.prefix);

  return {
    key: (purpose) => keyOf(current, purpose),
    keys: (purpose) => masters.map((master) => keyOf(master, purpose)),
    lookupKey: lookupBytes,
    withLookupKey: (other) => build(current, masters, other),
    lookup: (purpose, secret) =>
      createHmac('sha256', lookupKey).update(`${purpose}\0${secret}`).digest(),
    isCurrent,
    seal(owner, secret) {
      const dataKey = randomBytes(KEY);
      return Buffer.concat([
        current.prefix,
        encrypt(current.wrappingKey, dataKey, owner),
        encrypt(dataKey, Buffer.from(secret), owner),
      ]);
    },
    open(owner, sealed) {
      const { candidates, body } = candidatesFor(masters, sealed);
      let cause: unknown;
      for (const { wrappingKey } of candidates) {
        try {
          const dataKey = decrypt(wrappingKey, body.subarray(0, WRAPPED), owner);
          return decrypt(dataKey, body.subarray(WRAPPED), owner).toString();
        } catch (error) {
          cause = error;
        }
      }
      throw new SealError(
        'A sealed secret does not open: it was changed, it belongs to another row, or MASTER_KEY is another.',
        { cause },
      );
    },
  };
}

/** Which master keys may have encrypted it, and the encrypted part. */
function candidatesFor(
  masters: readonly Master[],
  sealed: Buffer,
): { candidates: readonly Master[]; body: Buffer } {
  const [version] = sealed;
  if (version === VERSION_WITHOUT_ID) return { candidates: masters, body: sealed.subarray(1) };
  if (version !== VERSION) {
    throw new SealError(`A sealed secret has the unknown version ${version}.`);
  }
  const head = sealed.subarray(0, 1 + KEY_ID);
  return {
    candidates: masters.filter(({ prefix }) => prefix.equals(head)),
    body: sealed.subarray(1 + KEY_ID),
  };
}

function encrypt(key: Buffer, plain: Buffer, owner: string): Buffer {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(owner));
  return Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

function decrypt(key: Buffer, box: Buffer, owner: string): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, box.subarray(0, NONCE))
    .setAAD(Buffer.from(owner))
    .setAuthTag(box.subarray(-TAG));
  return Buffer.concat([decipher.update(box.subarray(NONCE, -TAG)), decipher.final()]);
}
