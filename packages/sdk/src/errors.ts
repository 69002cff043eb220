// The errors of the SDK: one family for both APIs and for the network between.

/**
 * What a failed call did on the server. `none`: nothing. `unknown`: perhaps all of it; an order is then looked up by
 * its client id.
 */
export type Outcome = 'none' | 'unknown';

export interface ErrorFacts {
  readonly name: string;
  readonly code: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly hint?: string | undefined;
  readonly documentation?: string | undefined;
  readonly isRetryable: boolean;
  readonly outcome: Outcome;
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

export class RialtoError extends Error {
  /** The constant of the error, such as `INSUFFICIENT_FUNDS`. */
  override readonly name: string;
  /** The code of the contract: four digits for trading (`5001`), a word for chat (`BAD_REQUEST`). */
  readonly code: string;
  /** The HTTP status; undefined if no answer came. */
  readonly status: number | undefined;
  /** Quote it when you ask for help. */
  readonly requestId: string | undefined;
  /** What the server adds, such as `required` and `available`. */
  readonly details: Readonly<Record<string, unknown>>;
  /** What to do about it, if there is something to do. */
  readonly hint: string | undefined;
  /** A page about this error. */
  readonly documentation: string | undefined;
  /** Whether the same call may succeed later, with nothing changed. */
  readonly isRetryable: boolean;
  readonly outcome: Outcome;
  /** How long the server asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** How many attempts were made. */
  readonly attempts: number = 1;

  constructor(facts: ErrorFacts) {
    super(facts.message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = facts.name;
    this.code = facts.code;
    this.status = facts.status;
    this.requestId = facts.requestId;
    this.details = facts.details ?? {};
    this.hint = facts.hint;
    this.documentation = facts.documentation;
    this.isRetryable = facts.isRetryable;
    this.outcome = facts.outcome;
    this.retryAfterMs = facts.retryAfterMs;
  }
}

/** The trading API refused. */
export class TradingError extends RialtoError {}

/** The chat API refused. */
export class ChatError extends RialtoError {}

/** No answer came, or one that is none of this server's. Codes: `NETWORK`, `TIMEOUT`, `BAD_ANSWER`. */
export class NetworkError extends RialtoError {}

/** Completes an error with what is known only at the end of a call. */
export function conclude<E extends RialtoError>(
  error: E,
  facts: { readonly attempts: number; readonly outcome: Outcome },
): E {
  return Object.assign(error, facts);
}
