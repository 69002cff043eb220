// Authenticates messages to the engine with a key derived from the master key. One signature covers
// a whole message with its shard, epoch, sender, number and time of sending. An answer is signed
// together with the signature of its request, so it fits that request and no other.
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto';
import type { Secrets } from '../../platform/secrets/secrets.ts';
import { assert } from '../../platform/std/assert.ts';

/** Where a message belongs. No two messages of one sender have the same number. */
export interface Stamp {
  readonly shard: number;
  readonly epoch: number;
  readonly sender: string;
  readonly number: number;
  /** By the clock of the sender. */
  readonly sentMs: number;
}

export interface SignedEngineMessage {
  readonly stamp: Stamp;
  readonly body: string;
  readonly signature: string;
}

export interface Signer {
  /** The message as it travels; it begins with its signature. */
  signRequest(stamp: Stamp, body: string): string;
  /** Undefined when it was not written with our key. */
  openRequest(message: string): SignedEngineMessage | undefined;
  signAnswer(signature: string, body: string): string;
  /** Undefined when the engine did not write it, or wrote it as the answer to another request. */
  openAnswer(signature: string, message: string): string | undefined;
}

/** SHA-256 in base64url. */
export const SIGNATURE_LENGTH = 43;
/** Longer than any header: a message without a line break by then is refused. */
const HEADER_MAX = 160;
const HEADER = /^ (\d{1,5}) (\d{1,15}) ([0-9a-f]{16}) (\d{1,15}) (\d{1,15})$/;

export function createSigner(secrets: Secrets): Signer {
  // Signed with the first of each; while the master key is being changed, the other is accepted
  // too.
  const requests = secrets.keys('requests to the engine');
  const answers = secrets.keys('answers of the engine');

  return {
    signRequest({ shard, epoch, sender, number, sentMs }, body) {
      const signed = ` ${shard} ${epoch} ${sender} ${number} ${sentMs}\n${body}`;
      return hash(requests[0], signed) + signed;
    },
    openRequest(message) {
      const signature = message.slice(0, SIGNATURE_LENGTH);
      const headerEnd = message.slice(0, HEADER_MAX).indexOf('\n');
      const header = HEADER.exec(message.slice(SIGNATURE_LENGTH, Math.max(headerEnd, 0)));
      if (header === null) return undefined;
      if (!isSignedBy(requests, message.slice(SIGNATURE_LENGTH), signature)) return undefined;
      const [, shard, epoch, sender = '', number, sentMs] = header;
      return {
        stamp: {
          shard: Number(shard),
          epoch: Number(epoch),
          sender,
          number: Number(number),
          sentMs: Number(sentMs),
        },
        body: message.slice(headerEnd + 1),
        signature,
      };
    },
    signAnswer: (signature, body) => hash(answers[0], `${signature} ${body}`) + body,
    openAnswer(signature, message) {
      const body = message.slice(SIGNATURE_LENGTH);
      const given = message.slice(0, SIGNATURE_LENGTH);
      return isSignedBy(answers, `${signature} ${body}`, given) ? body : undefined;
    },
  };
}

function hash(key: KeyObject | undefined, text: string): string {
  assert(key !== undefined, 'there is a key to sign with');
  return createHmac('sha256', key).update(text).digest('base64url');
}

const isSignedBy = (keys: readonly KeyObject[], text: string, signature: string): boolean =>
  keys.some((key) => isSame(signature, hash(key, text)));

function isSame(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
