// The addresses from which a key may be used, as its owner gives them. Pure.
import ipaddr from 'ipaddr.js';
import { badTerm } from './errors.ts';

/** The widest networks that a list may have: wider ones would bind a key to almost nothing. */
const BITS_MIN = { ipv4: 8, ipv6: 32 } as const;
const BITS_MAX = { ipv4: 32, ipv6: 128 } as const;

/** Each range in its one spelling, without repetitions: `203.0.113.7` is `203.0.113.7/32`. */
export const parseRanges = (given: readonly string[]): string[] => [
  ...new Set(given.map(parseRange)),
];

function parseRange(text: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const isWritten =
    rest.length === 0 &&
    (bits === undefined || /^(0|[1-9]\d{0,2})$/.test(bits)) &&
    // Four plain numbers, or eight: not the shorter spellings, which programs interpret differently.
    (ipaddr.IPv4.isValidFourPartDecimal(address) ||
      (address.includes(':') && ipaddr.IPv6.isValid(address)));
  if (!isWritten || address.includes('%')) {
    throw invalid(`'${shown(text)}' is neither an address nor a network such as 203.0.113.0/24.`);
  }
  const parsed = ipaddr.parse(address);
  const kind = parsed.kind();
  if (parsed instanceof ipaddr.IPv6 && parsed.isIPv4MappedAddress()) {
    throw invalid(
      `'${shown(text)}' is an IPv4 address. Write it as ${parsed.toIPv4Address().toString()}.`,
    );
  }
  const length = bits === undefined ? BITS_MAX[kind] : Number(bits);
  if (length > BITS_MAX[kind]) throw invalid(`'${shown(text)}' has more bits than its address.`);
  if (length < BITS_MIN[kind]) {
    throw badTerm(
      'PARAMETER_RANGE',
      'ipAllowlist',
      `'${shown(text)}' is too wide: a network has at least ${BITS_MIN.ipv4} bits, one of IPv6 at least ${BITS_MIN.ipv6}.`,
    );
  }
  const network = networkOf(parsed, length);
  if (network !== parsed.toString()) {
    throw invalid(
      `'${shown(text)}' has bits after its network. Did you mean ${network}/${length}?`,
    );
  }
  return `${network}/${length}`;
}

function networkOf(address: ipaddr.IPv4 | ipaddr.IPv6, length: number): string {
  const bytes = address
    .toByteArray()
    .map((byte, place) => byte & (0xff << Math.max(0, 8 - Math.max(0, length - place * 8))) & 0xff);
  return ipaddr.fromByteArray(bytes).toString();
}

const invalid = (message: string) => badTerm('PARAMETER_INVALID', 'ipAllowlist', message);

/** The longest address with its bits has fewer characters. */
const shown = (text: string): string => text.slice(0, 50);
