// Who has muted a sender: what the muted write comes as read.
export { listMuters } from './store.ts';
