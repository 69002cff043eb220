// Recognises the kind and the size of a picture by its bytes, never by its name.
import { Refusal } from '../../../platform/http/refusal.ts';

export type ImageType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

export interface Image {
  readonly type: ImageType;
  readonly width: number;
  readonly height: number;
}

/** A larger picture is an attack on the memory of programs that decode it. */
const PIXELS_MAX = 90_000_000;

const badImage = (message: string) => new Refusal({ code: 'BAD_IMAGE', message, status: 400 });

export const notAnImage = () => badImage('Could not decode image; did you upload an image file?');

/** Reads the beginning of an image, as far as its size. */
export const findImage = (bytes: Buffer): Image | undefined =>
  parsePng(bytes) ?? parseGif(bytes) ?? parseJpeg(bytes) ?? parseWebp(bytes);

export function parseImage(bytes: Buffer): Image {
  const image = findImage(bytes);
  const isCut = image?.type === 'image/png' && !bytes.includes('IEND');
  if (image === undefined || isCut || image.width < 1 || image.height < 1) {
    throw notAnImage();
  }
  if (image.width * image.height > PIXELS_MAX) throw badImage('Image size exceeds limit');
  return image;
}

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

function parsePng(bytes: Buffer): Image | undefined {
  if (bytes.length < 45 || !bytes.subarray(0, 8).equals(PNG)) return undefined;
  if (bytes.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { type: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

function parseGif(bytes: Buffer): Image | undefined {
  if (bytes.length < 14 || !/^GIF8[79]a$/.test(bytes.toString('latin1', 0, 6))) return undefined;
  return { type: 'image/gif', width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
}

/** The size is in the first frame header; the segments before it are skipped. */
function parseJpeg(bytes: Buffer): Image | undefined {
  if (bytes.length < 20 || bytes.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < bytes.length) {
    if (bytes[at] !== 0xff) return undefined;
    const marker = bytes[at + 1] ?? 0;
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) {
      return {
        type: 'image/jpeg',
        height: bytes.readUInt16BE(at + 5),
        width: bytes.readUInt16BE(at + 7),
      };
    }
    const length = bytes.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}

function parseWebp(bytes: Buffer): Image | undefined {
  if (bytes.length < 30 || bytes.toString('latin1', 0, 4) !== 'RIFF') return undefined;
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const type = 'image/webp';
  switch (bytes.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return {
        type,
        width: bytes.readUInt16LE(26) & 0x3fff,
        height: bytes.readUInt16LE(28) & 0x3fff,
      };
    case 'VP8L': {
      const bits = bytes.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}
