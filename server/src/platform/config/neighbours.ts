// Who could listen to, and speak with, NATS and Redis. What is signed nobody can forge, but whoever is let in
// can listen, keep messages back and fill the rate windows of others.

const LOOPBACK = /^(127(\.\d{1,3}){3}|localhost|\[::1\])$/;

/** Whether strangers on the network could use what this URL names: it is beyond this machine and asks for nothing. */
export function isUnguarded(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { hostname, protocol, username, password } = new URL(url);
  if (LOOPBACK.test(hostname)) return false;
  // NATS takes a token in the place of the name; Redis has a password, with or without a name.
  return protocol.startsWith('redis') ? password === '' : username === '';
}

export const UNGUARDED_NAMES = ['NATS_URL', 'REDIS_URL'] as const;
