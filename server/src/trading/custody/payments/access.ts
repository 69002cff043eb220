export { CHANGE_MIN } from './compose.ts';
export { dropPayment } from './drop.ts';
export { hasBytes, isLastOfSender } from './end-store.ts';
export { composeEvm, GAS } from './evm.ts';
export { drawChange, drawManyChanges, paramsOf } from './prepare.ts';
export { listHotBalances } from './hot-store.ts';
export { requestOf } from './sign.ts';
export { openSigner } from './signer.ts';
export { insertSignature, listSignatures } from './signature-store.ts';
export {
  insertPayment,
  listAttempts,
  listOutputs,
  listOwnTxids,
  lockPayment,
  replaceSigned,
  updatePayment,
} from './store.ts';
export type { NewPayment, OwnOutput, PaymentRow } from './store.ts';
export { askSweep, lockWallet } from './wallet-store.ts';
