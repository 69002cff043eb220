// A node of an EVM chain by its JSON-RPC.
import { OddAnswer, type Broadcast, type ChainNode } from '../chain.ts';
import { heightOf, isRecord, listOf, NodeRefusal, type Call } from '../rpc.ts';
import { hashOf, quantityOf, toBlock, toWaiting } from './block.ts';

const hex = (height: number): string => `0x${height.toString(16)}`;

/** Nodes have no codes for this; these words are common to all of them. */
function classify({ message }: NodeRefusal): Broadcast {
  if (/already (known|imported)|known transaction/i.test(message)) return { kind: 'accepted' };
  if (/nonce too low/i.test(message)) return { kind: 'spent', message };
  if (/underpriced|fee too low|max fee per gas less|less than block base fee/i.test(message)) {
    return { kind: 'underpriced', message };
  }
  return { kind: 'refused', message };
}

/** The call `balanceOf(address)` of an ERC-20 token. */
const BALANCE_OF = '0x70a08231';
/** The call `decimals()`. */
const DECIMALS = '0x313ce567';
const WORD = /^0x[0-9a-f]{64}$/;
/** Blocks whose fees are looked at, and the share of transactions that paid less than the tip that we take. */
const FEE_BLOCKS = '0xa';
const FEE_PERCENTILE = 50;

/** What the interface of tokens allows. */
const DECIMALS_MAX = 255n;

const balanceCall = (address: string, contract: string) => ({
  to: contract,
  data: `${BALANCE_OF}${address.slice(2).toLowerCase().padStart(64, '0')}`,
});

function wordOf(answer: unknown): bigint {
  const word = String(answer);
  if (!WORD.test(word)) throw new OddAnswer(`Expected a balance, not ${word.slice(0, 80)}.`);
  return BigInt(word);
}

export interface EvmNodeOptions {
  /** Whether the node offers the `debug` calls, by which value that contracts pass on is seen. */
  readonly traces: boolean;
}

export function openEvmNode(call: Call, { traces }: EvmNodeOptions): ChainNode {
  const blockAt = (where: string) => call('eth_getBlockByNumber', [where, false]);
  return {
    async identify() {
      const [chain, first] = await Promise.all([call('eth_chainId', []), blockAt('0x0')]);
      // Chains for development share a number; their first blocks differ.
      return `${BigInt(String(chain))}/${hashOf(first, 'hash')}`;
    },
    async tip() {
      const block = await blockAt('latest');
      return { height: heightOf(quantityOf(block, 'number')), hash: hashOf(block, 'hash') };
    },
    async hashAt(height) {
      const block = await blockAt(hex(height));
      return block === null ? undefined : hashOf(block, 'hash');
    },
    async readBlock(hash, contracts) {
      const [block, receipts, traced] = await Promise.all([
        call('eth_getBlockByHash', [hash, true]),
        call('eth_getBlockReceipts', [hash]),
        traces
          ? call('debug_traceBlockByHash', [hash, { tracer: 'callTracer' }])
          : Promise.resolve(undefined),
      ]);
      const read = toBlock({ block, receipts, traces: traced }, contracts);
      if (read.hash !== hash) throw new OddAnswer(`Asked for block ${hash}, and got ${read.hash}.`);
      return read;
    },
    async readPool(known, limit) {
      const block = await call('eth_getBlockByNumber', ['pending', true]);
      // Some nodes have no such block.
      const waiting = block === null ? [] : toWaiting(block);
      const fresh = waiting.filter(({ txid }) => !known.has(txid)).slice(0, limit);
      return {
        txids: new Set(waiting.map(({ txid }) => txid)),
        read: fresh.map(({ txid }) => txid),
        transfers: fresh.flatMap(({ transfers }) => transfers),
      };
    },
    async broadcast(raw) {
      try {
        await call('eth_sendRawTransaction', [raw]);
        return { kind: 'accepted' };
      } catch (error) {
        if (error instanceof NodeRefusal) return classify(error);
        throw error;
      }
    },
    async feeRate() {
      const answer = await call('eth_feeHistory', [FEE_BLOCKS, 'latest', [FEE_PERCENTILE]]);
      const base = listOf(answer, 'baseFeePerGas').at(-1);
      const rewards = isRecord(answer) && Array.isArray(answer['reward']) ? answer['reward'] : [];
      const tips = rewards
        .map((row: unknown) => BigInt(Array.isArray(row) ? String(row[0]) : '0x0'))
        .sort((a, b) => (a < b ? -1 : 1));
      // Twice the base fee stays enough for six full blocks.
      const tip = tips[Math.floor(tips.length / 2)] ?? 0n;
      return { rate: 2n * BigInt(String(base)) + tip, tip };
    },
    async balanceOf(address, contract) {
      if (contract === '') return BigInt(String(await call('eth_getBalance', [address, 'latest'])));
      return wordOf(await call('eth_call', [balanceCall(address, contract), 'latest']));
    },
    async balancesAt(addresses, contract, { hash }) {
      // By its hash: a block of the same height on another chain is another one.
      const at = { blockHash: hash };
      if (contract === '') {
        const asked = addresses.map((address) => [address, at]);
        return (await call.many('eth_getBalance', asked)).map((one) => BigInt(String(one)));
      }
      const asked = addresses.map((address) => [balanceCall(address, contract), at]);
      return (await call.many('eth_call', asked)).map(wordOf);
    },
    async decimalsAt(contract, { hash }) {
      const asked = [{ to: contract, data: DECIMALS }, { blockHash: hash }];
      const answer = await call('eth_call', asked).catch((error: unknown) => {
        // A token need not know the call.
        if (error instanceof NodeRefusal) return '0x';
        throw error;
      });
      const decimals = WORD.test(String(answer)) ? BigInt(String(answer)) : undefined;
      return decimals === undefined || decimals > DECIMALS_MAX ? undefined : Number(decimals);
    },
    unspentOf: () => Promise.reject(new Error('Chains of this family have no outputs.')),
    countSent: async (address) =>
      BigInt(String(await call('eth_getTransactionCount', [address, 'latest']))),
  };
}
