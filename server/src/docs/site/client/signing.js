// Signs a request to the venue in the browser. Nothing here stores or sends a key.

const SEED = /^[0-9a-f]{64}$/i;
/** What stands before the seed of an Ed25519 key in PKCS #8 (RFC 8410). */
const PREFIX = '302e020100300506032b657004220420';

const toHex = (buffer) =>
  [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const fromBase64 = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));

/** The kind of a key is told by its name. */
export const isEd25519 = (keyId) => keyId.startsWith('svc_edk_');

function openPrivateKey(secret) {
  const text = secret.trim();
  const bytes = SEED.test(text)
    ? fromHex(PREFIX + text)
    : fromBase64(text.replaceAll(/-----[^-]*-----|\s/g, ''));
  return crypto.subtle.importKey('pkcs8', bytes, 'Ed25519', false, ['sign']);
}

/** The signature of a text, in lower-case hexadecimal digits. */
export async function sign(text, { keyId, secret }) {
  const bytes = new TextEncoder().encode(text);
  if (isEd25519(keyId)) {
    return toHex(await crypto.subtle.sign('Ed25519', await openPrivateKey(secret), bytes));
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const raw = new TextEncoder().encode(secret);
  const key = await crypto.subtle.importKey('raw', raw, algorithm, false, ['sign']);
  return toHex(await crypto.subtle.sign(algorithm, key, bytes));
}

/** How far the server's clock is ahead of this one, in milliseconds, with half the time that asking took. */
export async function readClock(base) {
  const before = Date.now();
  const answer = await window.fetch(`${base}/v1/public/time`, { credentials: 'omit' });
  const after = Date.now();
  const { serverTime } = await answer.json();
  return {
    aheadMs: Math.round(Number(serverTime) - (before + after) / 2),
    uncertainMs: Math.ceil((after - before) / 2),
  };
}
