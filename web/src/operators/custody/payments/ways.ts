// What operators can do with a payment. The server decides; this only hides what it would refuse. Pure.
import type { CustodyPayment } from '../../../api/custody.ts';

export type PaymentAct = 'bump' | 'resolve';

export const WAYS = ['retry', 'void', 'drop'] as const;
export type Way = (typeof WAYS)[number];

/** Only what was sent can cost more. */
export const isBumpable = ({ state }: CustodyPayment): boolean =>
  state === 'broadcasting' || state === 'confirming';

export function waysOf({ state, kind, txid }: CustodyPayment): readonly Way[] {
  const isSigned = txid !== '';
  return [
    ...(state === 'needs_operator' || state === 'signing' ? (['retry'] as const) : []),
    ...(kind === 'payout' ? (['void'] as const) : []),
    ...(state === 'needs_operator' && !isSigned ? (['drop'] as const) : []),
  ];
}
