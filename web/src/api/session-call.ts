// Calls of /json that only browsers have, so that the SDK does not know them: sessions, factors, keys of the chat.
import { ChatError, NetworkError } from '@rialto/sdk';

type Value = string | number | boolean | null | readonly (string | number)[];

export interface SessionCall {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Below `/json`. */
  readonly path: string;
  readonly params?: Readonly<Record<string, Value | undefined>>;
  readonly signal?: AbortSignal;
}

const TIMEOUT_MS = 15_000;

/** The answer of the server, or a thrown refusal of the same kind as the SDK's. */
export async function callSession<T>({
  method,
  path,
  params = {},
  signal,
}: SessionCall): Promise<T> {
  const form = new URLSearchParams(
    Object.entries(params).flatMap(([name, value]) =>
      value === undefined
        ? []
        : [[name, typeof value === 'string' ? value : JSON.stringify(value)]],
    ),
  );
  const isQuery = method === 'GET' || method === 'DELETE';
  const query = isQuery && form.size > 0 ? `?${form}` : '';
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const answer = await fetch(`/json${path}${query}`, {
    method,
    headers: { accept: 'application/json', 'x-csrftoken': readToken() },
    credentials: 'same-origin',
    signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    ...(!isQuery && { body: form }),
  }).catch((cause: unknown) => {
    throw noAnswer(cause);
  });
  const body: unknown = await answer.json().catch(() => undefined);
  if (isSuccess(body)) return body as T;
  throw refusalOf(answer, body);
}

/** Read each time: signing in again changes it. */
export const readToken = (): string =>
  /(?:^|;\s*)(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? '';

export const isRecord = (body: unknown): body is Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null;

const isSuccess = (body: unknown): boolean => isRecord(body) && body['result'] === 'success';

function refusalOf({ status, headers }: Response, body: unknown): ChatError {
  const { msg, code, ...details } = isRecord(body) ? body : {};
  const name = typeof code === 'string' ? code : 'BAD_ANSWER';
  return new ChatError({
    name,
    code: name,
    message: typeof msg === 'string' ? msg : `The server answered with status ${status}.`,
    details,
    status,
    requestId: headers.get('x-request-id') ?? headers.get('x-svc-request-id') ?? undefined,
    isRetryable: status === 429 || status >= 500,
    outcome: status < 500 ? 'none' : 'unknown',
  });
}

export const noAnswer = (cause: unknown): NetworkError =>
  new NetworkError({
    name: 'NETWORK',
    code: 'NETWORK',
    message: 'The server did not answer.',
    isRetryable: true,
    outcome: 'unknown',
    cause,
  });
