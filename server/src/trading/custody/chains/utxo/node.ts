// A node of the Bitcoin family by its JSON-RPC.
import { spellScript, type UtxoNetwork } from '@rialto/chains';
import { OddAnswer, type Broadcast, type ChainNode } from '../chain.ts';
import { heightOf, isRecord, NodeRefusal, textOf, type Call } from '../rpc.ts';
import { toBlock, toTransfers, toUnits } from './block.ts';

/** What `getblockhash` answers above the tip. */
const OUT_OF_RANGE = -8;

/** What `sendrawtransaction` answers for a transaction that is in a block already. */
const IN_CHAIN = -27;
/** Its inputs are missing or spent. */
const MISSING_INPUTS = -25;
/** The rules of the node's pool are not met; the message says which. */
const NOT_RELAYED = -26;
/** In how many blocks a payment should be. */
const TARGET_BLOCKS = 6;
/** Below this, codes say that the node itself is not ready: -28 while it starts. */
const STARTING = -28;
/** Nodes estimate by a thousand bytes. */
const PER_THOUSAND = 1000n;

function classify(error: NodeRefusal): Broadcast {
  const { code, message } = error;
  if (code === IN_CHAIN || /txn-already-(known|in-mempool)/.test(message)) {
    return { kind: 'accepted' };
  }
  if (code === MISSING_INPUTS || (code === NOT_RELAYED && /conflict|inputs/.test(message))) {
    return { kind: 'spent', message };
  }
  return { kind: code === NOT_RELAYED && /fee/.test(message) ? 'underpriced' : 'refused', message };
}

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
    async readPool(known, limit) {
      const answer = await call('getrawmempool', []);
      if (!Array.isArray(answer)) throw new OddAnswer('Expected a list of transactions.');
      const txids = new Set(answer.map(String));
      const read = [...txids].filter((txid) => !known.has(txid)).slice(0, limit);
      const transfers = [];
      for (const txid of read) {
        try {
          transfers.push(...toTransfers(await call('getrawtransaction', [txid, true]), network));
        } catch (error) {
          // It has left the pool meanwhile.
          if (!(error instanceof NodeRefusal)) throw error;
        }
      }
      return { txids, read, transfers };
    },
    async broadcast(raw) {
      try {
        await call('sendrawtransaction', [raw]);
        return { kind: 'accepted' };
      } catch (error) {
        if (error instanceof NodeRefusal && error.code < 0 && error.code > STARTING) {
          return classify(error);
        }
        throw error;
      }
    },
    async feeRate() {
      const answer = await call('estimatesmartfee', [TARGET_BLOCKS]);
      // A chain on which little happens has no estimate.
      if (!isRecord(answer) || typeof answer['feerate'] !== 'string') return undefined;
      const rate = (toUnits(answer['feerate']) + PER_THOUSAND - 1n) / PER_THOUSAND;
      return { rate, tip: 0n };
    },
    async unspentOf(outputs) {
      const asked = outputs.map(({ txid, vout }) => [txid, vout, false]);
      const answers = await call.many('gettxout', asked);
      return answers.map((answer) => {
        if (answer === null) return undefined;
        const script = isRecord(answer) ? answer['scriptPubKey'] : undefined;
        return {
          address: spellScript(network, textOf(script, 'hex')),
          units: toUnits(textOf(answer, 'value')),
        };
      });
    },
    balancesAt: () => Promise.reject(new Error('Chains of this family have no balances.')),
    decimalsAt: () => Promise.reject(new Error('Chains of this family have no tokens.')),
    balanceOf: () => Promise.reject(new Error('Chains of this family have no balances.')),
    countSent: () => Promise.reject(new Error('Chains of this family do not count by address.')),
  };
}
