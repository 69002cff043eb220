export { listDomains } from './store.ts';
