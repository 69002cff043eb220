// Whether a request with a session's cookie was made by our own pages. A browser sends the cookie also with requests that
// another site makes, so everything that may change something must carry the token that only our pages know, and nothing
// may say that it comes from elsewhere. The API of the chat and that of the venue both ask here.
import type { Config } from '../../platform/config/schema.ts';
import { isSameToken } from './token.ts';

/** The form field that carries the session's token; the header is X-CSRFToken. */
export const CSRF_FIELD = 'csrfmiddlewaretoken';

/** By the method on the wire: a form cannot make a GET of a POST. */
const SAFE_METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export interface SentRequest {
  readonly method: string;
  readonly headers: Headers;
}

export type Forgery =
  'CSRF token missing.' | 'CSRF token incorrect.' | 'The request was made by another site.';

/**
 * Why the request cannot be ours, as far as its headers tell; undefined when they tell nothing against it. Where the token
 * may also stand in a form, ask `isTokenDue` next.
 */
export function findForgery(
  config: OwnAddress,
  request: SentRequest,
  expected: string,
): Forgery | undefined {
  if (isFromElsewhere(config, request)) return 'The request was made by another site.';
  const token = tokenInHeader(request);
  return !mayChange(request) || token === undefined ? undefined : checkToken(token, expected);
}

/** Whether the token did not come in a header, and has to be in the form. */
export const isTokenDue = (request: SentRequest): boolean =>
  mayChange(request) && tokenInHeader(request) === undefined;

export function checkToken(given: string | undefined, expected: string): Forgery | undefined {
  if (given === undefined || given === '') return 'CSRF token missing.';
  return isSameToken(given, expected) ? undefined : 'CSRF token incorrect.';
}

/**
 * What the browser says about the page that made the request. Programs that are no browsers say nothing. A form under
 * `no-referrer` has the origin `null`. An address that a person typed comes from no site; it only reads.
 */
function isFromElsewhere(config: OwnAddress, request: SentRequest): boolean {
  const { 'sec-fetch-site': site, origin } = request.headers;
  if (site !== undefined && site !== 'same-origin') {
    if (mayChange(request) || site !== 'none') return true;
  }
  return (
    origin !== undefined &&
    origin !== 'null' &&
    !ownOrigins(config, request).includes(String(origin))
  );
}

type OwnAddress = Pick<Config, 'PUBLIC_URL' | 'WEBAUTHN_ORIGINS'>;

/** Without PUBLIC_URL, which is for development, it is the address that the browser used. */
const ownOrigins = (config: OwnAddress, { headers }: SentRequest): string[] => [
  config.PUBLIC_URL === ''
    ? `http://${String(headers['host'])}`
    : new URL(config.PUBLIC_URL).origin,
  ...config.WEBAUTHN_ORIGINS.split(',').filter((origin) => origin !== ''),
];

const mayChange = ({ method }: SentRequest): boolean => !SAFE_METHODS.has(method);

function tokenInHeader({ headers }: SentRequest): string | undefined {
  const header = headers['x-csrftoken'];
  return Array.isArray(header) ? header.join(', ') : header;
}
