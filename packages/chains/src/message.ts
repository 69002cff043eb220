// Messages that the key of an address signs: EIP-191 on EVM chains, the simple form of BIP-322 in the Bitcoin family. Neither
// signature is one of a transaction, whatever the text says.
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { keccak_256 } from '@noble/hashes/sha3.js';
import { bytesToHex, concatBytes, hexToBytes, utf8ToBytes } from '@noble/hashes/utils.js';
import { Address, OutScript, p2wpkh, RawWitness, SigHash, Transaction } from '@scure/btc-signer';
import { evmAddress } from './evm.ts';

const evmDigest = (text: string): Uint8Array => {
  const message = utf8ToBytes(text);
  const head = utf8ToBytes(`\u0019Ethereum Signed Message:\n${message.length}`);
  return keccak_256(concatBytes(head, message));
};

/** As `personal_sign` of wallets gives it. */
export function signEvmMessage(text: string, privateKey: Uint8Array): string {
  const bytes = secp256k1.sign(evmDigest(text), privateKey, {
    prehash: false,
    format: 'recovered',
  });
  const { r, s, recovery = 0 } = secp256k1.Signature.fromBytes(bytes, 'recovered');
  const compact = new secp256k1.Signature(r, s).toBytes('compact');
  return `0x${bytesToHex(compact)}${(27 + recovery).toString(16)}`;
}

function isOfEvmAddress(address: string, text: string, signature: string): boolean {
  const [, digits, last] = /^0x([0-9a-f]{128})(1b|1c)$/.exec(signature) ?? [];
  if (digits === undefined) return false;
  const { r, s } = secp256k1.Signature.fromBytes(hexToBytes(digits), 'compact');
  const key = new secp256k1.Signature(r, s, last === '1b' ? 0 : 1).recoverPublicKey(
    evmDigest(text),
  );
  return evmAddress(key.toBytes(true)).toLowerCase() === address.toLowerCase();
}

const TAG = sha256(utf8ToBytes('BIP0322-signed-message'));
const NOTHING = new Uint8Array(32);
const LENIENT = {
  version: 0,
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  allowLegacyWitnessUtxo: true,
  disableScriptCheck: true,
} as const;

/** The transaction that no chain takes, whose signature is that of the message. */
function transactionOf(script: Uint8Array, text: string): Transaction {
  const hash = sha256(concatBytes(TAG, TAG, utf8ToBytes(text)));
  const said = new Transaction(LENIENT);
  const finalScriptSig = concatBytes(Uint8Array.of(0x00, 0x20), hash);
  // An input that has its script is signed, and nothing may follow it.
  said.addOutput({ script, amount: 0n });
  said.addInput({ txid: NOTHING, index: 0xffff_ffff, sequence: 0, finalScriptSig });
  const transaction = new Transaction(LENIENT);
  transaction.addInput({
    txid: said.id,
    index: 0,
    sequence: 0,
    witnessUtxo: { script, amount: 0n },
  });
  transaction.addOutput({ script: Uint8Array.of(0x6a), amount: 0n });
  return transaction;
}

/** For an address of ours (P2WPKH), in base64. */
export function signUtxoMessage(text: string, privateKey: Uint8Array): string {
  const script = p2wpkh(secp256k1.getPublicKey(privateKey, true)).script;
  const transaction = transactionOf(script, text);
  transaction.sign(privateKey);
  transaction.finalize();
  const { finalScriptWitness = [] } = transaction.getInput(0);
  return Buffer.from(RawWitness.encode(finalScriptWitness)).toString('base64');
}

function isOfUtxoAddress(address: string, text: string, signature: string): boolean {
  // The name of the network leads the address; whose network it is does not matter to a key.
  const own = { bech32: address.slice(0, address.lastIndexOf('1')), pubKeyHash: 0, scriptHash: 0 };
  const decoded = Address({ ...own, wif: 0 }).decode(address);
  if (decoded.type !== 'wpkh') return false;
  const { hash } = decoded;
  const [given, key, ...more] = RawWitness.decode(Buffer.from(signature, 'base64'));
  if (given === undefined || key === undefined || more.length > 0) return false;
  const { script } = p2wpkh(key);
  if (bytesToHex(script) !== `0014${bytesToHex(hash)}` || given.at(-1) !== SigHash.ALL)
    return false;
  const code = OutScript.encode({ type: 'pkh', hash });
  const digest = transactionOf(script, text).preimageWitnessV0(0, code, SigHash.ALL, 0n);
  return secp256k1.verify(given.slice(0, -1), digest, key, { prehash: false, format: 'der' });
}

/** Whether the key of an address signed a text. Only forms of addresses that the venue gives out are known. */
export function isSignedMessage(address: string, text: string, signature: string): boolean {
  try {
    return address.startsWith('0x')
      ? isOfEvmAddress(address, text, signature)
      : isOfUtxoAddress(address, text, signature);
  } catch {
    return false;
  }
}

export interface ReserveStatement {
  /** Where the venue is. */
  readonly venue: string;
  readonly network: string;
  readonly height: number;
  readonly blockHash: string;
  readonly address: string;
}

/** What the key of an address signs in a proof of reserves. The block makes it new. */
export const reserveStatement = (statement: ReserveStatement): string =>
  [
    'Rialto proof of reserves',
    `venue: ${statement.venue}`,
    `network: ${statement.network}`,
    `block: ${statement.height} ${statement.blockHash}`,
    `address: ${statement.address}`,
  ].join('\n');
