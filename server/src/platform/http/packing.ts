// Sends long texts piece by piece, compressed if the client takes that. Both the compression and the encoding of the text
// leave the event loop free in between: zlib works in threads, and other requests get their turn before each piece.
import { pipeline, Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { constants, createBrotliCompress, createGzip, createZstdCompress } from 'node:zlib';
import { takesEncoding } from './encodings.ts';

/** Characters that are encoded at once. */
const PIECE = 128 * 1024;
const CHUNK = { chunkSize: 64 * 1024 };

/** From the best to the one that every client knows. The levels are low: a long answer must not occupy a core for seconds. */
const PACKERS = {
  zstd: () => createZstdCompress({ ...CHUNK, params: { [constants.ZSTD_c_compressionLevel]: 1 } }),
  br: () => createBrotliCompress({ ...CHUNK, params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: () => createGzip({ ...CHUNK, level: 1 }),
} as const;

export type Packing = keyof typeof PACKERS;

const PACKINGS = Object.keys(PACKERS) as Packing[];

/** The best form that the client takes; undefined for one that takes none. A client that takes any gets what all know. */
export function packingFor(header: string | string[] | undefined): Packing | undefined {
  const named = String(header ?? '').toLowerCase();
  return PACKINGS.find(
    (packing) => (named.includes(packing) || packing === 'gzip') && takesEncoding(header, packing),
  );
}

/** The text of all pieces as a stream. Destroying the stream ends the compression too. */
export function streamOf(pieces: readonly string[], packing: Packing | undefined): Readable {
  const source = Readable.from(encoded(pieces), { objectMode: false, highWaterMark: PIECE });
  // The stream that is sent reports the failure itself.
  return packing === undefined ? source : pipeline(source, PACKERS[packing](), () => {});
}

/**
 * Short pieces together, and long ones in parts. A client that reads quickly takes a part as soon as it is written, and asks
 * for the next one within the same turn of the loop. So each part waits for a turn of its own.
 */
async function* encoded(pieces: readonly string[]): AsyncGenerator<Buffer, void> {
  let text = '';
  for (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    for (const part of parts(text)) {
      yield part;
      await nextTurn();
    }
    text = '';
  }
  if (text !== '') yield Buffer.from(text);
}

function* parts(text: string): Generator<Buffer, void> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + PIECE, text.length);
    // Both halves of a character beyond U+FFFF must be encoded together.
    if (isHighSurrogate(text.charCodeAt(to - 1)) && to < text.length) to += 1;
    yield Buffer.from(text.slice(from, to));
    from = to;
  }
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
