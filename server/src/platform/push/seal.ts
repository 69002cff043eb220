// Encrypts for one device, with the key that it gave. Nobody in between can read it, or change it unnoticed.
import sodium from 'libsodium-wrappers';

/**
 * Two ways, by the age of the app: a secret shared only by the device and us (XSalsa20-Poly1305), or the device's
 * public key (a sealed box).
 */
export type PushKeyKind = 'secret' | 'public';

export interface PushKey {
  readonly kind: PushKeyKind;
  readonly bytes: Uint8Array;
}

const KEY_BYTES = 32;
/** Names the cryptosystem of the secret; there is one so far. */
const SECRET_PREFIX = 0x31;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** The key in the text that the app sent, or undefined if there is none. */
export function parseGivenPushKey(kind: PushKeyKind, text: string): PushKey | undefined {
  if (!BASE64.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  if (kind === 'public') return bytes.length === KEY_BYTES ? { kind, bytes } : undefined;
  const isKnown = bytes.length === KEY_BYTES + 1 && bytes[0] === SECRET_PREFIX;
  return isKnown ? { kind, bytes: bytes.subarray(1) } : undefined;
}

/** As text, for storage. */
export const writePushKey = ({ kind, bytes }: PushKey): string =>
  `${kind} ${Buffer.from(bytes).toString('base64')}`;

export function parseStoredPushKey(text: string): PushKey {
  const [kind, encoded = ''] = text.split(' ');
  if (kind !== 'secret' && kind !== 'public') throw new Error('A stored push key is of no kind.');
  return { kind, bytes: Buffer.from(encoded, 'base64') };
}

/** Base64 of nonce and box, or of a sealed box. */
export async function sealFor({ kind, bytes }: PushKey, text: string): Promise<string> {
  await sodium.ready;
  if (kind === 'public') {
    return Buffer.from(sodium.crypto_box_seal(text, bytes)).toString('base64');
  }
  const nonce = sodium.randombytes_buf(sodium.crypto_secretbox_NONCEBYTES);
  const box = sodium.crypto_secretbox_easy(text, nonce, bytes);
  return Buffer.concat([nonce, box]).toString('base64');
}
