// The networks that this process is configured for, with their chains.
import { readNetworks, type CustodyNetwork } from '../../platform/config/custody-networks.ts';
import type { Config } from '../../platform/config/schema.ts';
import type { Chain } from './chains/chain.ts';
import { openChain } from './chains/open.ts';

export interface OwnNetwork extends CustodyNetwork {
  readonly ownChain: Chain;
}

/** The file is read once in the life of a process, as every setting is. */
const known = new WeakMap<Config, ReadonlyMap<string, OwnNetwork>>();

/** By name. Empty where money is simulated: such a venue takes no coins of a real network. */
export function ownNetworks(config: Config): ReadonlyMap<string, OwnNetwork> {
  const before = known.get(config);
  if (before !== undefined) return before;
  const { networks } = config.MONEY === 'real' ? readNetworks(config) : { networks: [] };
  const opened = new Map(
    networks.map((network) => [network.network, { ...network, ownChain: openChain(network) }]),
  );
  known.set(config, opened);
  return opened;
}
