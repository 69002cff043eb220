// What callers may set: for a client, and for one call.

/** Decides how often and for how long a call is tried again. */
export interface RetryOptions {
  /** Attempts in all, the first one included. Default: 5. */
  readonly attempts?: number;
  /** The longest time from the first attempt to the start of the last one. Default: 30 seconds. */
  readonly totalMs?: number;
  /** The longest pause between two attempts, unless the server asks for more. Default: 5 seconds. */
  readonly pauseMaxMs?: number;
}

/** One attempt, for logs. It never holds a key, a secret or a signature. */
export interface Attempt {
  readonly method: string;
  /** Without the query string. */
  readonly path: string;
  /** 1 for the first. */
  readonly attempt: number;
  /** Undefined if no answer came. */
  readonly status: number | undefined;
  readonly requestId: string | undefined;
  readonly tookMs: number;
  /** The code of the error, if there was one. */
  readonly code: string | undefined;
  /** The pause before the next attempt; undefined if there is none. */
  readonly againInMs: number | undefined;
}

export interface ClientOptions {
  /** The origin of the server, such as `https://venue.example`. */
  readonly url: string;
  /** The longest wait for one answer. Default: 15 seconds; the engine itself gives up after 10. */
  readonly timeoutMs?: number;
  readonly retry?: RetryOptions;
  /** Called after every attempt. What it throws is ignored. */
  readonly onAttempt?: (attempt: Attempt) => void;
  /** The name of your program, sent as `User-Agent` where the platform allows it. */
  readonly userAgent?: string;
  /** Another `fetch`, for a proxy or a test. */
  readonly fetch?: typeof fetch;
}

export interface CallOptions {
  /** Ends the call at once, also while it waits; the promise rejects with the reason of the signal. */
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
  /** `false`: one attempt only. */
  readonly retry?: RetryOptions | false;
}

/** A session of a browser, instead of a key. */
export interface SessionOptions {
  /** The CSRF token. Read from the cookie of the page by default. */
  readonly csrfToken?: string;
  /** The `Cookie` header, for programs that are not browsers. */
  readonly cookie?: string;
}

/** For operations without parameters. */
export type NoParams = Readonly<Record<string, never>>;

/** For operations of the chat that answer only that they were done. */
export interface NoResult {
  /** Names of parameters that the server does not know. */
  readonly ignored_parameters_unsupported?: readonly string[];
}

/** A file to be sent. */
export interface Upload {
  readonly file: Blob;
  /** The name of the file. Default: that of a `File`, or `file`. */
  readonly name?: string;
}
