// Lets nodes read the rights of all channels before they follow the log.
export { listChannelRights } from './store.ts';
