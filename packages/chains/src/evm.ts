// EVM: addresses, and transactions of type 2 (EIP-1559). The encoding is short enough to read whole,
// and a signer should carry little: so it is written here, on the curve and the hash that the
// derivation of keys brings along.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak_256 } from '@noble/hashes/sha3.js';

export interface EvmTransaction {
  readonly chainId: bigint;
  readonly nonce: bigint;
  readonly maxPriorityFeePerGas: bigint;
  readonly maxFeePerGas: bigint;
  readonly gas: bigint;
  /** An address, in any case. */
  readonly to: string;
  readonly value: bigint;
  readonly data: Uint8Array;
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const fromHex = (text: string): Uint8Array =>
  Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'));

/** The address of a compressed public key, with its checksum (EIP-55). */
export function evmAddress(publicKey: Uint8Array): string {
  const point = secp256k1.Point.fromBytes(publicKey).toBytes(false);
  return evmChecksum(hex(keccak_256(point.subarray(1)).subarray(-20)));
}

/**
 * The address that a text names, with its checksum, or undefined. As EIP-55 asks, capitals have to
 * be right wherever there are both capitals and small letters.
 */
export function readEvmAddress(text: string): string | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const digits = text.slice(2);
  const address = evmChecksum(digits.toLowerCase());
  const isOneCase = digits === digits.toLowerCase() || digits === digits.toUpperCase();
  return isOneCase || text === address ? address : undefined;
}

/** The address of 40 digits in lower case, with its checksum (EIP-55). */
export function evmChecksum(digits: string): string {
  const hash = hex(keccak_256(new TextEncoder().encode(digits)));
  const shown = digits.replace(/[a-f]/g, (letter, at: number) =>
    Number.parseInt(hash.charAt(at), 16) >= 8 ? letter.toUpperCase() : letter,
  );
  return `0x${shown}`;
}

/** The call `transfer(to, amount)` of an ERC-20 token, and nothing after it. */
export function transferData(to: string, units: bigint): Uint8Array {
  return fromHex(
    `a9059cbb${to.slice(2).toLowerCase().padStart(64, '0')}${units.toString(16).padStart(64, '0')}`,
  );
}

export interface SignedEvmTransaction {
  /** What a node takes by `eth_sendRawTransaction`. */
  readonly raw: string;
  readonly hash: string;
}

/** Signs with a nonce from RFC 6979: the same transaction gives the same bytes each time. */
export function signEvmTransaction(
  transaction: EvmTransaction,
  privateKey: Uint8Array,
): SignedEvmTransaction {
  const fields = fieldsOf(transaction);
  const digest = keccak_256(typed(fields));
  const signature = secp256k1.sign(digest, privateKey, { prehash: false, format: 'recovered' });
  const { r, s, recovery } = secp256k1.Signature.fromBytes(signature, 'recovered');
  if (recovery === undefined) throw new Error('The signature has no parity.');
  const raw = typed([...fields, encodeNumber(BigInt(recovery)), encodeNumber(r), encodeNumber(s)]);
  return { raw: `0x${hex(raw)}`, hash: `0x${hex(keccak_256(raw))}` };
}

/**
 * Who signed these bytes, if they are this very transaction; undefined otherwise. The encoding of a transaction is one alone, so
 * the bytes are compared, and only the signature after them is read.
 */
export function readSignedEvm(
  transaction: EvmTransaction,
  raw: string,
): { readonly hash: string; readonly sender: string } | undefined {
  if (!/^0x([0-9a-f]{2})+$/i.test(raw)) return undefined;
  const fields = fieldsOf(transaction);
  const bytes = fromHex(raw);
  const body = Buffer.concat(fields);
  // Two bytes of type and list, or one or two more where the list is long.
  for (let at = 2; at <= 4; at += 1) {
    if (!body.equals(bytes.subarray(at, at + body.length))) continue;
    const signature = readNumbers(bytes.subarray(at + body.length));
    const [parity = -1n, r = 0n, s = 0n] = signature ?? [];
    if (signature?.length !== 3 || (parity !== 0n && parity !== 1n)) return undefined;
    if (hex(typed([...fields, ...signature.map(encodeNumber)])) !== hex(bytes)) return undefined;
    try {
      const publicKey = new secp256k1.Signature(r, s, Number(parity)).recoverPublicKey(
        keccak_256(typed(fields)),
      );
      return { hash: `0x${hex(keccak_256(bytes))}`, sender: evmAddress(publicKey.toBytes(true)) };
    } catch {
      return undefined;
    }
  }
  return undefined;
}

/** Numbers of at most 32 bytes, one after the other; undefined for anything else. */
function readNumbers(bytes: Uint8Array): bigint[] | undefined {
  const numbers: bigint[] = [];
  for (let at = 0; at < bytes.length;) {
    const first = bytes[at] ?? 0;
    const length = first < 0x80 ? 1 : first - 0x80;
    const start = first < 0x80 ? at : at + 1;
    if (length > 32 || start + length > bytes.length) return undefined;
    numbers.push(BigInt(`0x${hex(bytes.subarray(start, start + length)) || '0'}`));
    at = start + length;
  }
  return numbers;
}

function fieldsOf(transaction: EvmTransaction): Uint8Array[] {
  const { chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas, to, value, data } = transaction;
  return [
    ...[chainId, nonce, maxPriorityFeePerGas, maxFeePerGas, gas].map(encodeNumber),
    encodeBytes(fromHex(to)),
    encodeNumber(value),
    encodeBytes(data),
    // The access list: always empty.
    encodeList([]),
  ];
}

const typed = (fields: readonly Uint8Array[]): Uint8Array =>
  Buffer.concat([Uint8Array.of(2), encodeList(fields)]);

// RLP, as far as transactions need it: bytes, numbers without leading zeros, and one list.

function encodeNumber(value: bigint): Uint8Array {
  if (value < 0n) throw new Error(`A number of a transaction cannot be ${value}.`);
  const digits = value === 0n ? '' : value.toString(16);
  return encodeBytes(fromHex(digits.length % 2 === 0 ? digits : `0${digits}`));
}

function encodeBytes(bytes: Uint8Array): Uint8Array {
  const [first] = bytes;
  if (bytes.length === 1 && first !== undefined && first < 0x80) return bytes;
  return Buffer.concat([lengthPrefix(bytes.length, 0x80), bytes]);
}

function encodeList(items: readonly Uint8Array[]): Uint8Array {
  const body = Buffer.concat(items);
  return Buffer.concat([lengthPrefix(body.length, 0xc0), body]);
}

function lengthPrefix(length: number, base: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  const digits = length.toString(16);
  const bytes = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`);
  return Buffer.concat([Uint8Array.of(base + 55 + bytes.length), bytes]);
}
