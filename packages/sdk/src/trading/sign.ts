// Signatures of trading requests, by WebCrypto, which Node and browsers share.

export interface Signer {
  /** Lower-case hexadecimal digits. */
  sign(text: string): Promise<string>;
}

type ImportedKey = Awaited<ReturnType<typeof crypto.subtle.importKey>>;
/** A key that another part of the program has imported, or the text of one. */
export type PrivateKey = string | Uint8Array | ImportedKey;

const encoder = new TextEncoder();

const toHex = (bytes: ArrayBuffer): string =>
  Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** HMAC-SHA-256 with the UTF-8 bytes of the secret. */
export function hmacSigner(secret: string): Signer {
  let key: Promise<ImportedKey> | undefined;
  return {
    async sign(text) {
      key ??= crypto.subtle.importKey(
        'raw',
        encoder.encode(secret),
        { name: 'HMAC', hash: 'SHA-256' },
        false,
        ['sign'],
      );
      return toHex(await crypto.subtle.sign('HMAC', await key, encoder.encode(text)));
    },
  };
}

/** Ed25519, with a private key as PEM (PKCS #8), as 64 hexadecimal digits, as 32 bytes, or already imported. */
export function ed25519Signer(privateKey: PrivateKey): Signer {
  let key: Promise<ImportedKey> | undefined;
  return {
    async sign(text) {
      key ??= importEd25519(privateKey);
      return toHex(await crypto.subtle.sign('Ed25519', await key, encoder.encode(text)));
    },
  };
}

/** What stands before the 32 bytes of the key in PKCS #8. */
const PKCS8_START = '302e020100300506032b657004220420';

async function importEd25519(given: PrivateKey): Promise<ImportedKey> {
  if (typeof given !== 'string' && !(given instanceof Uint8Array)) return given;
  const der = typeof given === 'string' ? parsePrivateKey(given) : fromSeed(given);
  return crypto.subtle.importKey('pkcs8', der, 'Ed25519', false, ['sign']);
}

function parsePrivateKey(text: string): Uint8Array<ArrayBuffer> {
  const trimmed = text.trim();
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return fromHex(PKCS8_START + trimmed);
  const pem = /^-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\s]+)-----END PRIVATE KEY-----$/.exec(
    trimmed,
  );
  if (pem?.[1] === undefined) {
    throw new TypeError(
      'privateKey is neither PEM ("-----BEGIN PRIVATE KEY-----") nor 64 hexadecimal digits.',
    );
  }
  return Uint8Array.from(atob(pem[1].replaceAll(/\s/g, '')), (letter) => letter.charCodeAt(0));
}

function fromSeed(seed: Uint8Array): Uint8Array<ArrayBuffer> {
  if (seed.byteLength !== 32) {
    throw new TypeError(`privateKey has ${seed.byteLength} bytes; an Ed25519 key has 32.`);
  }
  return fromHex(
    PKCS8_START + Array.from(seed, (byte) => byte.toString(16).padStart(2, '0')).join(''),
  );
}

const fromHex = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
