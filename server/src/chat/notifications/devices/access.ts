// Lets other features notify devices.
export { listReachable } from './store.ts';
