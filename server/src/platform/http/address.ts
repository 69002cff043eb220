// Who is calling, for limits and allow-lists.
import ipaddr from 'ipaddr.js';

/**
 * The address of the client: the socket's, or, behind `hops` trusted proxies, the entry that the
 * outermost of them wrote. Whatever stands further left in the header was written by strangers.
 */
export function clientAddress(
  socketAddress: string,
  forwardedFor: string | string[] | undefined,
  hops: number,
): string {
  let address = socketAddress;
  if (hops > 0 && forwardedFor !== undefined) {
    const entries = String(forwardedFor).split(',');
    address = entries.at(-Math.min(hops, entries.length))?.trim() ?? socketAddress;
  }
  return canonicalAddress(address) ?? socketAddress;
}

/** One spelling per address; an IPv4 address mapped into IPv6 is the IPv4 address. */
function canonicalAddress(address: string): string | undefined {
  // The usual case, without the cost of parsing.
  if (/^\d{1,3}(\.\d{1,3}){3}$/.test(address)) return address;
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : undefined;
}

/** What a limit counts: an IPv4 address, or the /64 that one IPv6 subscriber usually has. */
export function limitKeyOf(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parsed = ipaddr.parse(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  const parts = (parsed as ipaddr.IPv6).parts.slice(0, 4).map((part) => part.toString(16));
  return `${parts.join(':')}::/64`;
}

/** Whether `address` lies in one of `ranges` (CIDR, or a single address). */
export function isInRanges(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  return ranges.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(
      range.includes('/') ? range : `${range}/${range.includes(':') ? 128 : 32}`,
    );
    return network.kind() === parsed.kind() && parsed.match(network, bits);
  });
}
