// A browser's session instead of a key: the cookie goes by itself, the CSRF token has to be sent.
import type { SessionOptions } from '../options.ts';

export function sessionHeaders({ csrfToken, cookie }: SessionOptions): Record<string, string> {
  const token = csrfToken ?? readToken();
  return {
    ...(token !== undefined && { 'X-CSRFToken': token }),
    ...(cookie !== undefined && { Cookie: cookie }),
  };
}

/** Read for every request: signing in again changes it. */
function readToken(): string | undefined {
  const { document } = globalThis as { document?: { cookie: string } };
  return /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/.exec(document?.cookie ?? '')?.[1];
}
