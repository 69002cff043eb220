import { Transaction } from '@scure/btc-signer';
import type { UtxoDeed } from './read.ts';
import type { Keys } from '../keys.ts';

export interface SignedBytes {
  readonly raw: string;
  readonly txid: string;
}

/** Builds the transaction anew from what was judged, and signs all of it (SIGHASH_ALL). */
export function signUtxo({ account, inputs, outputs }: UtxoDeed, keys: Keys): SignedBytes {
  const transaction = new Transaction({ version: 2, lockTime: 0, allowUnknownOutputs: true });
  for (const { txid, index, sequence, script, units } of inputs) {
    transaction.addInput({ txid, index, sequence, witnessUtxo: { script, amount: units } });
  }
  for (const { script, units } of outputs) transaction.addOutput({ script, amount: units });
  for (const [at, { place }] of inputs.entries()) {
    const key = keys.privateKey(account, place);
    try {
      transaction.signIdx(key, at);
    } finally {
      key.fill(0);
    }
  }
  transaction.finalize();
  return { raw: transaction.hex, txid: transaction.id };
}
