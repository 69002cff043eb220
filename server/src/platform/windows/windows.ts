// Sliding windows, which limit how often a caller may come. No interval of the window's length ever holds more
// admissions than the limit; a refilling bucket would let twice as many through at an edge.

export interface Admission {
  readonly admitted: boolean;
  /** When the decision was made, by the clock that made it; milliseconds with a fraction. */
  readonly atMs: number;
  /** Admissions left in the window that ends now. */
  readonly remaining: number;
  /** When one more slot frees; equal to `atMs` when the window is empty. */
  readonly resetMs: number;
  /** Identifies this admission for `release`. Zero when refused. */
  readonly token: number;
}

export interface WindowRule {
  readonly limit: number;
  readonly windowMs: number;
}

export interface Windows {
  /** A refusal leaves no trace: however often a caller is refused, the wait does not grow. */
  admit(key: string, rule: WindowRule): Admission | Promise<Admission>;
  /** Gives a slot back, for a request that another window then refused. */
  release(key: string, token: number): void;
  isConnected(): boolean;
  close(): Promise<void>;
}
