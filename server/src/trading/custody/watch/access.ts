export {
  findBlock,
  findNetwork,
  listNetworks,
  lockNetwork,
  updateHeld,
  updateRescan,
} from './store.ts';
export type { WatchedNetwork } from './store.ts';
