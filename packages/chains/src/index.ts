export {
  CHANGE_BRANCH,
  DEPOSIT_BRANCH,
  EVM_DEPOSIT_ACCOUNT,
  EVM_HOT_ACCOUNT,
  deriveFingerprint,
  deriveXpub,
  openAccount,
  openPrivateAccount,
  utxoAccount,
} from './derivation.ts';
export type { Account, Place } from './derivation.ts';
export {
  evmAddress,
  evmChecksum,
  readEvmAddress,
  readSignedEvm,
  signEvmTransaction,
  transferData,
} from './evm.ts';
export type { EvmTransaction, SignedEvmTransaction } from './evm.ts';
export {
  readUtxoAddress,
  spellUtxoAddress,
  utxoAddress,
  utxoAddressOf,
  utxoScript,
} from './utxo.ts';
export type { UtxoNetwork } from './utxo.ts';
export { composeWatchedPsbt, readSignedUtxo, spellScript } from './cold.ts';
export type { SignedBytes, WatchedInput, WatchedTransaction } from './cold.ts';
export { isSignedMessage, reserveStatement, signEvmMessage, signUtxoMessage } from './message.ts';
export type { ReserveStatement } from './message.ts';
export { composePsbt } from './psbt.ts';
export type { SeedAccount, UnsignedInput, UnsignedTransaction } from './psbt.ts';
export {
  buildTree,
  HASH_BYTES,
  LEVELS_MAX,
  neighboursOf,
  pathOf,
  rootOf,
  SALT_BYTES,
} from './reserves.ts';
export type { Liability, PathStep, SumHash, SumTree } from './reserves.ts';
export { checkLeaf, readLeaves } from './reserves-file.ts';
export type { LeafFile, LeafVerdict, PublishedRoot } from './reserves-file.ts';
