// Reads answers of the chat API, and makes errors of refusals.
import { ChatError } from '../errors.ts';
import { documentationOf, requestIdOf, retryAfterOf } from '../http/attempts.ts';
import { badAnswer, type Answer } from '../http/transport.ts';

interface Body extends Readonly<Record<string, unknown>> {
  readonly result?: unknown;
  readonly msg?: string;
  readonly code?: string;
}

/** The whole answer, or a thrown refusal. */
export function readChatAnswer(answer: Answer, origin: string): unknown {
  const { status, text } = answer;
  let body: Body | undefined;
  try {
    body = JSON.parse(text) as Body;
  } catch {
    // Told below.
  }
  if (status === 200 && body?.result === 'success') return body;
  if (body?.result === 'error') throw refusalOf(body, answer, origin);
  const start = text.slice(0, 80).replaceAll(/\s+/g, ' ');
  throw badAnswer(
    `The answer has status ${status} and is none of the chat API: '${start}'.`,
    status,
  );
}

const HINTS: Readonly<Record<string, string>> = {
  UNAUTHORIZED: 'Check `email` and `apiKey`, and that they are of this server.',
  RATE_LIMIT_HIT: 'Send fewer requests; wait for events instead of asking again and again.',
  BAD_EVENT_QUEUE_ID: 'Register anew. `chat.events` does so by itself.',
};

function refusalOf(body: Body, { status, headers }: Answer, origin: string): ChatError {
  const { result: _result, msg = '', code = 'BAD_REQUEST', ...details } = body;
  const seconds = Number(details['retry-after'] ?? Number.NaN);
  return new ChatError({
    name: code,
    code,
    message: msg,
    details,
    status,
    requestId: requestIdOf(headers),
    hint: HINTS[code],
    documentation: documentationOf(headers, origin, code),
    isRetryable: status === 429 || status >= 500,
    outcome: status < 500 ? 'none' : 'unknown',
    retryAfterMs: Number.isFinite(seconds) ? Math.ceil(seconds * 1000) : retryAfterOf(headers),
  });
}
