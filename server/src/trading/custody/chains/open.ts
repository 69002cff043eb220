// The chain of a configured network.
import { readEvmAddress, spellUtxoAddress } from '@rialto/chains';
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
      family: 'utxo',
      accepts: (identity) => identity === params.genesis,
      addressAt: createUtxoDeriver(publicKey, params.network),
      readAddress: (text) => spellUtxoAddress(params.network, text),
      openNode: (url) => openUtxoNode(openRpc(url), params.network),
    };
  }
  return {
    family: 'evm',
    accepts: (identity) => identity.startsWith(`${chainId}/`),
    addressAt: createEvmDeriver(publicKey),
    readAddress: readEvmAddress,
    openNode: (url) => openEvmNode(openRpc(url), { traces }),
  };
}
