/** What the activity is limited to. The address keeps it, so reload and Back bring it back. */
export interface ActivityFilter {
  readonly coin: string | undefined;
  readonly kind: string | undefined;
  readonly setCoin: (coin: string | undefined) => void;
  readonly setKind: (kind: string | undefined) => void;
}

export const KINDS = [
  'trade',
  'trade_fee',
  'transfer',
  'rebate',
  'adjustment',
  'deposit',
  'withdrawal',
  'withdrawal_fee',
] as const;
export type Kind = (typeof KINDS)[number];

export const kindIn = (text: string | undefined): Kind | undefined =>
  KINDS.find((one) => one === text);
