// Drawn pictures, decoded by an independent library.
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { drawAvatar, drawRealmIcon } from './images.ts';

describe('the avatar of somebody who uploaded none', () => {
  it('is a small PNG of the requested size, and always the same', async () => {
    for (const pixels of [100, 500]) {
      const picture = drawAvatar(12, pixels);
      const { format, width, height } = await sharp(picture).metadata();
      expect({ format, width, height }).toEqual({ format: 'png', width: pixels, height: pixels });
      expect(picture.length).toBeLessThan(2000);
      expect(drawAvatar(12, pixels).equals(picture)).toBe(true);
    }
  });

  it('is symmetrical, in two distinct colours', async () => {
    const { data, info } = await sharp(drawAvatar(12, 100))
      .toColourspace('srgb')
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const colorAt = (x: number, y: number) =>
      data
        .subarray((y * info.width + x) * info.channels)
        .subarray(0, 3)
        .toString('hex');
    const seen = new Set<string>();
    for (let y = 0; y < 100; y += 1) {
      for (let x = 0; x < 50; x += 1) {
        seen.add(colorAt(x, y));
        expect(colorAt(99 - x, y), `${x} ${y}`).toBe(colorAt(x, y));
      }
    }
    expect([...seen].sort()).toEqual(['a4363b', 'f2e3e4']);
  });

  it('differs for nearly everybody', () => {
    const people = Array.from({ length: 500 }, (_none, id) =>
      drawAvatar(id + 1, 100).toString('hex'),
    );
    expect(new Set(people).size).toBeGreaterThan(495);
  });

  it('exists even for a number that no person has', () => {
    expect(drawAvatar(1e20, 100).length).toBeGreaterThan(80);
  });
});

it('the icon of the organization is a PNG with transparent corners', async () => {
  const { data, info } = await sharp(drawRealmIcon()).raw().toBuffer({ resolveWithObject: true });
  expect(info).toMatchObject({ width: 128, height: 128, channels: 4 });
  const alphaAt = (x: number, y: number) => data[(y * 128 + x) * 4 + 3];
  expect([alphaAt(0, 0), alphaAt(127, 127), alphaAt(64, 64)]).toEqual([0, 0, 255]);
  expect(drawRealmIcon()).toBe(drawRealmIcon());
});
