// The chain of hashes: each event is bound to all events before it.
import { hash } from 'node:crypto';
import { eventText } from './events.ts';
import type { PublicEvent } from './events.ts';

/** What stands before the first event. */
export const ZERO_HASH = '0'.repeat(64);

export const sha256Hex = (text: string): string => hash('sha256', text, 'hex');

/** hash(n) = SHA-256(hex of hash(n-1), followed by the text of event n). */
export const chainHash = (previous: string, text: string): string => sha256Hex(previous + text);

export interface ChainedEvent {
  seq: bigint;
  text: string;
  hash: string;
}

/** Numbers events and chains them, from the last event that there is. */
export class Chain {
  seq: bigint;
  hash: string;

  /** The number and the hash of the last event; 0 and 64 zeros where there is none. */
  constructor(seq: bigint = 0n, hash: string = ZERO_HASH) {
    if (!/^[0-9a-f]{64}$/.test(hash)) {
      throw new Error('A chain continues from a hash of 64 hexadecimal digits.');
    }
    this.seq = seq;
    this.hash = hash;
  }

  append(event: PublicEvent): ChainedEvent {
    const seq = this.seq + 1n;
    const text = eventText(seq.toString(), event);
    this.seq = seq;
    this.hash = chainHash(this.hash, text);
    return { seq, text, hash: this.hash };
  }
}
