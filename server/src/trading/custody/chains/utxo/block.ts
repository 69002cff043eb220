// Turns a block of the Bitcoin family, as `getblock HASH 2` answers it, into transfers. Pure. The JSON and not the raw
// bytes, because Litecoin's blocks carry an extension since its activation.
import { utxoAddressOf, type UtxoNetwork } from '@rialto/chains';
import { OddAnswer, type ChainBlock, type ChainTransfer } from '../chain.ts';
import { heightOf, isRecord, listOf, textOf } from '../rpc.ts';

const DECIMALS = 8;
/** Of the outputs of a coinbase, as every node of the family demands. */
const COINBASE_MATURITY = 100;
/** Of coins that come out of Litecoin's extension block. */
const HOGEX_MATURITY = 6;
/** The first output of the transaction that carries them: witness version 8 or 9, and 32 bytes. */
const HOGEX_SCRIPT = /^5[89]20[0-9a-f]{64}$/;
const HASH = /^[0-9a-f]{64}$/;

export function toBlock(answer: unknown, network: UtxoNetwork): ChainBlock {
  const transactions = listOf(answer, 'tx');
  return {
    height: heightOf(textOf(answer, 'height')),
    hash: hashOf(answer, 'hash'),
    // The first block has none.
    parent:
      isRecord(answer) && answer['previousblockhash'] === undefined
        ? ''
        : hashOf(answer, 'previousblockhash'),
    transfers: transactions.flatMap((one) => toTransfers(one, network)),
    transactions: transactions.map((one) => ({ txid: hashOf(one, 'txid'), hasFailed: false })),
  };
}

export function toTransfers(transaction: unknown, network: UtxoNetwork): ChainTransfer[] {
  const txid = hashOf(transaction, 'txid');
  const outputs = listOf(transaction, 'vout');
  const maturity = maturityOf(transaction, outputs);
  return outputs.flatMap((output): ChainTransfer[] => {
    const address = utxoAddressOf(network, scriptOf(output));
    if (address === undefined) return [];
    const units = toUnits(textOf(output, 'value'));
    if (units === 0n) return [];
    return [{ txid, place: placeOf(textOf(output, 'n')), address, contract: '', units, maturity }];
  });
}

function maturityOf(transaction: unknown, outputs: readonly unknown[]): number {
  const [input] = listOf(transaction, 'vin');
  if (isRecord(input) && input['coinbase'] !== undefined) return COINBASE_MATURITY;
  return outputs[0] !== undefined && HOGEX_SCRIPT.test(scriptOf(outputs[0])) ? HOGEX_MATURITY : 0;
}

const scriptOf = (output: unknown): string =>
  textOf(isRecord(output) ? output['scriptPubKey'] : undefined, 'hex');

function hashOf(record: unknown, name: string): string {
  const hash = textOf(record, name);
  if (!HASH.test(hash))
    throw new OddAnswer(`Expected a hash in "${name}", not ${hash.slice(0, 80)}.`);
  return hash;
}

function placeOf(text: string): string {
  if (/^(0|[1-9][0-9]{0,6})$/.test(text)) return text;
  throw new OddAnswer(`Expected the number of an output, not ${text.slice(0, 40)}.`);
}

/** Whole coins with up to eight decimals, as the node wrote them. */
export function toUnits(text: string): bigint {
  const match = /^([0-9]{1,10})(?:\.([0-9]{1,8}))?$/.exec(text);
  if (match === null) throw new OddAnswer(`Expected an amount of coins, not ${text.slice(0, 40)}.`);
  return BigInt((match[1] ?? '') + (match[2] ?? '').padEnd(DECIMALS, '0'));
}
