// On whose behalf a transaction runs and where the request came from. The code that takes a request
// or a command sets the cause in its context; the audit log reads it from the transaction, so that
// no action has to pass it on.

export interface Cause {
  /**
   * Null for an unauthenticated caller, for the server itself, and for the command line before
   * there is an operator.
   */
  readonly userId: number | null;
  readonly email: string;
  /** How they authenticated: `key`, `session`, `stranger`, or which command line. */
  readonly via: string;
  /** The address of the caller; empty for a command line. */
  readonly from: string;
  /** The request id in the server's log; empty for a command line. */
  readonly requestId: string;
  /**
   * Acts that were recorded for it, and whether an action said that there was nothing to record.
   */
  readonly noted: { readonly acts: string[]; isSettled: boolean };
}

export const createCause = (who: Omit<Cause, 'noted'>): Cause => ({
  ...who,
  noted: { acts: [], isSettled: false },
});
