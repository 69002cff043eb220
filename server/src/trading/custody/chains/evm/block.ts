// Turns a block of an EVM chain with its receipts, and its traces where the node has them, into transfers. Pure.
// A transfer's place counts within its own transaction: the node's `logIndex` counts through the block, and changes
// when the transaction is mined elsewhere.
import { evmChecksum } from '@rialto/chains';
import { createHash } from 'node:crypto';
import { OddAnswer, type ChainBlock, type ChainTransfer } from '../chain.ts';
import { heightOf, isRecord, listOf, textOf } from '../rpc.ts';

/** keccak-256 of Transfer(address,address,uint256), which every ERC-20 token logs. */
const TRANSFER_TOPIC = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const HASH = /^0x[0-9a-f]{64}$/;
const ADDRESS = /^0x[0-9a-f]{40}$/;
const WORD = /^0x[0-9a-f]{64}$/;
const QUANTITY = /^0x[0-9a-f]{1,64}$/;
/** Calls within calls; the machine itself stops at 1024. */
const DEPTH_MAX = 1024;
const PATH_LENGTH_MAX = 100;

export interface EvmAnswers {
  readonly block: unknown;
  readonly receipts: unknown;
  /** Undefined where the node does not trace. */
  readonly traces?: unknown;
}

export function toBlock(
  { block, receipts, traces }: EvmAnswers,
  contracts: ReadonlySet<string>,
): ChainBlock {
  const hash = hashOf(block, 'hash');
  const receiptOf = new Map(
    asList(receipts, 'receipts').map((receipt) => [hashOf(receipt, 'transactionHash'), receipt]),
  );
  const transactions = listOf(block, 'transactions');
  const traced = traces === undefined ? undefined : asList(traces, 'traces');
  if (traced !== undefined && traced.length !== transactions.length) {
    throw new OddAnswer(
      `Block ${hash} has ${transactions.length} transactions and ${traced.length} traces.`,
    );
  }
  const own = transactions.map((transaction) => {
    const txid = hashOf(transaction, 'hash');
    const receipt = receiptOf.get(txid);
    if (receipt === undefined || hashOf(receipt, 'blockHash') !== hash) {
      throw new OddAnswer(`Block ${hash} lacks the receipt of its transaction ${txid}.`);
    }
    return { transaction, txid, receipt, hasFailed: quantityOf(receipt, 'status') !== 1n };
  });
  return {
    height: heightOf(quantityOf(block, 'number')),
    hash,
    parent: hashOf(block, 'parentHash'),
    transfers: own.flatMap(({ transaction, txid, receipt, hasFailed }, place) =>
      hasFailed
        ? []
        : [
            ...ownValue(transaction, txid),
            ...tokens(receipt, txid, contracts),
            ...(traced === undefined ? [] : innerValue(traced[place], txid)),
          ],
    ),
    transactions: own.map(({ txid, receipt, hasFailed }) => ({
      txid,
      hasFailed,
      ...feeOf(receipt),
    })),
  };
}

/** The value of transactions that wait. Tokens are seen when they are mined: before, nobody knows what a call will do. */
export const toWaiting = (block: unknown): { txid: string; transfers: ChainTransfer[] }[] =>
  listOf(block, 'transactions').map((transaction) => {
    const txid = hashOf(transaction, 'hash');
    return { txid, transfers: ownValue(transaction, txid) };
  });

/** Chains without a price by gas in their receipts say nothing about fees. */
function feeOf(receipt: unknown): { feePaid?: bigint } {
  const isPriced = isRecord(receipt) && typeof receipt['effectiveGasPrice'] === 'string';
  if (!isPriced) return {};
  return { feePaid: quantityOf(receipt, 'gasUsed') * quantityOf(receipt, 'effectiveGasPrice') };
}

function ownValue(transaction: unknown, txid: string): ChainTransfer[] {
  // A transaction that makes a contract has no recipient.
  if (isRecord(transaction) && (transaction['to'] === null || transaction['to'] === undefined)) {
    return [];
  }
  return toTransfer(txid, 'n', '', textOf(transaction, 'to'), quantityOf(transaction, 'value'));
}

function tokens(receipt: unknown, txid: string, contracts: ReadonlySet<string>): ChainTransfer[] {
  return listOf(receipt, 'logs').flatMap((log, k) => {
    const contract = textOf(log, 'address').toLowerCase();
    if (!contracts.has(contract)) return [];
    const topics = listOf(log, 'topics');
    // Tokens that cannot be divided (ERC-721) log the same with a fourth topic.
    if (topics[0] !== TRANSFER_TOPIC || topics.length !== 3) return [];
    const data = textOf(log, 'data');
    const [, , recipient] = topics;
    if (!WORD.test(data) || typeof recipient !== 'string' || !WORD.test(recipient)) return [];
    return toTransfer(txid, `l${k}`, contract, `0x${recipient.slice(-40)}`, BigInt(data));
  });
}

/** Value that contracts passed on. What a failed call did was undone, with everything below it. */
function innerValue(traced: unknown, txid: string): ChainTransfer[] {
  const top = isRecord(traced) ? traced['result'] : undefined;
  const found: ChainTransfer[] = [];
  const waiting = [...callsOf(top).entries()].map(([k, call]) => ({ call, path: String(k) }));
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { call, path } = next;
    if (!isRecord(call) || call['error'] !== undefined) continue;
    if (path.split('.').length > DEPTH_MAX)
      throw new OddAnswer(`The trace of ${txid} is too deep.`);
    const { type, to } = call;
    // Other kinds of calls move nothing: they borrow the value of the call around them, or have none.
    if ((type === 'CALL' || type === 'SELFDESTRUCT') && typeof to === 'string') {
      const value = call['value'] === undefined ? 0n : quantityOf(call, 'value');
      found.push(...toTransfer(txid, `t${shorten(path)}`, '', to, value));
    }
    waiting.push(
      ...[...callsOf(call).entries()].map(([k, inner]) => ({ call: inner, path: `${path}.${k}` })),
    );
  }
  return found;
}

/** Calls can be nested so deeply that their path is too long for a key. */
const shorten = (path: string): string =>
  path.length <= PATH_LENGTH_MAX ? path : `x${createHash('sha256').update(path).digest('hex')}`;

const callsOf = (call: unknown): readonly unknown[] =>
  isRecord(call) && Array.isArray(call['calls']) ? call['calls'] : [];

function toTransfer(
  txid: string,
  place: string,
  contract: string,
  to: string,
  units: bigint,
): ChainTransfer[] {
  const address = to.toLowerCase();
  if (!ADDRESS.test(address)) throw new OddAnswer(`Expected an address, not ${to.slice(0, 60)}.`);
  if (units === 0n) return [];
  return [{ txid, place, address: evmChecksum(address.slice(2)), contract, units, maturity: 0 }];
}

export function hashOf(record: unknown, name: string): string {
  const hash = textOf(record, name);
  if (!HASH.test(hash))
    throw new OddAnswer(`Expected a hash in "${name}", not ${hash.slice(0, 80)}.`);
  return hash;
}

export function quantityOf(record: unknown, name: string): bigint {
  const text = textOf(record, name);
  if (!QUANTITY.test(text)) {
    throw new OddAnswer(`Expected a number in "${name}", not ${text.slice(0, 80)}.`);
  }
  return BigInt(text);
}

function asList(value: unknown, name: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new OddAnswer(`Expected a list of ${name}.`);
  return value;
}
