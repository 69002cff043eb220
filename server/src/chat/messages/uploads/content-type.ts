// Detects the type of a file from its bytes, and how to serve it. A browser must never run an uploaded file: it shows
// only the types of a short list, and downloads the others.
import { fileTypeFromBuffer } from 'file-type';

/** The number of bytes that are examined. */
export const SNIFFED_BYTES = 4100;

/**
 * Types that browsers may show. None of them can contain a script for our origin. SVG, HTML and XML can, so they are
 * downloaded. So is PDF: Chromium does not show it in a sandbox, and without a sandbox its viewer runs scripts.
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

/** The names that browsers know for the same types. */
const SYNONYMS: ReadonlyMap<string, string> = new Map([
  ['image/apng', 'image/png'],
  ['audio/x-m4a', 'audio/mp4'],
  ['audio/vnd.wave', 'audio/wav'],
  ['audio/x-flac', 'audio/flac'],
  ['video/x-m4v', 'video/mp4'],
]);

const UNKNOWN = 'application/octet-stream';
/** File names whose content is plain text. */
const TEXT_NAME = /\.(?:txt|text|log|md|csv|tsv|diff|patch|conf|ini|srt)$/i;

/** Decides by the first bytes. The name only decides whether text is plain text. */
export async function sniff(start: Buffer, name: string): Promise<string> {
  const found = await fileTypeFromBuffer(start).catch(() => undefined);
  if (found !== undefined) {
    // Parameters are dropped: "audio/ogg; codecs=opus" becomes audio/ogg.
    const [type = UNKNOWN] = found.mime.split(';', 1);
    const known = SYNONYMS.get(type) ?? type;
    // XML and HTML could be run as markup, so they are served as unknown.
    return /(?:xml|html)/.test(known) ? UNKNOWN : known;
  }
  return TEXT_NAME.test(name) && isText(start) ? 'text/plain' : UNKNOWN;
}

function isText(start: Buffer): boolean {
  // oxlint-disable-next-line no-control-regex -- Text has none of these.
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(start.toString('latin1'))) return false;
  try {
    // The last character may be incomplete.
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true });
    return true;
  } catch {
    return false;
  }
}

/** The file may load, run, send or open nothing, whatever its type. */
const LOCKED = "sandbox; default-src 'none'; frame-ancestors 'none'";
/** Allows the page that a browser makes around a picture or video opened by itself. */
const SHOWN = `${LOCKED}; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'`;

export const securityPolicyOf = (isInline: boolean): string => (isInline ? SHOWN : LOCKED);

export const headerOf = (contentType: string): string =>
  contentType === 'text/plain' ? 'text/plain; charset=utf-8' : contentType;
