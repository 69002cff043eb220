// What the service worker does about a request. The API is never touched: what is kept of it is in the store, which
// knows how old it is.
import { isOurs } from '../app/addresses.ts';

export type Plan =
  /** A page of the client: from the server, and while it does not answer, the one that was kept. */
  | 'page'
  /** A file whose name has a hash of its content: from the cache, if it is there. */
  | 'file'
  /** Somebody signs out. */
  | 'leave'
  /** Not ours to decide. */
  | 'pass';

const ASSETS = '/web/assets/';
const SIGN_OUT = '/accounts/logout/';

export function planOf(
  { method, mode, url }: Pick<Request, 'method' | 'mode' | 'url'>,
  origin: string,
): Plan {
  const { origin: asked, pathname } = new URL(url);
  if (asked !== origin) return 'pass';
  if (mode === 'navigate') {
    if (pathname === SIGN_OUT) return 'leave';
    // Behind any other address the server has a page of its own, whatever follows the sign.
    const isPage = method === 'GET' && isOurs({ pathname, search: '', hash: '' });
    return isPage ? 'page' : 'pass';
  }
  return method === 'GET' && pathname.startsWith(ASSETS) ? 'file' : 'pass';
}

/** The server, or a proxy before it, is there and cannot help right now. */
export const isAway = ({ status }: Pick<Response, 'status'>): boolean =>
  status === 502 || status === 503 || status === 504;

/** The files that a page begins with, by what the page itself says. */
export function filesIn(html: string): readonly string[] {
  const found = html.matchAll(/\b(?:src|href)="(\/web\/assets\/[\w.-]+)"/g);
  return [...new Set([...found].map(([, address = '']) => address))];
}
