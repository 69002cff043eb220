export { findNetwork, listNetworks } from './store.ts';
