// Reads the header of HTTP Basic authentication. Clients send the same header with every call, and the keyed hash of its key
// costs more than most of the call, so what a header says is remembered. It only says who claims to come with which key:
// whether the key works is asked each time.
import { hash } from 'node:crypto';
import { CHAT_KEY, lookupOf } from '../../accounts/chat-keys/key.ts';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { badRequest, unauthorized } from './errors.ts';

export interface Credentials {
  readonly email: string;
  /** The keyed hash of the key. */
  readonly lookup: Buffer;
  /** Under which the header is remembered. */
  readonly name: string;
}

/** Bounds memory: a header is about 300 bytes here. Those that were remembered first go first. */
const REMEMBERED_MAX = 20_000;

export interface CredentialsReader {
  read(header: string): Credentials;
  /** To be called for credentials whose key works, so that only holders of keys take room here. */
  remember(credentials: Credentials): void;
  readonly size: number;
}

export function createCredentialsReader(
  secrets: Secrets,
  rememberedMax = REMEMBERED_MAX,
): CredentialsReader {
  const remembered = new Map<string, Credentials>();
  return {
    read(header) {
      // A key has 190 random bits, so a plain hash reveals nothing of it. The header itself is not kept.
      const name = hash('sha256', header, 'base64');
      return remembered.get(name) ?? { ...parse(secrets, header), name };
    },
    remember(credentials) {
      const { name } = credentials;
      if (remembered.has(name)) return;
      for (const oldest of remembered.keys()) {
        if (remembered.size < rememberedMax) break;
        remembered.delete(oldest);
      }
      remembered.set(name, credentials);
    },
    get size() {
      return remembered.size;
    },
  };
}

const readers = new WeakMap<Secrets, CredentialsReader>();

/** One for each process: with other secrets, the same header has another hash. */
export function credentialsReaderOf(secrets: Secrets): CredentialsReader {
  const reader = readers.get(secrets) ?? createCredentialsReader(secrets);
  readers.set(secrets, reader);
  return reader;
}

function parse(secrets: Secrets, header: string): Omit<Credentials, 'name'> {
  const { email, key } = parseBasic(header);
  if (!CHAT_KEY.test(key)) throw unauthorized('Malformed API key');
  return { email, lookup: lookupOf(secrets, key) };
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

function parseBasic(header: string): { email: string; key: string } {
  const [scheme = '', encoded = '', ...rest] = header.trim().split(/\s+/);
  if (encoded === '' || rest.length > 0) throw malformed();
  if (scheme.toLowerCase() !== 'basic') {
    throw badRequest('This endpoint requires HTTP basic authentication.');
  }
  if (!BASE64.test(encoded)) throw malformed();
  const [email, key, ...more] = decodeText(encoded).split(':');
  if (email === undefined || key === undefined || more.length > 0) throw malformed();
  return { email: email.trim(), key: key.trim() };
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true });

function decodeText(encoded: string): string {
  try {
    return UTF_8.decode(Buffer.from(encoded, 'base64'));
  } catch {
    throw malformed();
  }
}

const malformed = () => unauthorized('Invalid authorization header for basic auth');
