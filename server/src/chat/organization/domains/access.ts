// The domains whose addresses may join, for invitations.
export { listDomains } from './store.ts';
