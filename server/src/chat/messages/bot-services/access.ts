// For other features: the address and token of outgoing-webhook bots, and queueing calls to them.
export { insertCalls, listServices } from './store.ts';
