// Whom people have muted, for whoever sends and whoever shows. What the muted write comes as read.
export { listMuted, listMuters } from './store.ts';
