// How requests are signed: HMAC-SHA256 with the secret of a key, or Ed25519 with a private key in PEM.
import { createHmac, sign } from 'node:crypto';

/** Parameters as they are sent: text, or what JSON keeps. */
export type Params = Readonly<Record<string, unknown>>;

/**
 * The text that the venue checks: `name=value` in the order sent, encoded as a form. An array or object is its compact
 * JSON text.
 */
export const toSignedText = (params: Params): string =>
  new URLSearchParams(
    Object.entries(params).map(([name, value]): [string, string] => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]),
  ).toString();

/** A key of type ed25519 has a private key in PEM in the place of the secret. */
const isPrivateKey = (secret: string): boolean => secret.includes('PRIVATE KEY');

/** The signature in hexadecimal digits. */
export const signText = (text: string, secret: string): string =>
  isPrivateKey(secret)
    ? sign(null, Buffer.from(text), secret).toString('hex')
    : createHmac('sha256', secret).update(text).digest('hex');

/**
 * A copy with every number as text, at any depth: the venue refuses JSON numbers. What is undefined is left out.
 */
export function toWire(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value);
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(
      Object.entries(value)
        .filter(([, member]) => member !== undefined)
        .map(([name, member]) => [name, toWire(member)]),
    );
  }
  return value;
}
