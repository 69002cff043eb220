// One request and its answer: bounded in time and size, and ended by a signal.
import { NetworkError } from '../errors.ts';
import type { ClientOptions } from '../options.ts';
import { VERSION } from '../version.ts';

export interface PreparedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | FormData;
  /** Sends the cookies of a browser's session. */
  readonly withCookies?: boolean;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly sentMs: number;
  readonly receivedMs: number;
}

export interface Transport {
  readonly origin: string;
  send(request: PreparedRequest, limits: SendLimits): Promise<Answer>;
}

export interface SendLimits {
  readonly signal?: AbortSignal | undefined;
  readonly timeoutMs: number;
}

export const TIMEOUT_MS = 15_000;
/** The server's own answers are below 16 million characters. */
const ANSWER_BYTES_MAX = 64 * 1024 * 1024;

/** Codes of Node that say that no connection was made, so nothing was sent. */
const NEVER_SENT = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

export function createTransport(options: ClientOptions): Transport {
  const origin = originOf(options.url);
  const agent = agentOf(options.userAgent);
  return {
    origin,
    async send(request, { signal, timeoutMs }) {
      signal?.throwIfAborted();
      const ask = options.fetch ?? fetch;
      const clock = AbortSignal.timeout(timeoutMs);
      const sentMs = Date.now();
      try {
        const response = await ask(request.url, {
          method: request.method,
          headers: { ...agent, ...request.headers },
          // The server answers with no redirect, and a credential must not follow one.
          redirect: 'error',
          cache: 'no-store',
          credentials: request.withCookies === true ? 'include' : 'omit',
          signal: signal === undefined ? clock : AbortSignal.any([signal, clock]),
          ...(request.body !== undefined && { body: request.body }),
        });
        const receivedMs = Date.now();
        const text = await readText(response);
        return { status: response.status, headers: response.headers, text, sentMs, receivedMs };
      } catch (error) {
        if (signal?.aborted === true) throw signal.reason;
        if (error instanceof NetworkError) throw error;
        throw clock.aborted ? timedOut(request, timeoutMs, error) : unreachable(origin, error);
      }
    },
  };
}

/** Takes `https://venue.example`, with or without a path of one of the APIs. */
export function originOf(url: string): string {
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw new TypeError(
      `\`url\` is '${url}'. Give the origin of the server: https://venue.example`,
    );
  }
  if (!/^https?:$/.test(parsed.protocol)) {
    throw new TypeError(
      `\`url\` begins with ${parsed.protocol}// Give one with https:// or http://`,
    );
  }
  return parsed.origin;
}

/** Browsers name themselves, and a further header would need the consent of the server. */
function agentOf(name: string | undefined): Record<string, string> {
  const { process } = globalThis as { process?: { versions?: { node?: string } } };
  return process?.versions?.node === undefined
    ? {}
    : { 'User-Agent': name ?? `rialto-sdk/${VERSION}` };
}

async function readText(response: Response): Promise<string> {
  if (response.body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = (await reader.read()) as { done: boolean; value?: Uint8Array };
    if (done) return text + decoder.decode();
    bytes += value?.byteLength ?? 0;
    if (bytes > ANSWER_BYTES_MAX) {
      await reader.cancel();
      throw badAnswer(`The answer is larger than ${ANSWER_BYTES_MAX} bytes.`, response.status);
    }
    text += decoder.decode(value, { stream: true });
  }
}

/** An answer that is none of this server's, as a proxy may give. What happened behind it is unknown. */
export const badAnswer = (message: string, status: number): NetworkError =>
  new NetworkError({
    name: 'BAD_ANSWER',
    code: 'BAD_ANSWER',
    message,
    status,
    hint: 'Look at what stands between your program and the server, and at `url`.',
    isRetryable: status >= 500 || status === 429,
    outcome: 'unknown',
  });

const timedOut = ({ method, url }: PreparedRequest, timeoutMs: number, cause: unknown) =>
  new NetworkError({
    name: 'TIMEOUT',
    code: 'TIMEOUT',
    message: `${method} ${new URL(url).pathname} had no answer within ${timeoutMs} ms.`,
    isRetryable: true,
    outcome: 'unknown',
    cause,
  });

function unreachable(origin: string, cause: unknown): NetworkError {
  const { code } = ((cause as Error | undefined)?.cause ?? {}) as { code?: string };
  return new NetworkError({
    name: 'NETWORK',
    code: 'NETWORK',
    message: `The connection to ${origin} failed${code === undefined ? '' : ` (${code})`}.`,
    isRetryable: true,
    outcome: code !== undefined && NEVER_SENT.has(code) ? 'none' : 'unknown',
    cause,
  });
}
