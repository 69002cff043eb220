// The administration of the venue, which is for browsers of operators alone, so that the SDK does not know it.
import { TradingError } from '@rialto/sdk';
import { isRecord, noAnswer, readToken } from './session-call.ts';

export interface AdminCall {
  readonly method: 'GET' | 'POST';
  /** Below `/json/v1/admin`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string | boolean | undefined>>;
  /** For one act alone. */
  readonly code?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The answer to an act. */
export interface Requested {
  readonly requestId: string;
  readonly status: 'awaiting_approval' | 'waiting' | 'done' | 'refused' | 'withdrawn';
  readonly digest: string;
  /** What came of it, in a sentence. */
  readonly message: string;
}

export interface Decided {
  readonly requestId: string;
  readonly status: string;
  readonly digest: string;
}

export interface Pending {
  readonly requestId: string;
  readonly status: string;
  readonly act: string;
  readonly subject: string;
  readonly terms: Readonly<Record<string, unknown>>;
  readonly reason: string;
  readonly requestedBy: string;
  readonly createdAt: string;
  readonly digest: string;
}

export interface GivenGrant {
  readonly email: string;
  readonly grant: string;
  readonly givenAt: string;
}

export interface LookedAccount {
  readonly account: string;
  readonly parent: string;
  readonly label: string;
  readonly owner: string;
  readonly name: string;
  readonly tier: string;
  readonly person: 'active' | 'deactivated';
  readonly suspended: boolean;
  readonly because: string;
  readonly opened: string;
  readonly balances: readonly {
    readonly coin: string;
    readonly available: string;
    readonly held: string;
    readonly pendingWithdraw: string;
  }[];
}

export interface AuditedAct {
  readonly seq: string;
  readonly time: string;
  readonly operator: string;
  readonly act: string;
  readonly subject: string;
  readonly details: string;
  readonly outcome: string;
  readonly hash: string;
}

export interface Reconciled {
  readonly isCovered: boolean;
  readonly coins: readonly {
    readonly coin: string;
    readonly assets: string;
    readonly liabilities: string;
  }[];
}

/** An act waits for the engine for some seconds. */
const TIMEOUT_MS = 20_000;

/** The result, or a thrown refusal of the same kind as the SDK's. */
export async function callAdministration<T>(call: AdminCall): Promise<T> {
  const { method, path, params = {}, code, signal } = call;
  const form = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    ),
  );
  const query = method === 'GET' && form.size > 0 ? `?${form}` : '';
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(`/json/v1/admin${path}${query}`, {
    method,
    headers: {
      accept: 'application/json',
      'x-csrftoken': readToken(),
      ...(code !== undefined && { 'x-svc-otp': code }),
    },
    credentials: 'same-origin',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(method === 'POST' && { body: form }),
  }).catch((cause: unknown) => {
    throw noAnswer(cause);
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (answer.ok && isRecord(body) && 'result' in body) return body['result'] as T;
  throw refusalOf(answer, isRecord(body) ? body['error'] : undefined);
}

function refusalOf({ status, headers }: Response, error: unknown): TradingError {
  const { name, code, message, details } = isRecord(error) ? error : {};
  const text = (value: unknown, otherwise: string) =>
    typeof value === 'string' ? value : otherwise;
  const seconds = Number(headers.get('retry-after') ?? Number.NaN);
  return new TradingError({
    name: text(name, 'BAD_ANSWER'),
    code: text(code, 'BAD_ANSWER'),
    message: text(message, `The server answered with status ${status}.`),
    details: isRecord(details) ? details : {},
    status,
    requestId: headers.get('x-request-id') ?? headers.get('x-svc-request-id') ?? undefined,
    isRetryable: status === 429 || status >= 500,
    outcome: status < 500 ? 'none' : 'unknown',
    ...(Number.isFinite(seconds) && { retryAfterMs: seconds * 1000 }),
  });
}
