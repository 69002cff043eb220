// Client ids: packed into words, and hashed with a secret key.

import * as record from './record.ts';

// Local, because an imported constant is read and checked at every use (decision 0114).
const { CLIENT_WORDS } = record;

/** The key of a state that has none yet. */
const NO_KEY = new Uint32Array(4);

/** Words of the client id being looked up, and its hash. */
export class ClientKey {
  readonly words = new Uint32Array(CLIENT_WORDS);
  hash = 0;
  readonly #secret: Uint32Array;

  /** `secret`: the four words that ids are hashed with. They may change; the next id is hashed with the new ones. */
  constructor(secret: Uint32Array = NO_KEY) {
    this.#secret = secret;
  }

  /** Says whether the text is a permitted id, after packing it. */
  set(account: number, text: string): boolean {
    const { words } = this;
    const { length } = text;
    if (length > CLIENT_WORDS * 4) return false;
    let word = 0;
    let at = 0;
    for (let i = 0; i < length; i++) {
      const c = text.charCodeAt(i);
      if (c > 127 || PERMITTED[c] === 0) return false;
      word |= c << ((i & 3) * 8);
      if ((i & 3) === 3 || i === length - 1) {
        words[at++] = word;
        word = 0;
      }
    }
    while (at < CLIENT_WORDS) words[at++] = 0;
    this.hash = hashClient(this.#secret, account, words, 0, length);
    return true;
  }
}

const FINAL_ROUNDS = 3;

/**
 * Hash of an account's client id of this many characters, packed in words[at …].
 * Clients choose these ids. If they could compute the hash, they could find sixty thousand ids for
 * one place of the table in a second, and from then on each order would walk over all of them. So
 * this is HalfSipHash-1-3, which the Linux kernel uses for its tables for the same reason: SipHash
 * with words of 32 bits, one round for every word of input and three at the end. Here all four
 * words of its state start secret, and each of the 128 bits is used once.
 * Which ids collide depends on every bit of the key. Nobody outside ever sees a hash, only how long
 * an order takes, and that reveals nothing about two ids until thousands share a place. Without
 * hashes to learn from, two ids share one of 2^20 places with a chance of about one in 2^20, as
 * random ones do; the known attacks on the single round need many chosen inputs with their outputs.
 */
export function hashClient(
  secret: Uint32Array,
  account: number,
  words: Uint32Array,
  at: number,
  length: number,
): number {
  let v0 = secret[0]! | 0;
  let v1 = secret[1]! | 0;
  let v2 = secret[2]! ^ 0x6c796765;
  let v3 = secret[3]! ^ 0x74656462;
  // The account, the id and the length, so that no input is a prefix of another; then nothing.
  const count = (length + 3) >> 2;
  const inputs = count + 2;
  for (let i = 0; i < inputs + FINAL_ROUNDS; i++) {
    let input = 0;
    if (i === 0) input = account;
    else if (i <= count) input = words[at + i - 1]! | 0;
    else if (i === count + 1) input = length;
    else if (i === inputs) v2 ^= 0xff;
    v3 ^= input;
    v0 = (v0 + v1) | 0;
    v1 = ((v1 << 5) | (v1 >>> 27)) ^ v0;
    v0 = (v0 << 16) | (v0 >>> 16);
    v2 = (v2 + v3) | 0;
    v3 = ((v3 << 8) | (v3 >>> 24)) ^ v2;
    v0 = (v0 + v3) | 0;
    v3 = ((v3 << 7) | (v3 >>> 25)) ^ v0;
    v2 = (v2 + v1) | 0;
    v1 = ((v1 << 13) | (v1 >>> 19)) ^ v2;
    v2 = (v2 << 16) | (v2 >>> 16);
    v0 ^= input;
  }
  return v1 ^ v3;
}

const PERMITTED = new Uint8Array(128);
for (const c of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:/-') {
  PERMITTED[c.charCodeAt(0)] = 1;
}

export function clientText(words: Uint32Array, at: number): string {
  let text = '';
  for (let i = 0; i < CLIENT_WORDS * 4; i++) {
    const c = (words[at + (i >> 2)]! >>> ((i & 3) * 8)) & 0xff;
    if (c === 0) break;
    text += String.fromCharCode(c);
  }
  return text;
}

/** Characters of the id packed in words[at …]. */
export function clientLength(words: Uint32Array, at: number): number {
  let length = CLIENT_WORDS * 4;
  while (length > 0 && words[at + ((length - 1) >> 2)]! >>> (((length - 1) & 3) * 8) === 0) {
    length -= 1;
  }
  return length;
}
