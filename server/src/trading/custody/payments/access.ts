export { dropPayment } from './drop.ts';
export { hasBytes, isLastOfSender } from './end-store.ts';
export { requestOf } from './sign.ts';
export { insertSignature, listSignatures } from './signature-store.ts';
export { listAttempts, listOutputs, listOwnTxids, lockPayment, updatePayment } from './store.ts';
export type { PaymentRow } from './store.ts';
export { askSweep } from './wallet-store.ts';
