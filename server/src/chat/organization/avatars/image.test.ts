import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseImage } from './image.ts';

const png = (width: number, height: number) => {
  const bytes = Buffer.alloc(60);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes);
  bytes.write('IHDR', 12, 'latin1');
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  bytes.write('IEND', 40, 'latin1');
  return bytes;
};

const gif = (width: number, height: number) => {
  const bytes = Buffer.alloc(20);
  bytes.write('GIF89a', 0, 'latin1');
  bytes.writeUInt16LE(width, 6);
  bytes.writeUInt16LE(height, 8);
  return bytes;
};

/** A comment of any length precedes the frame. */
const jpeg = (width: number, height: number, comment = 4) => {
  const frame = Buffer.alloc(20);
  frame.writeUInt16BE(0xffc0, 0);
  frame.writeUInt16BE(17, 2);
  frame.writeUInt16BE(height, 5);
  frame.writeUInt16BE(width, 7);
  const note = Buffer.alloc(2 + comment);
  note.writeUInt16BE(0xfffe, 0);
  note.writeUInt16BE(comment, 2);
  return Buffer.concat([Buffer.from([0xff, 0xd8]), note, frame]);
};

const webp = (width: number, height: number) => {
  const bytes = Buffer.alloc(40);
  bytes.write('RIFF', 0, 'latin1');
  bytes.write('WEBPVP8X', 8, 'latin1');
  bytes.writeUIntLE(width - 1, 24, 3);
  bytes.writeUIntLE(height - 1, 27, 3);
  return bytes;
};

describe('an image', () => {
  it.each([
    ['image/png', png],
    ['image/gif', gif],
    ['image/jpeg', jpeg],
    ['image/webp', webp],
  ] as const)('is known as %s, with its size', (type, make) => {
    expect(parseImage(make(640, 480))).toEqual({ type, width: 640, height: 480 });
    expect(() => parseImage(make(640, 480).subarray(0, 10))).toThrow('Could not decode image');
  });

  it('is found behind a comment of any length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 60_000 }), (length) => {
        expect(parseImage(jpeg(3, 4, length))).toMatchObject({ width: 3, height: 4 });
      }),
    );
  });

  it('is refused when it has too many pixels', () => {
    expect(() => parseImage(png(100_000, 100_000))).toThrow('Image size exceeds limit');
    expect(() => parseImage(png(0, 5))).toThrow('Could not decode image');
  });

  it('is refused, and nothing else is thrown, for arbitrary bytes', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ maxLength: 200 }),
        fc.constantFrom('', 'GIF89a', 'RIFFxxxxWEBPVP8X', '\xff\xd8'),
        (bytes, start) => {
          try {
            parseImage(Buffer.concat([Buffer.from(start, 'latin1'), bytes]));
          } catch (error) {
            expect(error).toMatchObject({ code: 'BAD_IMAGE' });
          }
        },
      ),
    );
  });
});
