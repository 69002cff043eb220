// Pictures, decoded for real in their own process.
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { resizeImage, UnreadableImage, type PictureShape } from './resize.ts';

const STILL: PictureShape = { width: 84, height: 56, fit: 'inside', moves: false, format: 'webp' };
const MOVING: PictureShape = { ...STILL, moves: true };

const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#a33' } });

const movingGif = async () => {
  const frames = await Promise.all(
    ['#f00', '#0f0', '#00f'].map((background) =>
      sharp({ create: { width: 40, height: 30, channels: 3, background } })
        .png()
        .toBuffer(),
    ),
  );
  return sharp(frames, { join: { animated: true } })
    .gif({ delay: [50, 50, 50] })
    .toBuffer();
};

describe('a picture', () => {
  it('becomes as large as fits, never larger, and loses the camera’s metadata', async () => {
    const jpeg = await plain(300, 100)
      .withExif({ IFD0: { Copyright: 'canary' }, IFD3: { GPSLatitude: '35/1 41/1 0/1' } })
      .jpeg()
      .toBuffer();
    expect(jpeg.includes('canary')).toBe(true);
    const { width, height, isMoving, images } = await resizeImage(jpeg, [STILL, MOVING]);
    expect({ width, height, isMoving }).toEqual({ width: 300, height: 100, isMoving: false });
    const [still, moving] = images;
    expect(moving).toBeUndefined();
    expect(await sharp(still).metadata()).toMatchObject({ format: 'webp', width: 84, height: 28 });
    expect(still?.includes('canary')).toBe(false);
    expect((await sharp(still).metadata()).exif).toBeUndefined();
    const { images: small } = await resizeImage(await plain(10, 5).png().toBuffer(), [STILL]);
    expect(await sharp(small[0]).metadata()).toMatchObject({ width: 10, height: 5 });
  });

  it('is rotated upright', async () => {
    const turned = await plain(300, 100).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    const { width, height, images } = await resizeImage(turned, [STILL]);
    expect({ width, height }).toEqual({ width: 100, height: 300 });
    expect(await sharp(images[0]).metadata()).toMatchObject({ width: 19, height: 56 });
  });

  it('that is animated has an animated form and a still one', async () => {
    const { isMoving, images } = await resizeImage(await movingGif(), [STILL, MOVING]);
    expect(isMoving).toBe(true);
    expect((await sharp(images[0]).metadata()).pages ?? 1).toBe(1);
    expect((await sharp(images[1]).metadata()).pages).toBe(3);
  });

  it.each([
    ['an SVG', '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'],
    ['a text', 'not a picture'],
    ['nothing', ''],
    ['a cut PNG', '\u0089PNG\r\n\u001a\n'],
  ])('is not %s', async (_what, text) => {
    const bytes = Buffer.from(text, 'latin1');
    await expect(resizeImage(bytes, [STILL])).rejects.toThrow(UnreadableImage);
  });

  it('is refused if it claims an impossible size', async () => {
    const png = await plain(8, 8).png().toBuffer();
    png.writeUInt32BE(100_000, 16);
    png.writeUInt32BE(100_000, 20);
    await expect(resizeImage(png, [STILL])).rejects.toThrow(UnreadableImage);
  });
});
