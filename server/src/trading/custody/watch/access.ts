export { findBlock, findNetwork, listNetworks } from './store.ts';
export type { WatchedNetwork } from './store.ts';
