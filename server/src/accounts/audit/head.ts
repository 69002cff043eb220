// A head of the audit log: the signed statement which entry was the last at a time. Without I/O, so
// that anybody with a head and the public key can check it. The key is not derived from MASTER_KEY:
// an attacker who can read the database and its secrets still cannot sign.
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  sign,
  verify,
  type KeyObject,
} from 'node:crypto';

export interface AuditHead {
  readonly seq: bigint;
  readonly hash: Buffer;
  readonly at: Date;
  readonly keyId: string;
  readonly signature: Buffer;
}

/** The other bytes of an Ed25519 key in the forms that the library parses (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex');
const PUBLIC_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const KEY_BYTES = 32;
const KEY_TEXT = /^[A-Za-z0-9_-]{43}$/;
const KEY_ID_DIGITS = 16;

/** A new pair, each as 43 characters. */
export function createKeyPair(): { readonly privateKey: string; readonly publicKey: string } {
  const pair = generateKeyPairSync('ed25519');
  const raw = pair.privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-KEY_BYTES);
  return { privateKey: raw.toString('base64url'), publicKey: publicTextOf(pair.publicKey) };
}

const publicTextOf = (key: KeyObject): string =>
  key.export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES).toString('base64url');

/** A private key from its 43 characters. */
export const openPrivateKey = (text: string): KeyObject =>
  createPrivateKey({
    key: Buffer.concat([PRIVATE_PREFIX, Buffer.from(text, 'base64url')]),
    format: 'der',
    type: 'pkcs8',
  });

/** The public half of a private key. */
export const publicKeyOf = (privateKey: string): string =>
  publicTextOf(createPublicKey(openPrivateKey(privateKey)));

export const isKey = (text: string): boolean => KEY_TEXT.test(text);

/** The id by which a head names its signing key. */
export const keyIdOf = (publicKey: string): string =>
  createHash('sha256')
    .update(Buffer.from(publicKey, 'base64url'))
    .digest('hex')
    .slice(0, KEY_ID_DIGITS);

/** What is signed. The first line keeps the signature from being used for anything else. */
const textOf = ({ seq, hash, at, keyId }: Omit<AuditHead, 'signature'>): Buffer =>
  Buffer.from(
    ['rialto audit head 1', seq, hash.toString('hex'), at.toISOString(), keyId].join('\n'),
  );

export function signHead(
  privateKey: string,
  end: Pick<AuditHead, 'seq' | 'hash' | 'at'>,
): AuditHead {
  const unsigned = { ...end, keyId: keyIdOf(publicKeyOf(privateKey)) };
  return { ...unsigned, signature: sign(null, textOf(unsigned), openPrivateKey(privateKey)) };
}

/** Whether the head has a valid signature of this key. */
export function isHeadSignedBy(head: AuditHead, publicKey: string): boolean {
  if (head.keyId !== keyIdOf(publicKey)) return false;
  const key = createPublicKey({
    key: Buffer.concat([PUBLIC_PREFIX, Buffer.from(publicKey, 'base64url')]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, textOf(head), key, head.signature);
}

/** The published form: nothing in it is private. */
export interface PublishedHead {
  readonly version: 1;
  readonly seq: string;
  readonly hash: string;
  readonly time: string;
  readonly keyId: string;
  readonly signature: string;
}

export const toPublished = ({ seq, hash, at, keyId, signature }: AuditHead): PublishedHead => ({
  version: 1,
  seq: String(seq),
  hash: hash.toString('hex'),
  time: at.toISOString(),
  keyId,
  signature: signature.toString('base64url'),
});

const SHAPES = {
  seq: /^[1-9]\d{0,17}$/,
  hash: /^[0-9a-f]{64}$/,
  time: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  keyId: /^[0-9a-f]{16}$/,
  signature: /^[A-Za-z0-9_-]{86}$/,
} as const;

/** Parses a published head; undefined for anything else. */
export function parsePublished(value: unknown): AuditHead | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const given = value as Readonly<Record<string, unknown>>;
  const isHead =
    given['version'] === 1 &&
    Object.entries(SHAPES).every(
      ([name, shape]) => typeof given[name] === 'string' && shape.test(given[name]),
    );
  if (!isHead) return undefined;
  const { seq, hash, time, keyId, signature } = given as unknown as PublishedHead;
  const at = new Date(time);
  if (Number.isNaN(at.getTime())) return undefined;
  return {
    seq: BigInt(seq),
    hash: Buffer.from(hash, 'hex'),
    at,
    keyId,
    signature: Buffer.from(signature, 'base64url'),
  };
}
