// Transactions of the Bitcoin family out of a wallet whose keys are elsewhere: what its owner is given to sign, and whether
// what comes back is that very transaction.
import { Address, OutScript, Transaction } from '@scure/btc-signer';
import { readUtxoAddress, type UtxoNetwork } from './utxo.ts';

export interface WatchedInput {
  readonly txid: string;
  readonly vout: number;
  readonly units: bigint;
  /** Where it is, of any form: the wallet may want several keys. */
  readonly address: string;
}

export interface WatchedTransaction {
  readonly inputs: readonly WatchedInput[];
  readonly outputs: readonly { readonly address: string; readonly units: bigint }[];
}

const SEQUENCE = 0xffff_fffd;
/** Forms that this package does not know are the wallet's affair. */
const LENIENT = {
  allowUnknownInputs: true,
  allowUnknownOutputs: true,
  disableScriptCheck: true,
} as const;

/** In base64. It names no key: the wallet knows its own. */
export function composeWatchedPsbt(
  network: UtxoNetwork,
  { inputs, outputs }: WatchedTransaction,
): string {
  const transaction = new Transaction({ version: 2, lockTime: 0, ...LENIENT });
  const scriptOf = (address: string): Uint8Array => {
    const script = readUtxoAddress(network, address);
    if (script === undefined) throw new Error(`${address} is no address of this network.`);
    return script;
  };
  for (const { txid, vout, units, address } of inputs) {
    const witnessUtxo = { script: scriptOf(address), amount: units };
    transaction.addInput({ txid, index: vout, sequence: SEQUENCE, witnessUtxo });
  }
  for (const { address, units } of outputs) {
    transaction.addOutput({ script: scriptOf(address), amount: units });
  }
  return Buffer.from(transaction.toPSBT()).toString('base64');
}

export interface SignedBytes {
  /** What a node takes by `sendrawtransaction`. */
  readonly raw: string;
  readonly txid: string;
}

/**
 * The bytes of a signed transaction, from its hexadecimal form or from a PSBT in base64. Throws with the reason when it is not the
 * transaction that was asked for, or is not signed whole.
 */
export function readSignedUtxo(unsignedPsbt: string, text: string): SignedBytes {
  const asked = Transaction.fromPSBT(Buffer.from(unsignedPsbt, 'base64'), LENIENT);
  const signed = readTransaction(text.trim());
  const [want, got] = [shapeOf(asked), shapeOf(signed)];
  if (JSON.stringify(want) !== JSON.stringify(got)) {
    throw new Error('it spends or pays something else than what was prepared');
  }
  for (let n = 0; n < signed.inputsLength; n += 1) {
    const { finalScriptSig, finalScriptWitness } = signed.getInput(n);
    if ((finalScriptSig?.length ?? 0) === 0 && (finalScriptWitness?.length ?? 0) === 0) {
      throw new Error(`input ${n} is not signed`);
    }
  }
  return { raw: Buffer.from(signed.toBytes(true, true)).toString('hex'), txid: signed.id };
}

function readTransaction(text: string): Transaction {
  try {
    if (/^([0-9a-f]{2})+$/i.test(text))
      return Transaction.fromRaw(Buffer.from(text, 'hex'), LENIENT);
    const transaction = Transaction.fromPSBT(Buffer.from(text, 'base64'), LENIENT);
    if (!transaction.isFinal) transaction.finalize();
    return transaction;
  } catch (error) {
    throw new Error(
      `it is neither a signed transaction in hexadecimal digits nor a PSBT in base64 that is signed whole (${(error as Error).message})`,
      { cause: error },
    );
  }
}

/** What a transaction does, without its signatures. */
function shapeOf(transaction: Transaction): unknown {
  const inputs = Array.from({ length: transaction.inputsLength }, (_, n) => {
    const { txid, index } = transaction.getInput(n);
    return [Buffer.from(txid ?? []).toString('hex'), index];
  });
  const outputs = Array.from({ length: transaction.outputsLength }, (_, n) => {
    const { script, amount } = transaction.getOutput(n);
    return [Buffer.from(script ?? []).toString('hex'), String(amount)];
  });
  return { inputs, outputs, lockTime: transaction.lockTime };
}

/** The address of an output's script, whatever its form; undefined where addresses have no such form. */
export function spellScript(network: UtxoNetwork, scriptHex: string): string | undefined {
  try {
    return Address(network).encode(OutScript.decode(Buffer.from(scriptHex, 'hex')));
  } catch {
    return undefined;
  }
}
