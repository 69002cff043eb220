// The chains of the Bitcoin family that custody can follow, as plain data.
import type { UtxoNetwork } from '@rialto/chains';

export interface UtxoParams {
  /** The prefixes by which addresses name their network. */
  readonly network: UtxoNetwork;
  /** The hash of the first block, by which a node shows which chain it follows. */
  readonly genesis: string;
}

export const UTXO_CHAINS: Readonly<Record<string, UtxoParams>> = {
  bitcoin: {
    network: { bech32: 'bc', pubKeyHash: 0x00, scriptHash: 0x05, wif: 0x80 },
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
  },
  'bitcoin-regtest': {
    network: { bech32: 'bcrt', pubKeyHash: 0x6f, scriptHash: 0xc4, wif: 0xef },
    genesis: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
  },
  litecoin: {
    network: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, wif: 0xb0 },
    genesis: '12a765e31ffd4059bada1e25190f6e98c99d9714d334efa41a195a7e7e04bfe2',
  },
  'litecoin-regtest': {
    network: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, wif: 0xef },
    genesis: '530827f38f93b43ed12af0b3ad25a288dc02ed74d6d7857862df51fc56c416f9',
  },
};
