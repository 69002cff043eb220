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

/** Addresses that are kept; a derivation costs milliseconds, and each credit checks its address. */
const KEPT_MAX = 10_000;

/** Remembers what was derived: a key gives one address at a number for ever. */
function remembering(derive: (index: number) => string): (index: number) => string {
  const kept = new Map<number, string>();
  return (index) => {
    const address = kept.get(index) ?? derive(index);
    if (kept.size >= KEPT_MAX) kept.clear();
    kept.set(index, address);
    return address;
  };
}

export function openChain({ chain, chainId, publicKey, traces }: CustodyNetwork): Chain {
  const params = UTXO_CHAINS[chain];
  if (params !== undefined) {
    return {
      family: 'utxo',
      accepts: (identity) => identity === params.genesis,
      addressAt: remembering(createUtxoDeriver(publicKey, params.network)),
      readAddress: (text) => spellUtxoAddress(params.network, text),
      openNode: (url) => openUtxoNode(openRpc(url), params.network),
    };
  }
  return {
    family: 'evm',
    accepts: (identity) => identity.startsWith(`${chainId}/`),
    addressAt: remembering(createEvmDeriver(publicKey)),
    readAddress: readEvmAddress,
    openNode: (url) => openEvmNode(openRpc(url), { traces }),
  };
}
