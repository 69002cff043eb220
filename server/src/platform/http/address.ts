// The caller's address, for limits and allow-lists.
import ipaddr from 'ipaddr.js';

/** Whether an address belongs to a trusted proxy. */
export type ProxyList = (address: string) => boolean;

/** Parses a comma-separated list of addresses and ranges; throws at the first that is neither. */
export function parseProxyList(text: string): ProxyList {
  const ranges = text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseRange);
  if (ranges.length === 0) return () => false;
  return (address) => {
    if (!ipaddr.isValid(address)) return false;
    const parsed = ipaddr.process(address);
    return ranges.some((range) => isIn(parsed, range));
  };
}

/**
 * The address of the client: the socket's, unless a trusted proxy is at the other end. Then the
 * header is read from its right, where our own proxies wrote, up to the first address that is not a
 * proxy. Anything further left is untrusted.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | string[] | undefined,
  isProxy: ProxyList,
): string {
  let client = canonicalAddress(socketAddress) ?? socketAddress;
  if (forwardedFor === undefined || !isProxy(client)) return client;
  for (const entry of String(forwardedFor).split(',').reverse()) {
    const address = canonicalAddress(withoutPort(entry.trim()));
    if (address === undefined) break;
    client = address;
    if (!isProxy(client)) break;
  }
  return client;
}

/** Some proxies add the port: `198.51.100.1:4711`, `[2001:db8::1]:4711`. */
const withoutPort = (entry: string): string =>
  entry.replace(/^\[([^\]]*)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2');

/** One spelling per address; an IPv4 address mapped into IPv6 is the IPv4 address. */
function canonicalAddress(address: string): string | undefined {
  // The usual case, without the cost of parsing.
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}

/** What a limit counts: an IPv4 address, or the /64 that one IPv6 subscriber usually has. */
export function limitKeyOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  // An IPv4 address mapped into IPv6 counts by itself, not as one /64 with all the others.
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}

/** Whether `address` lies in one of `ranges` (CIDR, or a single address). */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => isIn(parsed, parseRange(range)));
}

const PRIVATE_KINDS: ReadonlySet<string> = new Set([
  'private',
  'loopback',
  'linkLocal',
  'uniqueLocal',
  'carrierGradeNat',
]);

/** Whether an address means something only inside one network. */
export const isPrivateAddress = (address: string): boolean =>
  ipaddr.isValid(address) && PRIVATE_KINDS.has(ipaddr.process(address).range());

/** Whether a text is an address or a network, as allow-lists take them. */
export function isRange(text: string): boolean {
  try {
    parseRange(text);
    return true;
  } catch {
    return false;
  }
}

type Range = readonly [network: ipaddr.IPv4 | ipaddr.IPv6, bits: number];

function parseRange(range: string): Range {
  if (range.includes('/')) return ipaddr.parseCIDR(range);
  // Four plain numbers, or eight: not the shorter spellings, which programs interpret differently.
  if (!ipaddr.IPv4.isValidFourPartDecimal(range) && !ipaddr.IPv6.isValid(range)) {
    throw new Error(`${JSON.stringify(range)} is no address`);
  }
  return ipaddr.parseCIDR(`${range}/${range.includes(':') ? 128 : 32}`);
}

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, [network, bits]: Range): boolean =>
  network.kind() === address.kind() && address.match(network, bits);
