// Orders over the socket, with the methods and types of REST. An operation whose answer was lost is repeated on the next
// connection where the server makes a second time harmless, exactly as by REST.
import { conclude, NetworkError, RialtoError } from '../errors.ts';
import { pauseAfter, wait } from '../http/wait.ts';
import type { CallOptions } from '../options.ts';
import type { Params } from '../trading/encode.ts';
import type { TradingMethods } from '../trading/methods.generated.ts';
import { isRepeatable, withIds } from '../trading/repeat.ts';
import { LostAnswer, type Link } from './link.ts';
import type { StreamsOptions } from './options.ts';
import { ask } from './refusal.ts';

/** By method: the operation, which is also the path of REST. */
const OPERATIONS = {
  create: 'create',
  test: 'test',
  createBatch: 'create_batch',
  cancel: 'cancel',
  cancelBatch: 'cancel_batch',
  cancelAll: 'cancel_all',
  cancelAllAfter: 'cancel_all_after',
  amend: 'amend',
  replace: 'replace',
  get: 'get',
  open: 'open',
} as const satisfies Partial<Record<keyof TradingMethods['order'], string>>;

const READS = new Set(['get', 'open']);
const TOTAL_MS = 30_000;
const PAUSE_MAX_MS = 2000;
const ORDER_FINAL = '4013';

export type StreamOrders = Pick<TradingMethods['order'], keyof typeof OPERATIONS>;

/** `ready` waits for a connection that is signed in. */
export function createOrders(
  ready: (signal: AbortSignal) => Promise<Link>,
  { totalMs = TOTAL_MS }: StreamsOptions,
): StreamOrders {
  async function perform(op: string, given: Params, call: CallOptions): Promise<unknown> {
    const path = `/private/order/${op}`;
    const params = withIds(path, given);
    const mayRepeat = call.retry !== false && isRepeatable(READS.has(op) ? 'GET' : 'POST', path);
    const budgetMs = (call.retry === false ? undefined : call.retry?.totalMs) ?? totalMs;
    const late = AbortSignal.timeout(budgetMs);
    const signal = call.signal === undefined ? late : AbortSignal.any([call.signal, late]);
    let isInDoubt = false;
    for (let attempts = 1; ; attempts += 1) {
      let failure: RialtoError;
      let isSent = false;
      try {
        const link = await ready(signal);
        isSent = true;
        return await endedBy(ask(link, `order.${op}`, { params }), signal);
      } catch (error) {
        if (call.signal?.aborted === true) throw call.signal.reason;
        failure = failureOf(op, late.aborted ? undefined : error, isSent);
      }
      isInDoubt ||= failure.outcome === 'unknown' && !READS.has(op);
      // The attempt whose answer was lost has most likely canceled it.
      if (attempts > 1 && op === 'cancel' && failure.code === ORDER_FINAL) {
        if (isCanceled(failure.details['order'])) return failure.details['order'];
      }
      const goesOn = failure.isRetryable && (mayRepeat || failure.outcome === 'none');
      if (!goesOn || late.aborted) {
        throw conclude(failure, { attempts, outcome: isInDoubt ? 'unknown' : 'none' });
      }
      const pauseMs = (failure.retryAfterMs ?? 0) + pauseAfter(attempts, PAUSE_MAX_MS);
      // The end of the time shows in the next attempt.
      await wait(pauseMs, signal).catch(() => {});
    }
  }

  return Object.fromEntries(
    Object.entries(OPERATIONS).map(([method, op]) => [
      method,
      (params: Params = {}, call: CallOptions = {}) => perform(op, params, call),
    ]),
  ) as unknown as StreamOrders;
}

/** Without an error, the time was over. */
function failureOf(op: string, error: unknown, isSent: boolean): RialtoError {
  if (error instanceof RialtoError) return error;
  if (error !== undefined && !(error instanceof LostAnswer)) throw error;
  const wasSent = error?.wasSent ?? isSent;
  return new NetworkError({
    name: error === undefined ? 'TIMEOUT' : 'CONNECTION_LOST',
    code: error === undefined ? 'TIMEOUT' : 'NETWORK',
    message: error?.message ?? `"order.${op}" was not answered in time.`,
    hint: wasSent ? 'Look the order up by its clientOrderId.' : 'Nothing was sent. Try again.',
    isRetryable: error !== undefined,
    outcome: wasSent ? 'unknown' : 'none',
    cause: error,
  });
}

const isCanceled = (order: unknown): boolean =>
  (order as { status?: string } | undefined)?.status === 'canceled';

/** The promise, or the reason of the signal if that comes first. */
export function endedBy<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const abort = () => aborted.reject(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return Promise.race([promise, aborted.promise]).finally(() =>
    signal.removeEventListener('abort', abort),
  );
}
