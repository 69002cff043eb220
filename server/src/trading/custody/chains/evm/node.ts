// A node of an EVM chain by its JSON-RPC.
import { OddAnswer, type ChainNode } from '../chain.ts';
import { heightOf, type Call } from '../rpc.ts';
import { hashOf, quantityOf, toBlock } from './block.ts';

const hex = (height: number): string => `0x${height.toString(16)}`;

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
  };
}
