// What can still be done about a withdrawal. Pure.
import type { Withdrawal } from '@rialto/sdk';
import type { Tone } from '../../ui/badge.tsx';

type Status = Withdrawal['status'];

/** Before anything is signed, its owner may take it back. */
const CANCELABLE: readonly Status[] = ['awaiting_confirmation', 'awaiting_approval', 'queued'];

export const isCancelable = ({ status }: Withdrawal): boolean => CANCELABLE.includes(status);
/** `requested`: the ledger has not held the amount yet. */
export const isConfirmable = ({ status, statusReason }: Withdrawal): boolean =>
  status === 'awaiting_confirmation' && statusReason !== 'requested';

export const TONES: Readonly<Record<Status, Tone>> = {
  awaiting_confirmation: 'warning',
  awaiting_approval: 'warning',
  queued: 'neutral',
  signing: 'neutral',
  broadcasting: 'accent',
  confirming: 'accent',
  completed: 'success',
  canceled: 'neutral',
  rejected: 'danger',
  failed: 'danger',
};

/** The reasons of waiting that people are told; the others are the operators' concern. */
const TOLD = [
  'hot_funds',
  'hot_floor',
  'hot_limit',
  'signer',
  'screening',
  'reconciliation',
] as const;

export const toldReason = ({ statusReason }: Withdrawal): (typeof TOLD)[number] | undefined =>
  TOLD.find((reason) => reason === statusReason);
