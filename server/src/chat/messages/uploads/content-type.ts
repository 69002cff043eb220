// What a file is, by its own bytes, and how it is handed out. A browser must never run a file that somebody
// uploaded: what it shows by itself is a short list, everything else it is told to save.
import { fileTypeFromBuffer } from 'file-type';

/** How much of a file is looked at. */
export const SNIFFED_BYTES = 4100;

/**
 * What browsers may show. None of these can hold a program for our origin. SVG, HTML and XML can, so they are
 * saved. So is PDF: in a sandbox Chromium does not show it, and without one the viewer runs its scripts.
 */
const INLINE: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/avif',
  'audio/mpeg',
  'audio/mp4',
  'audio/aac',
  'audio/ogg',
  'audio/opus',
  'audio/wav',
  'audio/flac',
  'audio/webm',
  'video/mp4',
  'video/webm',
  'video/ogg',
  'video/quicktime',
  'text/plain',
]);

export const isShownInline = (contentType: string): boolean => INLINE.has(contentType);

/** The same thing by the name that browsers know. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['image/apng', 'image/png'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/x-flac', 'audio/flac'],
  ['video/x-m4v', 'video/mp4'],
]);

const UNKNOWN = 'application/octet-stream';
/** Names under which text is only read. */
const TEXT_NAME = /\.(?:txt|text|log|md|csv|tsv|diff|patch|conf|ini|srt)$/i;

/** By the first bytes; the name decides only whether text is plain text. */
export async function sniff(start: Buffer, name: string): Promise<string> {
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  if (found !== undefined) {
    // "audio/ogg; codecs=opus" is audio/ogg to us.
    const [type = UNKNOWN] = found.mime.split(';', 1);
    const known = SYNONYMS.get(type) ?? type;
    // What is text inside may be taken for markup; it gets no name that would invite that.
    return /(?:xml|html)/.test(known) ? UNKNOWN : known;
  }
  return TEXT_NAME.test(name) && isText(start) ? 'text/plain' : UNKNOWN;
}

function isText(start: Buffer): boolean {
  // oxlint-disable-next-line no-control-regex -- What has these is no text.
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(start.toString('latin1'))) return false;
  try {
    // The last character may be cut in two.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** Nothing may be loaded, run, sent or opened from it, whatever it turns out to be. */
const LOCKED = "sandbox; default-src 'none'; frame-ancestors 'none'";
/** A picture that is opened by itself is shown on a page that the browser makes around it. */
const SHOWN = `${LOCKED}; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'`;

export const securityPolicyOf = (isInline: boolean): string => (isInline ? SHOWN : LOCKED);

export const headerOf = (contentType: string): string =>
  contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType;
