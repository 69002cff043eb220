// A node of the Bitcoin family by its JSON-RPC.
import type { UtxoNetwork } from '@rialto/chains';
import { OddAnswer, type ChainNode } from '../chain.ts';
import { heightOf, NodeRefusal, textOf, type Call } from '../rpc.ts';
import { toBlock } from './block.ts';

/** What `getblockhash` answers above the tip. */
const OUT_OF_RANGE = -8;

export function openUtxoNode(call: Call, network: UtxoNetwork): ChainNode {
  const hashAt = async (height: number): Promise<string | undefined> => {
    try {
      // Numbers of answers are texts, but the node wants a number.
      return String(await call('getblockhash', [height]));
    } catch (error) {
      if (error instanceof NodeRefusal && error.code === OUT_OF_RANGE) return undefined;
      throw error;
    }
  };
  return {
    hashAt,
    identify: async () => (await hashAt(0)) ?? '',
    async tip() {
      const info = await call('getblockchaininfo', []);
      return { height: heightOf(textOf(info, 'blocks')), hash: textOf(info, 'bestblockhash') };
    },
    async readBlock(hash) {
      const block = toBlock(await call('getblock', [hash, 2]), network);
      if (block.hash !== hash)
        throw new OddAnswer(`Asked for block ${hash}, and got ${block.hash}.`);
      return block;
    },
  };
}
