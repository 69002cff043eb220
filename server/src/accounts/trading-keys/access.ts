// What other features may know of trading accounts.
export {
  findAccountId,
  getAccountWithOwner,
  listAccountIdsOf,
  listSampleSecrets,
} from './store.ts';
