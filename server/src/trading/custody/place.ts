// A coin on one of its networks, as callers name the two, and what is known of that network now.
import { accessCoin } from '../coins/access.ts';
import type { Coin, Network } from '../coins/coin.ts';
import type { TradingContext } from '../context.ts';
import { refuse } from '../http/errors.ts';
import { ownNetworks, type OwnNetwork } from './networks.ts';
import { findNetwork, type WatchedNetwork } from './watch/access.ts';

export interface AskedPlace {
  readonly coin: string;
  /** Absent: the default network of the coin. */
  readonly network?: string | undefined;
}

export interface Place {
  readonly coin: Coin;
  readonly network: Network;
  /** Absent where this deployment does not follow the network. */
  readonly own: OwnNetwork | undefined;
  /** Absent until a watcher has seen it. */
  readonly state: WatchedNetwork | undefined;
}

export async function accessPlace(
  ctx: TradingContext,
  { coin: symbol, network: name }: AskedPlace,
): Promise<Place> {
  const coin = await accessCoin(ctx, symbol, 'coin');
  const all = Object.values(coin.networks);
  const network =
    name === undefined
      ? (all.find(({ isDefault }) => isDefault) ?? all[0])
      : all.find(({ NetworkSymbol }) => NetworkSymbol === name);
  if (network === undefined) {
    const known = all.map(({ NetworkSymbol }) => NetworkSymbol).join(', ');
    throw refuse(
      'UNKNOWN_NETWORK',
      name === undefined
        ? `${symbol} is on no network.`
        : `${symbol} is not on the network '${name}'. Its networks: ${known || 'none'}.`,
      { parameter: 'network', value: name ?? '' },
    );
  }
  const own = ownNetworks(ctx.config).get(network.NetworkSymbol);
  const state = own && (await findNetwork(ctx.db, network.NetworkSymbol));
  return { coin, network, own, state };
}
