// The rights of all channels, which a node reads before it follows the event log.
export { listChannelRights } from './store.ts';
