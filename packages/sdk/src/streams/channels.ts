// The channels by name, with the type of what comes on each.
import type { PrivateChannels, PublicChannels } from './types.generated.ts';

export type PrivateChannel = keyof PrivateChannels;
export type Channel = keyof PublicChannels | PrivateChannel;
export type ChannelData<C extends Channel, T extends 'snapshot' | 'update'> = (PublicChannels &
  PrivateChannels)[C][T];

const PRIVATE: Readonly<Record<PrivateChannel, true>> = {
  orders: true,
  my_trades: true,
  balances: true,
  wallet: true,
  account: true,
};

export const isPrivate = (channel: string): channel is PrivateChannel =>
  Object.hasOwn(PRIVATE, channel);

/**
 * What happens to a consumer that does not keep up, by kind of channel:
 * `newest`: each push is a whole state, so the oldest waiting one is dropped;
 * `anew`: pushes are changes, so the waiting ones are dropped and the channel starts again with a snapshot;
 * `gap`: the oldest waiting one is dropped, and a `gap` in its place says how many are missing;
 * `reset`: the waiting ones are dropped, a `reset` comes in their place, then a snapshot.
 */
export type SlowPolicy = 'newest' | 'anew' | 'gap' | 'reset';

const BY_KIND: Readonly<Record<string, SlowPolicy>> = {
  depth: 'anew',
  depth_fast: 'anew',
  status: 'anew',
  tickers: 'anew',
  trades: 'gap',
  candles: 'gap',
};

export function slowPolicyOf(channel: string): SlowPolicy {
  if (isPrivate(channel)) return 'reset';
  return BY_KIND[channel.split(':')[0] ?? ''] ?? 'newest';
}

/** Of the channels that a slow consumer loses as a whole, all but this one give their state anew. */
export const beginsWithSnapshot = (channel: string): boolean => channel !== 'my_trades';
