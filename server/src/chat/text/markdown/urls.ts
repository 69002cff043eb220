// Decides which URLs may be linked, and normalizes them.
import { MAX_URL } from './limits.ts';

const WITH_HOST: ReadonlySet<string> = new Set(['http:', 'https:']);
const WITHOUT_HOST: ReadonlySet<string> = new Set(['mailto:', 'tel:', 'sms:']);
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Our own paths that are written without a leading slash. */
const OWN_RELATIVE = /^(?:user_uploads\/|#)/;
const HOST_LIKE = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)+(?=[:/?#]|$)/u;
/** Invisible characters and those that reverse text, which no URL needs. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- These characters must not be in a URL.
  /[\u0000-\u0020\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\uffff]/g;

export const hasHidden = (text: string): boolean => text.search(HIDDEN) >= 0;

/**
 * The URL as it may appear in `href`, or undefined when it is forbidden. The URL parser of browsers decides the
 * scheme, so that no spelling of `javascript:` is read differently there. A URL without a scheme is a path of ours,
 * or a host.
 */
export function safeUrl(address: string): string | undefined {
  const trimmed = address.trim();
  if (trimmed === '' || trimmed.length > MAX_URL) return undefined;
  const url = trimmed
    .replaceAll(/[\ud800-\udfff]/gu, '\ufffd')
    .replaceAll(HIDDEN, (character) => encodeURIComponent(character))
    .replaceAll(/["<>\\^`{|}]/g, (character) => encodeURIComponent(character));
  if (isOwnPath(url)) return url;
  const absolute = withScheme(url);
  if (absolute === undefined || !URL.canParse(absolute)) return undefined;
  const { protocol, hostname } = new URL(absolute);
  if (WITHOUT_HOST.has(protocol)) return absolute;
  return WITH_HOST.has(protocol) && hostname !== '' ? absolute : undefined;
}

/** A path on our own origin. Two slashes, or a slash and a backslash, would name a host. */
export const isOwnPath = (url: string): boolean =>
  OWN_RELATIVE.test(url) || /^\/(?![/\\])/.test(url) || url === '/';

function withScheme(url: string): string | undefined {
  if (SCHEME.test(url)) {
    // The grammar takes `example.com:8080/x` for a scheme, but people mean a host.
    if (/^[^/:@.]+(?:\.+[^/:@.]+)+\.*:\d{1,5}(?:[/?#]|$)/.test(url)) return `https://${url}`;
    return url;
  }
  if (url.startsWith('//')) return `https:${url}`;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(url)) return `mailto:${url}`;
  return HOST_LIKE.test(url) ? `https://${url}` : undefined;
}

/** Links to our own conversations and files become relative, so that they work at any origin. */
export function relativeUrl(url: string, origin: string): string {
  if (origin === '' || !url.startsWith(`${origin}/`)) return url;
  const rest = url.slice(origin.length + 1);
  return OWN_RELATIVE.test(rest) ? rest : url;
}

/** The part after `/user_uploads/`, if the URL is one of our files. */
export function uploadPathOf(url: string): string | undefined {
  const path = /^\/?user_uploads\/([^?#]+)/.exec(url)?.[1];
  if (path === undefined || path.includes('..')) return undefined;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

const TRAILING = /[.,:;!?'*~]$/;

/** Where a URL that begins at `start` ends: brackets are balanced, and a full stop after it is not part of it. */
export function urlEnd(text: string, start: number, max: number): number {
  const limit = Math.min(max, start + MAX_URL);
  const closers: string[] = [];
  let end = start;
  for (; end < limit; end += 1) {
    const character = text[end] ?? '';
    if (/[\s<>"`\\^{|}]/.test(character) || hasHidden(character)) break;
    if (character === '(') closers.push(')');
    else if (character === '[') closers.push(']');
    else if ((character === ')' || character === ']') && closers.pop() !== character) break;
  }
  while (end > start && TRAILING.test(text[end - 1] ?? '')) end -= 1;
  return end;
}
