// What the catalogue tells about an error besides its code: why it happens, and what to do.

export interface Explanation {
  /** Why the caller got it. */
  readonly cause: string;
  /** What the caller can do. */
  readonly cure: string;
}
