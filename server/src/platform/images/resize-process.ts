// The process that decodes strangers' pictures: a picture that breaks the decoder breaks only this process. The
// picture comes by standard input; a line that describes it, and then its new forms, go to standard output.
import { buffer } from 'node:stream/consumers';
import sharp, { type Sharp } from 'sharp';
import type { PictureShape } from './resize.ts';

const PIXELS_MAX = 100_000_000;
/** More frames than this are a film. */
const FRAMES_MAX = 500;
const MEMORY_BYTES_MAX = 512 * 1024 * 1024;

// Decoding runs in threads of the library, so this one is free to watch its memory.
setInterval(() => {
  if (process.memoryUsage.rss() > MEMORY_BYTES_MAX) process.exit(3);
}, 20).unref();

sharp.concurrency(1);
sharp.cache(false);
// Formats that are programs, or unknown, are refused unread.
sharp.block({ operation: ['VipsForeignLoad'] });
sharp.unblock({
  operation: [
    'VipsForeignLoadJpeg',
    'VipsForeignLoadPng',
    'VipsForeignLoadNsgif',
    'VipsForeignLoadWebp',
    'VipsForeignLoadHeif',
  ],
});

const input = await buffer(process.stdin);
const shapes = JSON.parse(process.argv[2] ?? '[]') as PictureShape[];
const options = { limitInputPixels: PIXELS_MAX, failOn: 'error' } as const;
const { autoOrient, pages = 1 } = await sharp(input, options).metadata();
const { width, height } = autoOrient;
const isMoving = pages > 1 && pages <= FRAMES_MAX;

const encode = (image: Sharp, { format, moves }: PictureShape): Sharp => {
  if (format === 'png') return moves ? image.gif() : image.png();
  return image.webp();
};

const images: Buffer[] = [];
for (const shape of shapes) {
  if (shape.moves && !isMoving) {
    images.push(Buffer.alloc(0));
    continue;
  }
  // The camera's metadata, such as the location, is dropped: the library keeps it only when told to.
  const image = sharp(input, { ...options, animated: shape.moves })
    .autoOrient()
    .resize({
      width: shape.width,
      height: shape.height,
      fit: shape.fit,
      withoutEnlargement: shape.fit === 'inside',
    });
  images.push(await encode(image, shape).toBuffer());
}
const about = { width, height, isMoving, lengths: images.map(({ length }) => length) };
process.stdout.write(Buffer.concat([Buffer.from(`${JSON.stringify(about)}\n`), ...images]));
