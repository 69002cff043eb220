// Which addresses may be linked to, and how they are written.
import { MAX_URL } from './limits.ts';

const WITH_HOST: ReadonlySet<string> = new Set(['http:', 'https:']);
const WITHOUT_HOST: ReadonlySet<string> = new Set(['mailto:', 'tel:', 'sms:']);
const SCHEME = /^[a-z][a-z0-9+.-]*:/i;
/** Paths of ours that are written without a leading slash. */
const OWN_RELATIVE = /^(?:user_uploads\/|#)/;
const HOST_LIKE = /^[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?(?:\.[\p{L}\p{N}-]+)+(?=[:/?#]|$)/u;
/** What cannot be seen, and what turns text around: nothing that an address needs. */
const HIDDEN =
  // oxlint-disable-next-line no-control-regex -- These are the characters that must not be in an address.
  /[\u0000-\u0020\u007f-\u00a0\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff9-\uffff]/g;

export const hasHidden = (text: string): boolean => text.search(HIDDEN) >= 0;

/**
 * The address as it may stand in `href`, or undefined when it must not. Browsers' own parser decides what
 * the scheme is, so that no spelling of `javascript:` can be read differently there. An address without
 * a scheme is one of ours, or a host.
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

/** A path on our own origin. Two slashes, or a slash and its mirror image, would name a host. */
export const isOwnPath = (url: string): boolean =>
  OWN_RELATIVE.test(url) || /^\/(?![/\\])/.test(url) || url === '/';

function withScheme(url: string): string | undefined {
  if (SCHEME.test(url)) {
    // `example.com:8080/x` looks like a scheme to the grammar, but not to people.
    if (/^[^/:@.]+(?:\.+[^/:@.]+)+\.*:\d{1,5}(?:[/?#]|$)/.test(url)) return `https://${url}`;
    return url;
  }
  if (url.startsWith('//')) return `https:${url}`;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(url)) return `mailto:${url}`;
  return HOST_LIKE.test(url) ? `https://${url}` : undefined;
}

/** Links to our own conversations and files lose their origin, so that they work wherever we are served. */
export function relativeUrl(url: string, origin: string): string {
  if (origin === '' || !url.startsWith(`${origin}/`)) return url;
  const rest = url.slice(origin.length + 1);
  return OWN_RELATIVE.test(rest) ? rest : url;
}

/** What follows `/user_uploads/`, when the address is one of our files. */
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

/** Where an address that begins at `start` ends: brackets are balanced, a sentence's full stop is not part. */
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
