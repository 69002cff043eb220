export { listOwnTxids } from './store.ts';
