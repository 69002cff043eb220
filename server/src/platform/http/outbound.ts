// Requests to addresses that somebody else chose. They go to the public Internet and nowhere else: what a name leads to
// is looked at when the connection is made, not before, so it cannot change in between.
import { lookup as resolve, type LookupAddress } from 'node:dns';
import { request as plainRequest } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

/** Whether an address is one of the public Internet, whichever way it is written. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address in an IPv6 one is what it is; ranges that only carry others (NAT64, Teredo) are not public.
  return ipaddr.process(address).range() === 'unicast';
}

/** What is wrong with an address before anybody looks where it leads; undefined if nothing is. */
export function findUrlProblem(text: string, allowsPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return 'it is no address';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) {
    return 'it does not begin with https://';
  }
  if (url.username !== '' || url.password !== '') return 'it holds a name or a password';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!allowsPrivate && ipaddr.isValid(host) && !isPublicAddress(host)) {
    return 'it leads to a private network';
  }
  return undefined;
}

const publicLookup: LookupFunction = (hostname, options, done) => {
  resolve(hostname, { ...options, all: true }, (error, found) => {
    if (error !== null) {
      done(error, [], 0);
      return;
    }
    const addresses: LookupAddress[] = [...found];
    if (addresses.length === 0 || !addresses.every(({ address }) => isPublicAddress(address))) {
      done(new ForbiddenAddress(`${hostname} leads to a private network.`), [], 0);
      return;
    }
    const [first] = addresses;
    if (options.all === true) done(null, addresses);
    else done(null, first?.address ?? '', first?.family ?? 0);
  });
};

export interface OutboundPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  /** For tests, and for push services of one's own. */
  readonly allowsPrivate: boolean;
}

/** The status of the answer. Redirects are not followed, and what the answer says is not read. */
export function postOutbound(post: OutboundPost): Promise<number> {
  const problem = findUrlProblem(post.url, post.allowsPrivate);
  if (problem !== undefined) {
    return Promise.reject(
      new ForbiddenAddress(`Not sent to ${post.url.slice(0, 100)}: ${problem}.`),
    );
  }
  const request = post.url.startsWith('https:') ? secureRequest : plainRequest;
  return new Promise((fulfil, reject) => {
    const sent = request(
      post.url,
      {
        method: 'POST',
        headers: { ...post.headers, 'content-length': post.body.length },
        signal: AbortSignal.timeout(post.timeoutMs),
        // No connection is kept: the next one is looked at again.
        agent: false,
        ...(!post.allowsPrivate && { lookup: publicLookup }),
      },
      (answer) => {
        fulfil(answer.statusCode ?? 0);
        answer.destroy();
      },
    );
    sent.on('error', reject);
    sent.end(post.body);
  });
}
