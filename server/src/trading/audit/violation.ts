/** Something that must never be, and is. */
export interface Violation {
  readonly rule: string;
  /** What breaks it, as it was found. */
  readonly subject: string;
  /** The market, or all markets of the coin, that should not go on trading. Neither: no market should. */
  readonly symbol?: string;
  readonly coin?: string;
  /** The subject is one event of the past: see halts/halt.ts. */
  readonly isEvent?: boolean;
}
