// Canonical bytes: one value has exactly one encoding, the same on every machine.

import { assert } from './assert.ts';

export class ByteWriter {
  #bytes = new Uint8Array(1 << 16);
  #length = 0;

  byte(value: number): void {
    if (this.#length === this.#bytes.length) {
      const larger = new Uint8Array(this.#length * 2);
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes[this.#length++] = value;
  }

  /** A whole number from 0 to 2^53 - 1, seven bits a byte, low bits first. */
  whole(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0, `not a whole number: ${value}`);
    let rest = value;
    while (rest >= 128) {
      const high = Math.floor(rest / 128);
      this.byte(rest - high * 128 + 128);
      rest = high;
    }
    this.byte(rest);
  }

  /** A whole number of either sign. */
  signed(value: number): void {
    this.byte(value < 0 ? 1 : 0);
    this.whole(Math.abs(value));
  }

  big(value: bigint): void {
    let rest = value < 0n ? -value : value;
    const digits: number[] = [];
    while (rest > 0n) {
      digits.push(Number(rest & 0xffn));
      rest >>= 8n;
    }
    this.byte(value < 0n ? 1 : 0);
    this.whole(digits.length);
    for (const digit of digits) this.byte(digit);
  }

  text(value: string): void {
    this.whole(value.length);
    for (let i = 0; i < value.length; i++) this.whole(value.charCodeAt(i));
  }

  finish(): Uint8Array {
    return this.#bytes.slice(0, this.#length);
  }
}

export class ByteReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    assert(value !== undefined, 'the bytes end too early');
    return value;
  }

  whole(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const byte = this.byte();
      if (byte < 128) {
        value += byte * scale;
        assert(Number.isSafeInteger(value), 'a number is too large');
        return value;
      }
      value += (byte - 128) * scale;
      scale *= 128;
    }
  }

  signed(): number {
    const isNegative = this.byte() === 1;
    const value = this.whole();
    return isNegative ? -value : value;
  }

  big(): bigint {
    const isNegative = this.byte() === 1;
    const length = this.whole();
    let value = 0n;
    for (let i = 0; i < length; i++) value |= BigInt(this.byte()) << BigInt(i * 8);
    return isNegative ? -value : value;
  }

  text(): string {
    const length = this.whole();
    let value = '';
    for (let i = 0; i < length; i++) value += String.fromCharCode(this.whole());
    return value;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }
}
