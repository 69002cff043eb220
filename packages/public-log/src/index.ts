// The public surface of the package.

export { Chain, ZERO_HASH, chainHash, sha256Hex } from './chain.ts';
export type { ChainedEvent } from './chain.ts';
export { MEMBERS, eventText } from './events.ts';
export type { EventType, LogSide, PublicEvent, RemoveReason } from './events.ts';
export { bookHash, bookText } from './books.ts';
export { QueueBooks } from './queues.ts';
export type { MarketBook, Place } from './queues.ts';
export { readQueues } from './read-queues.ts';
export { Recorder } from './recorder.ts';
export { exportPublicKey, importPublicKey, keyIdOf, readKeyRing, toSigningKey } from './keys.ts';
export type { KeyRing, SigningKey } from './keys.ts';
export { headText, signHead, verifyHead } from './heads.ts';
export type { Head, SignedHead } from './heads.ts';
export {
  TERMS,
  checkReceipt,
  parametersHash,
  parametersText,
  receiptText,
  signReceipt,
} from './receipts.ts';
export type { AskedTerms, Receipt, ReceiptFacts, TermName } from './receipts.ts';
export { Verifier, verifyLog, verifyStream } from './verify/verify.ts';
export type { Verdict, VerifyOptions } from './verify/verify.ts';
export { OrderTrace, logFault, verifyReceipt } from './trace.ts';
export type { ReceiptVerdict } from './trace.ts';
