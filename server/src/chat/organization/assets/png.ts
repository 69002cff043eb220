// Writes images, computed pixel by pixel, as PNG files: every client shows them, and no font is needed.
import { crc32, deflateSync } from 'node:zlib';

/** Red, green, blue and alpha as one number: 0x1f3a5fff. */
export type Color = number;
export const CLEAR: Color = 0;

const SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
/** Bits per sample, and whether a pixel is a colour or an index of one. */
const TRUE_COLOR = [8, 6] as const;
const TWO_COLORS = [1, 3] as const;

/** A square of two colours; `isDark` is called for the middle of every pixel. */
export function drawInTwo(
  pixels: number,
  [light, dark]: readonly [Color, Color],
  isDark: (x: number, y: number) => boolean,
): Buffer {
  // Each line begins with a zero: no filter.
  const lineBytes = 1 + Math.ceil(pixels / 8);
  const dots = Buffer.alloc(lineBytes * pixels);
  for (let y = 0; y < pixels; y += 1) {
    for (let x = 0; x < pixels; x += 1) {
      if (!isDark(x + 0.5, y + 0.5)) continue;
      const at = y * lineBytes + 1 + (x >> 3);
      dots[at] = (dots[at] ?? 0) | (0x80 >> (x & 7));
    }
  }
  const palette = Buffer.alloc(6);
  palette.writeUIntBE(Math.floor(light / 256), 0, 3);
  palette.writeUIntBE(Math.floor(dark / 256), 3, 3);
  return encode(pixels, TWO_COLORS, [chunk('PLTE', palette)], dots);
}

/** Points sampled along each side of a pixel, to smooth edges. */
const POINTS = 3;

/** A square of any colours with smooth edges: each pixel is the mean of its points. */
export function drawSoft(pixels: number, colorAt: (x: number, y: number) => Color): Buffer {
  const lineBytes = 1 + pixels * 4;
  const dots = Buffer.alloc(lineBytes * pixels);
  for (let y = 0; y < pixels; y += 1)
    for (let x = 0; x < pixels; x += 1)
      dots.writeUInt32BE(meanColor(x, y, colorAt), y * lineBytes + 1 + x * 4);
  return encode(pixels, TRUE_COLOR, [], dots);
}

function meanColor(x: number, y: number, colorAt: (x: number, y: number) => Color): Color {
  let [red, green, blue, alpha] = [0, 0, 0, 0];
  for (let point = 0; point < POINTS * POINTS; point += 1) {
    const color = colorAt(
      x + ((point % POINTS) + 0.5) / POINTS,
      y + (Math.floor(point / POINTS) + 0.5) / POINTS,
    );
    const weight = color & 255;
    red += ((color >>> 24) & 255) * weight;
    green += ((color >>> 16) & 255) * weight;
    blue += ((color >>> 8) & 255) * weight;
    alpha += weight;
  }
  if (alpha === 0) return CLEAR;
  const mean = Math.round(alpha / (POINTS * POINTS));
  const rgb = (Math.round(red / alpha) << 16) | (Math.round(green / alpha) << 8);
  return (rgb | Math.round(blue / alpha)) * 256 + mean;
}

function encode(
  pixels: number,
  format: readonly [depth: number, kind: number],
  extra: readonly Buffer[],
  dots: Buffer,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(pixels, 0);
  header.writeUInt32BE(pixels, 4);
  header.set(format, 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...extra,
    chunk('IDAT', deflateSync(dots)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}
