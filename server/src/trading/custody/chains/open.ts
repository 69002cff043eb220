// The chain of a configured network.
import type { CustodyNetwork } from '../../../platform/config/custody-networks.ts';
import type { Chain } from './chain.ts';
import { createDeriver as createEvmDeriver } from './evm/address.ts';
import { openEvmNode } from './evm/node.ts';
import { openRpc } from './rpc.ts';
import { createDeriver as createUtxoDeriver } from './utxo/address.ts';
import { openUtxoNode } from './utxo/node.ts';
import { UTXO_CHAINS } from './utxo/params.ts';

export function openChain({ chain, chainId, publicKey, traces }: CustodyNetwork): Chain {
  const params = UTXO_CHAINS[chain];
  if (params !== undefined) {
    return {
      accepts: (identity) => identity === params.genesis,
      addressAt: createUtxoDeriver(publicKey, params.network),
      openNode: (url) => openUtxoNode(openRpc(url), params.network),
    };
  }
  return {
    accepts: (identity) => identity.startsWith(`${chainId}/`),
    addressAt: createEvmDeriver(publicKey),
    openNode: (url) => openEvmNode(openRpc(url), { traces }),
  };
}
