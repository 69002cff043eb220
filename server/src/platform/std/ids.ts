import { randomBytes } from 'node:crypto';

const ALPHANUMERIC = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits, each drawn without bias. 32 of them carry 190 bits. */
export function randomAlphanumeric(length: number): string {
  let text = '';
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      // 248 is the largest multiple of 62 in a byte; larger values are discarded to keep the draw uniform.
      if (byte < 248 && text.length < length) text += ALPHANUMERIC[byte % 62];
    }
  }
  return text;
}

/** Random lower-case hexadecimal digits, two for each byte. */
export function randomHex(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

/** Whether a row can have this id: 32 bits, above zero. PostgreSQL answers a wider number with an error. */
export const isRowId = (id: number): boolean => Number.isInteger(id) && id > 0 && id < 2 ** 31;
