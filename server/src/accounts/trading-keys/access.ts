// What others may know of trading accounts.
export { listAccountIdsOf } from './store.ts';
