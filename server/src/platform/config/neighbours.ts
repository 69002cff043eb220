// Checks who could listen to and talk on NATS and Redis. Signed messages cannot be forged, but a
// client with access can listen, suppress messages and fill the rate windows of others.

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;

/**
 * Whether strangers on the network could use the server of this URL: it is on another machine and
 * needs no credentials.
 */
export function isUnguarded(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, username, password } = new URL(url);
  if (LOOPBACK.test(hostname)) return false;
  // NATS takes a token in place of the name; Redis has a password, with or without a name.
  return protocol.startsWith('redis') ? password === '' : username === '';
}

export const UNGUARDED_NAMES = ['NATS_URL', 'REDIS_URL'] as const;
