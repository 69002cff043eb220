// The files that the scenario sends: a small picture, and a text.
import { crc32, deflateSync } from 'node:zlib';
import type { SentFile } from './director.ts';

const SIZE = 64;
const BLUE = [0x1f, 0x5f, 0xa8];
const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A blue square, as PNG. */
export function picture(name: string): SentFile {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(SIZE, 0);
  head.writeUInt32BE(SIZE, 4);
  // Eight bits for each of red, green and blue.
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.from([0, ...Array.from({ length: SIZE }, () => BLUE).flat()]);
  const rows = Buffer.concat(Array.from({ length: SIZE }, () => row));
  const bytes = Buffer.concat([
    SIGNATURE,
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
  return { name, mediaType: 'image/png', bytes };
}

export const note = (name: string): SentFile => ({
  name,
  mediaType: 'text/plain',
  bytes: Buffer.from('Volume of the week: 812.4 btc\n'),
});
