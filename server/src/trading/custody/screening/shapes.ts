/** What the service is told: the parties, the amount and the transaction. */
export interface ScreeningQuestion {
  readonly kind: 'deposit' | 'withdrawal';
  /** D… or W…. */
  readonly id: string;
  readonly account: string;
  readonly coin: string;
  readonly network: string;
  readonly amount: string;
  /** Of the venue for a deposit, of the recipient for a withdrawal. */
  readonly address: string;
  readonly memo: string;
  /** Empty for a withdrawal: nothing is signed yet. */
  readonly txid: string;
}

/** `silent`: no good answer came in time. */
export type ScreeningAnswer = 'allow' | 'hold' | 'reject' | 'silent';
