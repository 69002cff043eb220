// Signed heads: the venue's word that the log up to here is what it is, and stays so.
import type { KeyObject } from 'node:crypto';
import { canonicalText } from './events.ts';
import { isSignature, keyIdOf, signText } from './keys.ts';
import type { KeyRing } from './keys.ts';

export interface Head {
  /** The number of the event and its hash. */
  seq: string;
  hash: string;
  /** When it was signed, in milliseconds. */
  time: string;
  keyId: string;
}

export interface SignedHead extends Head {
  /** 64 bytes in base64, over `headText`. */
  signature: string;
}

export const headText = ({ seq, hash, time, keyId }: Head): string =>
  canonicalText([
    ['seq', seq],
    ['hash', hash],
    ['time', time],
    ['keyId', keyId],
  ]);

export function signHead(head: Omit<Head, 'keyId'>, key: KeyObject): SignedHead {
  const { seq, hash, time } = head;
  const full: Head = { seq, hash, time, keyId: keyIdOf(key) };
  return { ...full, signature: signText(headText(full), key) };
}

/** Says what is wrong with the signature of a head; undefined if it is right. */
export function verifyHead(head: SignedHead, keys: KeyRing): string | undefined {
  const key = keys.get(head.keyId);
  if (key === undefined) {
    return `the head of event ${head.seq} is signed with key ${head.keyId}, which is not among the keys given (${[...keys.keys()].join(', ')})`;
  }
  if (!isSignature(headText(head), head.signature, key)) {
    return `the signature of the head of event ${head.seq} does not fit its text and key ${head.keyId}`;
  }
  return undefined;
}
