// Unsigned transactions of the Bitcoin family, as the signer takes them: each input and each change output says at which
// key it is. The signer believes none of it, and derives the keys itself.
import { Transaction } from '@scure/btc-signer';
import type { Account, Place } from './derivation.ts';
import { readUtxoAddress, utxoScript, type UtxoNetwork } from './utxo.ts';

export interface UnsignedInput {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
  readonly place: Place;
}

export interface UnsignedTransaction {
  readonly inputs: readonly UnsignedInput[];
  readonly outputs: readonly { readonly address: string; readonly units: bigint }[];
  readonly change?: { readonly units: bigint; readonly place: Place };
}

/** The seed by its four bytes, and the path of its account. */
export interface SeedAccount {
  readonly network: UtxoNetwork;
  readonly account: Account;
  readonly fingerprint: number;
  /** `m/84'/2'/0'`. */
  readonly path: string;
}

/** A transaction may be replaced by another that spends the same. */
const SEQUENCE = 0xffff_fffd;
const HARDENED = 0x8000_0000;

/** In base64. */
export function composePsbt(
  { network, account, fingerprint, path }: SeedAccount,
  { inputs, outputs, change }: UnsignedTransaction,
): string {
  const steps = readPath(path);
  const derivationOf = ({
    branch,
    index,
  }: Place): [Uint8Array, { fingerprint: number; path: number[] }] => [
    account.publicKey({ branch, index }),
    { fingerprint, path: [...steps, branch, index] },
  ];
  const transaction = new Transaction({ version: 2, lockTime: 0, allowUnknownOutputs: true });
  for (const { txid, vout, units, place } of inputs) {
    const script = utxoScript(account.publicKey(place));
    transaction.addInput({
      txid,
      index: vout,
      sequence: SEQUENCE,
      witnessUtxo: { script, amount: units },
      bip32Derivation: [derivationOf(place)],
    });
  }
  for (const { address, units } of outputs) {
    const script = readUtxoAddress(network, address);
    if (script === undefined) throw new Error(`${address} is no address of this network.`);
    transaction.addOutput({ script, amount: units });
  }
  if (change !== undefined) {
    transaction.addOutput({
      script: utxoScript(account.publicKey(change.place)),
      amount: change.units,
      bip32Derivation: [derivationOf(change.place)],
    });
  }
  return Buffer.from(transaction.toPSBT()).toString('base64');
}

function readPath(path: string): number[] {
  const steps = path.split('/').slice(1);
  return steps.map((step) => {
    const number = Number(step.replace("'", ''));
    if (!Number.isInteger(number)) throw new Error(`${path} is no path of keys.`);
    return step.endsWith("'") ? number + HARDENED : number;
  });
}
