// Secrets at rest. What must be read back is sealed with a data key of its own, wrapped by the master
// key, which is not in the database; what must be found is found by a keyed hash.
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
  /** The keyed hash under which a secret is found. Without the master key it tells nothing. */
  lookup(purpose: string, secret: string): Buffer;
  /** Seals `secret`. It opens only for the same `owner`, so a row copied elsewhere is worthless. */
  seal(owner: string, secret: string): Buffer;
  open(owner: string, sealed: Buffer): string;
  /** A key for one purpose alone, the same in every process that has the master key. */
  key(purpose: string): KeyObject;
}

/** What is stored is not what was sealed for this owner with this master key. */
export class SealError extends Error {
  override name = 'SealError';
}

const VERSION = 1;
const NONCE = 12;
const TAG = 16;
const KEY = 32;
const WRAPPED = NONCE + KEY + TAG;

export function createSecrets(masterKeyHex: string): Secrets {
  const master = Buffer.from(masterKeyHex, 'hex');
  const derive = (info: string) => Buffer.from(hkdfSync('sha256', master, 'rialto', info, KEY));
  const wrappingKey = derive('wrap data keys');
  // A key object, made once: from plain bytes every hash would make one, at five times its own cost.
  const lookupKey = createSecretKey(derive('look up secrets'));

  return {
    // Apart from the keys above, whatever the purpose is called.
    key: (purpose) => createSecretKey(derive(`purpose: ${purpose}`)),
    lookup: (purpose, secret) =>
      createHmac('sha256', lookupKey).update(`${purpose}\0${secret}`).digest(),
    seal(owner, secret) {
      const dataKey = randomBytes(KEY);
      return Buffer.concat([
        Buffer.of(VERSION),
        encrypt(wrappingKey, dataKey, owner),
        encrypt(dataKey, Buffer.from(secret), owner),
      ]);
    },
    open(owner, sealed) {
      if (sealed[0] !== VERSION)
        throw new SealError(`A sealed secret has the unknown version ${sealed[0]}.`);
      try {
        const dataKey = decrypt(wrappingKey, sealed.subarray(1, 1 + WRAPPED), owner);
        return decrypt(dataKey, sealed.subarray(1 + WRAPPED), owner).toString();
      } catch (error) {
        throw new SealError(
          'A sealed secret does not open: it was changed, it belongs to another row, or MASTER_KEY is another.',
          { cause: error },
        );
      }
    },
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
