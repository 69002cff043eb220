// Ed25519 keys as the venue publishes them, and the signatures made with them.
import { createPublicKey, sign, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { sha256Hex } from './chain.ts';

/** A public key as `/public/signing_keys` lists it. */
export interface SigningKey {
  keyId: string;
  /** The 32 bytes of the public key in base64. */
  publicKey: string;
}

const RAW_KEY = /^[A-Za-z0-9+/]{43}=$/;
const SIGNATURE = /^[A-Za-z0-9+/]{86}==$/;

/** The 32 bytes of the key's public half in base64. */
export function exportPublicKey(key: KeyObject): string {
  const { kty, crv, x } = (key.type === 'private' ? createPublicKey(key) : key).export({
    format: 'jwk',
  });
  if (kty !== 'OKP' || crv !== 'Ed25519' || x === undefined) {
    throw new Error('The signing key must be an Ed25519 key.');
  }
  return Buffer.from(x, 'base64url').toString('base64');
}

/** The name of a key: the first 16 digits of the SHA-256 of its published form. */
export const keyIdOf = (key: KeyObject): string => sha256Hex(exportPublicKey(key)).slice(0, 16);

export const toSigningKey = (key: KeyObject): SigningKey => ({
  keyId: keyIdOf(key),
  publicKey: exportPublicKey(key),
});

/** A key from 32 bytes in base64, or from PEM text. */
export function importPublicKey(text: string): KeyObject {
  const given = text.trim();
  if (RAW_KEY.test(given)) {
    const x = Buffer.from(given, 'base64').toString('base64url');
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  }
  const key = given.startsWith('-----BEGIN PUBLIC KEY-----') ? createPublicKey(given) : undefined;
  if (key?.asymmetricKeyType !== 'ed25519') {
    throw new Error(
      'A key is 32 bytes in base64 (44 characters), or an Ed25519 public key in PEM.',
    );
  }
  return key;
}

/** The keys that signatures are checked with, by their name. */
export type KeyRing = ReadonlyMap<string, KeyObject>;

/**
 * Reads a file of keys: the answer of `/public/signing_keys`, its list, one key of it, or PEM. The
 * name of each key is computed, so a file cannot give a key the name of another one.
 */
export function readKeyRing(text: string): KeyRing {
  const ring = new Map<string, KeyObject>();
  const put = (key: KeyObject, keyId?: unknown): void => {
    const name = keyIdOf(key);
    if (keyId !== undefined && keyId !== name) {
      throw new Error(`The key ${name} is listed as ${JSON.stringify(keyId)}: names are not free.`);
    }
    ring.set(name, key);
  };
  if (!/^\s*[[{]/.test(text)) {
    put(importPublicKey(text));
    return ring;
  }
  const parsed = JSON.parse(text) as unknown;
  const found = Array.isArray(parsed)
    ? parsed
    : ((parsed as { result?: unknown }).result ?? parsed);
  const list: unknown[] = Array.isArray(found) ? found : [found];
  for (const item of list) {
    const { keyId, publicKey } = (item ?? {}) as { keyId?: unknown; publicKey?: unknown };
    if (typeof publicKey !== 'string') {
      throw new Error('A list of keys has entries with "keyId" and "publicKey".');
    }
    put(importPublicKey(publicKey), keyId);
  }
  if (ring.size === 0) throw new Error('The list of keys is empty.');
  return ring;
}

export const signText = (text: string, key: KeyObject): string =>
  sign(null, Buffer.from(text), key).toString('base64');

export const isSignature = (text: string, signature: string, key: KeyObject): boolean =>
  SIGNATURE.test(signature) &&
  verify(null, Buffer.from(text), key, Buffer.from(signature, 'base64'));
