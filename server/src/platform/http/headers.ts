// The headers that every answer has, whatever the route: they tell browsers what not to do with it. A route that
// needs another value sets its own.
import type { Config } from '../config/schema.ts';
import { DAY_SECONDS } from '../std/time.ts';

const ONE_YEAR_SECONDS = 365 * DAY_SECONDS;

/** A promise to use TLS has a meaning only over TLS; a browser ignores it elsewhere. */
export function securityHeaders({
  PUBLIC_URL,
}: Pick<Config, 'PUBLIC_URL'>): Readonly<Record<string, string>> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    ...(PUBLIC_URL.startsWith('https://') && {
      'strict-transport-security': `max-age=${ONE_YEAR_SECONDS}`,
    }),
  };
}
