// Tries a call again where that is safe: when nothing was done, or when the server makes a second time harmless.
import { conclude, RialtoError, type Outcome } from '../errors.ts';
import type { CallOptions, ClientOptions } from '../options.ts';
import { TIMEOUT_MS, type Answer, type PreparedRequest, type Transport } from './transport.ts';
import { pauseAfter, wait } from './wait.ts';

export interface Plan<T> {
  /** Builds the request anew for every attempt, as a signature is good for one. */
  prepare(): Promise<PreparedRequest>;
  /** Reads the result, or throws the refusal. */
  read(answer: Answer): T;
  /** Whether a second request does no harm if the first one was carried out. */
  readonly isRepeatable: boolean;
  /** Removes the cause of a refusal that had no effect; true: try again at once. Asked once. */
  mend?(error: RialtoError): boolean;
  /** Finds out what happened when an earlier attempt was perhaps carried out. */
  settle?(error: RialtoError): Promise<Settled<T>>;
}

export type Settled<T> =
  | { readonly value: T; readonly outcome?: never }
  | { readonly value?: never; readonly outcome: Outcome };

const ATTEMPTS = 5;
const TOTAL_MS = 30_000;
const PAUSE_MAX_MS = 5000;

export async function attempt<T>(
  { transport, options }: { readonly transport: Transport; readonly options: ClientOptions },
  plan: Plan<T>,
  call: CallOptions = {},
): Promise<T> {
  const retry = call.retry === false ? { attempts: 1 } : { ...options.retry, ...call.retry };
  const { attempts = ATTEMPTS, totalMs = TOTAL_MS, pauseMaxMs = PAUSE_MAX_MS } = retry;
  const timeoutMs = call.timeoutMs ?? options.timeoutMs ?? TIMEOUT_MS;
  const startedMs = performance.now();
  let isInDoubt = false;
  let isMended = false;

  for (let number = 1; ; number += 1) {
    const beganMs = performance.now();
    const request = await plan.prepare();
    let answer: Answer | undefined;
    let failure: RialtoError;
    try {
      answer = await transport.send(request, { signal: call.signal, timeoutMs });
      const result = plan.read(answer);
      report(options, { request, number, answer, beganMs });
      return result;
    } catch (error) {
      // Everything else is the caller's own abort, or a fault of the program.
      if (!(error instanceof RialtoError)) throw error;
      failure = error;
    }
    isInDoubt ||= failure.outcome === 'unknown';
    const mends: boolean = !isMended && call.retry !== false && plan.mend?.(failure) === true;
    isMended ||= mends;
    const isSafe = plan.isRepeatable || failure.outcome === 'none';
    const pauseMs = mends ? 0 : (failure.retryAfterMs ?? 0) + pauseAfter(number, pauseMaxMs);
    const isInTime = performance.now() - startedMs + pauseMs <= totalMs;
    const goesOn = mends || (failure.isRetryable && isSafe && number < attempts && isInTime);
    report(options, {
      request,
      number,
      answer,
      beganMs,
      failure,
      ...(goesOn && { againInMs: pauseMs }),
    });
    if (goesOn) {
      if (pauseMs > 0) await wait(pauseMs, call.signal);
      continue;
    }
    const settled = isInDoubt ? await plan.settle?.(failure) : undefined;
    if (settled?.value !== undefined) return settled.value;
    const outcome = settled?.outcome ?? (isInDoubt ? 'unknown' : 'none');
    throw conclude(failure, { attempts: number, outcome });
  }
}

interface Reported {
  readonly request: PreparedRequest;
  readonly number: number;
  readonly answer: Answer | undefined;
  readonly beganMs: number;
  readonly failure?: RialtoError;
  readonly againInMs?: number;
}

function report(
  { onAttempt }: ClientOptions,
  { request, number, answer, beganMs, failure, againInMs }: Reported,
): void {
  if (onAttempt === undefined) return;
  try {
    onAttempt({
      method: request.method,
      path: new URL(request.url).pathname,
      attempt: number,
      status: answer?.status ?? failure?.status,
      requestId: answer === undefined ? failure?.requestId : requestIdOf(answer.headers),
      tookMs: Math.round(performance.now() - beganMs),
      code: failure?.code,
      againInMs,
    });
  } catch {
    // A log that fails must not fail an order.
  }
}

export const requestIdOf = (headers: Headers): string | undefined =>
  headers.get('X-SVC-REQUEST-ID') ?? headers.get('X-Request-Id') ?? undefined;

/** `Retry-After` in milliseconds, if the server sent it as seconds. */
export function retryAfterOf(headers: Headers): number | undefined {
  const seconds = Number(headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1000) : undefined;
}

/** The page about an error: the one that the server links to, or the one at the usual place. */
export function documentationOf(
  headers: Headers | undefined,
  origin: string,
  code: string,
): string {
  const linked = /<([^>]{1,500})>;\s*rel="?help"?/.exec(headers?.get('Link') ?? '')?.[1];
  return new URL(linked ?? `/docs/errors/${encodeURIComponent(code)}/`, origin).href;
}
