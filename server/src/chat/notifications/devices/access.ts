// The door to devices for whoever has something to tell them.
export { listReachable } from './store.ts';
