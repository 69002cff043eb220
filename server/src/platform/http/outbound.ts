// Requests to addresses that somebody else chose. They go only to the public Internet: the resolved address is
// checked when the connection is made, not before, so it cannot change in between. This is the only module that
// makes such requests; the linter refuses others.
import { lookup as resolveByDns, type LookupAddress } from 'node:dns';
import { request as plainRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as secureRequest } from 'node:https';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

export class ForbiddenAddress extends Error {
  override name = 'ForbiddenAddress';
}

/**
 * The only part of IPv6 that is assigned to the public Internet; other ranges carry, map or mean something else.
 */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address belongs to the public Internet, in any notation. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address mapped into IPv6 is checked as IPv4; ranges that only carry others (NAT64, Teredo) are not
  // public.
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(GLOBAL_UNICAST);
}

/** What is wrong with an address before it is resolved; undefined if nothing is. */
export function findUrlProblem(text: string, allowsPrivate: boolean): string | undefined {
  if (!URL.canParse(text)) return 'it is no address';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowsPrivate && url.protocol === 'http:')) {
    return 'it does not begin with https://';
  }
  if (url.username !== '' || url.password !== '') return 'it holds a name or a password';
  // The default port is never written; another one may belong to a service that is not a web server.
  if (!allowsPrivate && url.port !== '') return 'it names a port';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!allowsPrivate && ipaddr.isValid(host) && !isPublicAddress(host)) {
    return 'it leads to a private network';
  }
  return undefined;
}

/** Finds all addresses of a name: the system's resolver, unless a test passes another. */
export type Resolve = (
  hostname: string,
  options: { readonly all: true },
  done: (error: NodeJS.ErrnoException | null, found: LookupAddress[]) => void,
) => void;

/** A resolver that returns public addresses or none: one private address spoils a name. */
export const createPublicLookup =
  (resolve: Resolve = resolveByDns): LookupFunction =>
  (hostname, options, done) => {
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

const publicLookup = createPublicLookup();

/** Longest time for one request, from the lookup to the first line of the answer, whatever the caller allows. */
export const OUTBOUND_DEADLINE_MS = 5000;
/** Requests in progress at once; others wait for their turn. */
const CONCURRENT_MAX = 10;

let running = 0;
const waiting: (() => void)[] = [];

async function inTurn<T>(work: () => Promise<T>): Promise<T> {
  if (running >= CONCURRENT_MAX) await new Promise<void>((resolve) => waiting.push(resolve));
  else running += 1;
  try {
    return await work();
  } finally {
    const next = waiting.shift();
    // The next waiting request takes this one's place.
    if (next === undefined) running -= 1;
    else next();
  }
}

/** The answer was longer than allowed. */
export class TooLargeAnswer extends Error {
  override name = 'TooLargeAnswer';
}

export interface OutboundExchange extends OutboundPost {
  readonly answerBytesMax: number;
}

/**
 * The answer with its text. All of it has to come within the time, and within the size. Redirects are not
 * followed. The caller bounds how many run at once: slow services must not delay others.
 */
export async function exchangeOutbound(
  exchange: OutboundExchange,
): Promise<{ readonly status: number; readonly text: string }> {
  checkUrl(exchange);
  return new Promise((fulfil, reject) => {
    const signal = AbortSignal.timeout(exchange.timeoutMs);
    const sent = openPost(exchange, signal, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > exchange.answerBytesMax) {
          answer.destroy(
            new TooLargeAnswer(`its answer was larger than ${exchange.answerBytesMax} bytes`),
          );
        } else parts.push(part);
      });
      answer.on('error', reject);
      answer.on('end', () =>
        fulfil({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString() }),
      );
    });
    sent.on('error', reject);
    sent.end(exchange.body);
  });
}

export interface OutboundPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
  readonly timeoutMs: number;
  /** For tests, and for private push services. */
  readonly allowsPrivate: boolean;
}

/** The status of the answer. Redirects are not followed, and the body is not read. */
export async function postOutbound(post: OutboundPost): Promise<number> {
  checkUrl(post);
  return inTurn(() => send(post));
}

function checkUrl({ url, allowsPrivate }: OutboundPost): void {
  const problem = findUrlProblem(url, allowsPrivate);
  if (problem !== undefined) {
    throw new ForbiddenAddress(`Not sent to ${url.slice(0, 100)}: ${problem}.`);
  }
}

function send(post: OutboundPost): Promise<number> {
  return new Promise((fulfil, reject) => {
    const signal = AbortSignal.timeout(Math.min(post.timeoutMs, OUTBOUND_DEADLINE_MS));
    const sent = openPost(post, signal, (answer) => {
      fulfil(answer.statusCode ?? 0);
      answer.destroy();
    });
    sent.on('error', reject);
    sent.end(post.body);
  });
}

interface Opening {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string | number>>;
  readonly allowsPrivate: boolean;
  readonly signal: AbortSignal;
}

function open(
  { url, allowsPrivate, ...options }: Opening,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest {
  const request = url.protocol === 'https:' ? secureRequest : plainRequest;
  return request(
    url,
    {
      ...options,
      // No connection is kept, so that the next one is checked again.
      agent: false,
      ...(!allowsPrivate && { lookup: publicLookup }),
    },
    onAnswer,
  );
}

const openPost = (
  { url, headers, body, allowsPrivate }: OutboundPost,
  signal: AbortSignal,
  onAnswer: (answer: IncomingMessage) => void,
): ClientRequest =>
  open(
    {
      url: new URL(url),
      method: 'POST',
      headers: { ...headers, 'content-length': body.length },
      allowsPrivate,
      signal,
    },
    onAnswer,
  );

export interface OutboundGet {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** For everything together: the lookups, the redirects, and the answer to its last byte. */
  readonly timeoutMs: number;
  readonly bytesMax: number;
  /** Checks the media type before the body is read. */
  readonly accepts: (contentType: string) => boolean;
  /** For tests: whether an address may lie in a private network, have a port, and be read without TLS. */
  readonly mayBePrivate?: (url: URL) => boolean;
}

export interface Fetched {
  readonly status: number;
  /** Without its parameters, in lower case. */
  readonly contentType: string;
  readonly contentRange: string | undefined;
  readonly body: Buffer;
}

/** The answer is not what was asked for. */
export class UnfitAnswer extends Error {
  override name = 'UnfitAnswer';
}

const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a file that somebody named. Unlike a POST, it may come without TLS, and through redirects; each step is
 * checked like the first. Only an answer of the 2xx kind counts.
 */
export async function getOutbound(get: OutboundGet): Promise<Fetched> {
  const signal = AbortSignal.timeout(get.timeoutMs);
  if (!URL.canParse(get.url)) throw new ForbiddenAddress('Not fetched: it is no address.');
  let url = new URL(get.url);
  for (let step = 0; step <= REDIRECTS_MAX; step += 1) {
    const allowsPrivate = get.mayBePrivate?.(url) === true;
    const problem = findUrlProblem(url.href.replace(/^http:/, 'https:'), allowsPrivate);
    if (problem !== undefined) throw new ForbiddenAddress(`Not fetched: ${problem}.`);
    const answer = await readOnce(url, get, signal, allowsPrivate);
    if (typeof answer !== 'string') return answer;
    url = new URL(answer, url);
  }
  throw new UnfitAnswer(`More than ${REDIRECTS_MAX} redirects.`);
}

/** The answer, or the target of its redirect. */
function readOnce(
  url: URL,
  { headers, bytesMax, accepts }: OutboundGet,
  signal: AbortSignal,
  allowsPrivate: boolean,
): Promise<Fetched | string> {
  const given = { ...headers, 'accept-encoding': 'identity' };
  return new Promise((fulfil, reject) => {
    const sent = open({ url, method: 'GET', headers: given, allowsPrivate, signal }, (answer) => {
      const { statusCode: status = 0, headers: found } = answer;
      const end = (outcome: () => void) => {
        answer.destroy();
        outcome();
      };
      const refuse = (reason: string) => end(() => reject(new UnfitAnswer(reason)));
      const { location } = found;
      if (REDIRECTS.has(status) && location !== undefined && URL.canParse(location, url)) {
        end(() => fulfil(location));
        return;
      }
      const [type = ''] = (found['content-type'] ?? '').split(';', 1);
      const contentType = type.trim().toLowerCase();
      if (status < 200 || status > 299) refuse(`The answer has the status ${status}.`);
      else if (!accepts(contentType)) refuse(`The answer is ${contentType.slice(0, 100)}.`);
      else if (!/^(?:identity)?$/.test(found['content-encoding'] ?? '')) refuse('It is packed.');
      else if (Number(found['content-length'] ?? 0) > bytesMax) refuse('It is too long.');
      else {
        const parts: Buffer[] = [];
        let bytes = 0;
        answer.on('data', (part: Buffer) => {
          bytes += part.length;
          if (bytes > bytesMax) refuse('It is too long.');
          else parts.push(part);
        });
        answer.on('error', reject);
        // Without an end it was cut off.
        answer.on('close', () => reject(new UnfitAnswer('It ended too early.')));
        answer.on('end', () => {
          const contentRange = found['content-range'];
          fulfil({ status, contentType, contentRange, body: Buffer.concat(parts) });
        });
      }
    });
    sent.on('error', reject);
    sent.end();
  });
}

export interface ConfiguredRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
  readonly timeoutMs: number;
  readonly bytesMax: number;
  readonly allowsHttp: boolean;
}

export interface ConfiguredAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/**
 * A request to a service that an operator configured, such as an identity provider, or to an address that this service
 * names. It may lie in a private network: the operator chose it, and no user can. Redirects are not followed; all of
 * the answer has to come within the time and the size.
 */
export async function requestConfigured(request: ConfiguredRequest): Promise<ConfiguredAnswer> {
  const { url, method, headers, body, bytesMax } = request;
  const { protocol } = new URL(url);
  if (protocol !== 'https:' && !(request.allowsHttp && protocol === 'http:')) {
    throw new ForbiddenAddress(
      `Not sent to ${url.slice(0, 100)}: it does not begin with https://.`,
    );
  }
  const signal = AbortSignal.timeout(request.timeoutMs);
  const given = {
    ...headers,
    'accept-encoding': 'identity',
    ...(body !== undefined && { 'content-length': body.length }),
  };
  return new Promise((fulfil, reject) => {
    const opening = { url: new URL(url), method, headers: given, allowsPrivate: true, signal };
    const sent = open(opening, (answer) => {
      const parts: Buffer[] = [];
      let bytes = 0;
      answer.on('data', (part: Buffer) => {
        bytes += part.length;
        if (bytes > bytesMax) {
          answer.destroy(new TooLargeAnswer(`its answer was larger than ${bytesMax} bytes`));
        } else parts.push(part);
      });
      answer.on('error', reject);
      // Without an end it was cut off.
      answer.on('close', () => reject(new UnfitAnswer('The answer ended too early.')));
      answer.on('end', () =>
        fulfil({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(
            Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
          ),
          body: Buffer.concat(parts),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
