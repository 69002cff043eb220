// The cookies of a session, and those that stay with a browser or a link. Over https their prefix
// binds them to this host and to https. Over plain http, which is for development, browsers refuse
// such cookies, so there they have no prefix and are not Secure. PUBLIC_URL decides which of the
// two applies.
import type { Config } from '../../platform/config/schema.ts';

export const isHttps = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): boolean =>
  PUBLIC_URL.startsWith('https://');

export interface CookieNames {
  /** Never readable by scripts. */
  readonly session: string;
  /** Readable by our own pages' scripts, which send its value along. */
  readonly csrf: string;
  /** Marks a browser in which somebody has signed in before. It opens nothing. */
  readonly device: string;
  /** The key of a mailed link, between opening and confirming it. */
  readonly link: string;
  /** A sign-in that is not finished. It opens nothing but its next stage. */
  readonly signIn: string;
  /** A sign-in that a provider is asked about. */
  readonly provider: string;
  /** An app that waits for its key. */
  readonly app: string;
}

export function cookieNames(secure: boolean): CookieNames {
  const prefix = secure ? '__Host-' : '';
  return {
    session: `${prefix}sessionid`,
    csrf: `${prefix}csrftoken`,
    device: `${prefix}device`,
    link: `${prefix}link`,
    signIn: `${prefix}signin`,
    provider: `${prefix}provider`,
    app: `${prefix}app`,
  };
}

/**
 * The value of a cookie in a `Cookie` header; the first one counts, as browsers put the closest
 * match first.
 */
export function parseCookie(header: string | undefined, name: string): string | undefined {
  for (const part of header?.split(';') ?? []) {
    const mark = part.indexOf('=');
    if (mark > 0 && part.slice(0, mark).trim() === name) return part.slice(mark + 1).trim();
  }
  return undefined;
}

export interface CookieOptions {
  readonly secure: boolean;
  readonly maxAgeSeconds: number;
}

/** The headers that give a browser its session. */
export function sessionCookies(
  { token, csrfToken }: { readonly token: string; readonly csrfToken: string },
  options: CookieOptions,
): string[] {
  const names = cookieNames(options.secure);
  return [
    `${cookie(names.session, token, options)}; HttpOnly`,
    cookie(names.csrf, csrfToken, options),
  ];
}

/** The header that gives an unauthenticated visitor the token that the sign-in form must repeat. */
export const csrfCookie = (csrfToken: string, options: CookieOptions): string =>
  `${cookie(cookieNames(options.secure).csrf, csrfToken, options)}; HttpOnly`;

/** The header that makes a browser known. Scripts never see it. */
export const deviceCookie = (token: string, options: CookieOptions): string =>
  `${cookie(cookieNames(options.secure).device, token, options)}; HttpOnly`;

export const linkCookie = (key: string, options: CookieOptions): string =>
  `${cookie(cookieNames(options.secure).link, key, options)}; HttpOnly`;

export const signInCookie = (token: string, options: CookieOptions): string =>
  `${cookie(cookieNames(options.secure).signIn, token, options)}; HttpOnly`;

/** The header that ties a sign-in with a provider, or one of an app, to this browser. */
export const waitingCookie = (
  kind: 'provider' | 'app',
  token: string,
  options: CookieOptions,
): string => `${cookie(cookieNames(options.secure)[kind], token, options)}; HttpOnly`;

/** The headers that remove the session. The device stays known. */
export function expiredCookies(secure: boolean): string[] {
  return sessionCookies({ token: '', csrfToken: '' }, { secure, maxAgeSeconds: 0 });
}

const cookie = (name: string, value: string, { secure, maxAgeSeconds }: CookieOptions): string =>
  `${name}=${value}; Path=/; Max-Age=${maxAgeSeconds}; SameSite=Lax${secure ? '; Secure' : ''}`;
