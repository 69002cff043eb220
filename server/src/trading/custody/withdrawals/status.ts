// The life of a withdrawal. Pure.

export const WITHDRAWAL_STATUSES = [
  'awaiting_confirmation',
  'awaiting_approval',
  'queued',
  'signing',
  'broadcasting',
  'confirming',
  'completed',
  'canceled',
  'rejected',
  'failed',
] as const;
export type ShownStatus = (typeof WITHDRAWAL_STATUSES)[number];

/** `requested`: the ledger has not said yet whether it holds the amount. */
export type WithdrawalStatus = ShownStatus | 'requested';

/** Its owner may take it back: nothing has been signed. */
export const CANCELABLE: readonly WithdrawalStatus[] = [
  'awaiting_confirmation',
  'awaiting_approval',
  'queued',
];

/** Operators may still give it back to its account. */
export const REJECTABLE: readonly WithdrawalStatus[] = ['awaiting_approval', 'queued'];

/** What becomes of one whose amount is held, as far as it has come. */
export function nextStatus({
  needsConfirmation,
  isConfirmed,
  approvalsNeeded,
  approvals,
}: {
  readonly needsConfirmation: boolean;
  readonly isConfirmed: boolean;
  readonly approvalsNeeded: number;
  readonly approvals: number;
}): 'awaiting_confirmation' | 'awaiting_approval' | 'queued' {
  if (needsConfirmation && !isConfirmed) return 'awaiting_confirmation';
  return approvals < approvalsNeeded ? 'awaiting_approval' : 'queued';
}
