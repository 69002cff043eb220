// On whose behalf a transaction runs and from where it was asked for. Whoever takes a request or a command gives
// its context a cause; the audit log reads it from the transaction, so that no action has to hand it on.

export interface Cause {
  /** Null for a stranger, for the server itself, and for whoever has the command line before there is an operator. */
  readonly userId: number | null;
  readonly email: string;
  /** How they came: `key`, `session`, `stranger`, or which command line. */
  readonly via: string;
  /** The address of the caller; empty for a command line. */
  readonly from: string;
  /** As in the log of the server; empty for a command line. */
  readonly requestId: string;
  /** Acts that were written down for it, and whether an action said that there was nothing to write down. */
  readonly noted: { readonly acts: string[]; isSettled: boolean };
}

export const createCause = (who: Omit<Cause, 'noted'>): Cause => ({
  ...who,
  noted: { acts: [], isSettled: false },
});
