// Addresses of the Bitcoin family. A network is plain data, so Litecoin needs no code of its own.
import { Address, OutScript, p2wpkh } from '@scure/btc-signer';

export interface UtxoNetwork {
  readonly bech32: string;
  readonly pubKeyHash: number;
  readonly scriptHash: number;
  readonly wif: number;
}

/** The script that pays to a public key (P2WPKH): all of ours are of this form. */
export const utxoScript = (publicKey: Uint8Array): Uint8Array => p2wpkh(publicKey).script;

export function utxoAddress(network: UtxoNetwork, publicKey: Uint8Array): string {
  const { address } = p2wpkh(publicKey, network);
  if (address === undefined) throw new Error('The public key has no address.');
  return address;
}

/** The script that an address stands for, or undefined if this network has no such address. */
export function readUtxoAddress(network: UtxoNetwork, address: string): Uint8Array | undefined {
  try {
    return OutScript.encode(Address(network).decode(address));
  } catch {
    return undefined;
  }
}

/** An address in the one spelling that others compare: capitals mean nothing in some forms. */
export function spellUtxoAddress(network: UtxoNetwork, address: string): string | undefined {
  try {
    const coder = Address(network);
    return coder.encode(coder.decode(address));
  } catch {
    return undefined;
  }
}

/** The script of P2WPKH: the version, the length, the hash of the key. */
const KEY_HASH_SCRIPT = /^0014([0-9a-f]{40})$/;

/**
 * The address of an output's script, or undefined for every script that none of our addresses has. What a node prints
 * as the address is never looked at: the script is what is paid to.
 */
export function utxoAddressOf(network: UtxoNetwork, scriptHex: string): string | undefined {
  const hash = KEY_HASH_SCRIPT.exec(scriptHex)?.[1];
  if (hash === undefined) return undefined;
  return Address(network).encode({ type: 'wpkh', hash: Uint8Array.from(Buffer.from(hash, 'hex')) });
}
