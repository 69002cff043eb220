/** A broken rule of the ledger. */
export interface Violation {
  readonly rule: string;
  /** What breaks it. */
  readonly subject: string;
  /**
   * The market, or all markets of the coin, that should stop trading. With neither, all markets
   * should.
   */
  readonly symbol?: string;
  readonly coin?: string;
  /** The subject is one past event: see halts/halt.ts. */
  readonly isEvent?: boolean;
}
