// The email domains that may join, for invitations.
export { listDomains } from './store.ts';
