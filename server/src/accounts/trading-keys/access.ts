// What others may know of trading accounts.
export {
  findAccountId,
  getAccountWithOwner,
  listAccountIdsOf,
  listSampleSecrets,
} from './store.ts';
