// What other features may know of trading accounts.
export {
  closeAccount,
  countSubAccounts,
  findFamily,
  findFamilyMember,
  findSubAccountByLabel,
  holdAccount,
  holdFamilyMembers,
  insertSubAccount,
  listFamily,
  listSubAccounts,
  lockAccount,
  updateLabel,
} from './family-store.ts';
export type { FamilyMember } from './family-store.ts';
export {
  findAccountId,
  findMainAccount as findMainAccountOf,
  findTradingKeys as findKeys,
  findTradingKeyOwner as findKeyOwner,
  freezeOwners,
  freezeWithdrawals,
  getAccountWithOwner,
  listAccountIdsOf,
  listKeysOf,
  listSampleSecrets,
} from './store.ts';
export type { ListedKey } from './store.ts';
