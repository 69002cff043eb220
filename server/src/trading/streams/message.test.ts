import { inflateRawSync, constants } from 'node:zlib';
import { expect, it } from 'vitest';
import { DEFLATE_FROM_BYTES, Message } from './message.ts';

/** As a receiver reads a frame. */
function read(frame: Buffer): { isCompressed: boolean; text: string; rest: number } {
  const short = (frame[1] ?? 0) & 0x7f;
  const [head, length] =
    short < 126
      ? [2, short]
      : short === 126
        ? [4, frame.readUInt16BE(2)]
        : [10, Number(frame.readBigUInt64BE(2))];
  const payload = frame.subarray(head, head + length);
  const isCompressed = ((frame[0] ?? 0) & 0x40) !== 0;
  const tail = Buffer.from([0, 0, 0xff, 0xff]);
  const text = isCompressed
    ? inflateRawSync(Buffer.concat([payload, tail]), { finishFlush: constants.Z_SYNC_FLUSH })
    : payload;
  return { isCompressed, text: text.toString(), rest: frame.length - head - length };
}

it.each([0, 1, 125, 126, 127, DEFLATE_FROM_BYTES, 65_535, 65_536, 300_000])(
  'a message of %i bytes is one whole frame, compressed or not',
  (length) => {
    const text = 'price'.repeat(Math.ceil(length / 5)).slice(0, length);
    const message = new Message(text);
    expect(read(message.plain)).toEqual({ isCompressed: false, text, rest: 0 });
    const isCompressed = length >= DEFLATE_FROM_BYTES;
    expect(read(message.compressed)).toEqual({ isCompressed, text, rest: 0 });
  },
);

it('is framed once for all, and counts bytes, not characters', () => {
  const message = new Message('{"name":"تتر"}');
  expect(message.plain).toBe(message.plain);
  expect(read(message.plain).text).toBe(message.text);
  expect(read(message.plain).rest).toBe(0);
});
