// New forms of pictures, made in a separate process, one at a time, with limits of time and memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';

export interface PictureShape {
  readonly width: number;
  readonly height: number;
  /** Inside: as large as fits, never larger than it was. The others have exactly this size. */
  readonly fit: 'inside' | 'cover' | 'contain';
  /** All frames of an animated picture; otherwise only the first. An animated PNG becomes a GIF. */
  readonly moves: boolean;
  readonly format: 'webp' | 'png';
}

export interface Resized {
  /** Size of the original, upright. */
  readonly width: number;
  readonly height: number;
  readonly isMoving: boolean;
  /** In the order of the shapes; undefined for an animated form of a still picture. */
  readonly images: readonly (Buffer | undefined)[];
}

/** It is not a picture, or cannot be decoded within the limits. */
export class UnreadableImage extends Error {
  override name = 'UnreadableImage';
}

/** So many are being made that this one would have to wait too long. */
export class TooManyImages extends Error {
  override name = 'TooManyImages';
}

const PROCESS = fileURLToPath(new URL('resize-process.ts', import.meta.url));
const DEADLINE_MS = 15_000;
const WAITING_MAX = 100;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

let waiting = 0;
let last: Promise<unknown> = Promise.resolve();

export async function resizeImage(
  source: Buffer | Readable,
  shapes: readonly PictureShape[],
): Promise<Resized> {
  if (waiting >= WAITING_MAX) throw new TooManyImages(`${waiting} pictures are waiting.`);
  waiting += 1;
  const mine = last.then(() => run(source, shapes));
  last = mine.catch(() => {});
  try {
    return await mine;
  } finally {
    waiting -= 1;
  }
}

async function run(source: Buffer | Readable, shapes: readonly PictureShape[]): Promise<Resized> {
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=256', PROCESS, JSON.stringify(shapes)],
    // It gets nothing of ours: no secrets, and no connection but these two.
    { env: { PATH: process.env['PATH'] }, stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const timer = setTimeout(() => child.kill('SIGKILL'), DEADLINE_MS);
  try {
    const ended = once(child, 'close');
    // If it ends before it has read everything, its exit code says why.
    const fed = pipeline(
      Buffer.isBuffer(source) ? Readable.from([source]) : source,
      child.stdin,
    ).catch(() => {});
    const output = await buffer(limited(child.stdout));
    await fed;
    const [code] = (await ended) as [number | null];
    if (code !== 0) throw new UnreadableImage(`The picture could not be decoded (${code}).`);
    return parse(output);
  } finally {
    clearTimeout(timer);
    child.kill('SIGKILL');
  }
}

async function* limited(output: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let bytes = 0;
  for await (const chunk of output) {
    bytes += chunk.length;
    if (bytes > OUTPUT_BYTES_MAX) throw new UnreadableImage('The new forms are too large.');
    yield chunk;
  }
}

function parse(output: Buffer): Resized {
  const line = output.indexOf('\n');
  const { lengths, ...about } = JSON.parse(output.toString('utf8', 0, line)) as Omit<
    Resized,
    'images'
  > & { lengths: number[] };
  let at = line + 1;
  const images = lengths.map((length) => {
    const image = output.subarray(at, at + length);
    at += length;
    return length === 0 ? undefined : image;
  });
  return { ...about, images };
}
