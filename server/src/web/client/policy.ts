// What a page of the client may do. Scripts and styles are files of this server; nothing becomes script or markup but
// through the policies of the client: `content` for messages, `default` for the empty text of a library, `worker` for the
// address of the service worker.
import { PAGE_HEADERS } from '../front-page.ts';

/** `origin` is ours: browsers of some years do not take `'self'` for a WebSocket. */
const policyOf = (nonce: string, origin: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "media-src 'self' blob:",
    "font-src 'self'",
    `connect-src 'self' ${origin.replace(/^http/, 'ws')}`,
    "worker-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types content default worker',
  ].join('; ');

/** The page names a person, so nobody else may keep it. */
export const shellHeaders = (nonce: string, origin: string) => ({
  ...PAGE_HEADERS,
  'content-security-policy': policyOf(nonce, origin),
  // Links of the client to itself may say where they come from, others may not.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
  'x-robots-tag': 'noindex',
  vary: 'cookie, accept-language',
});

/** For files. A worker takes the policy of its own file; a picture in its own tab is a document. */
export const fileHeaders = (type: string) => ({
  'content-type': type,
  'content-security-policy': /javascript/.test(type)
    ? "default-src 'none'; script-src 'self'; connect-src 'self'; frame-ancestors 'none'"
    : "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
});
