// Reads answers of the trading API, and makes errors of refusals.
import { TradingError, type ErrorFacts } from '../errors.ts';
import { documentationOf, requestIdOf, retryAfterOf } from '../http/attempts.ts';
import { badAnswer, type Answer } from '../http/transport.ts';

interface Envelope {
  readonly status?: string;
  readonly serverTime?: string;
  readonly result?: unknown;
  readonly error?: {
    readonly code: string;
    readonly name: string;
    readonly message: string;
    readonly details?: Readonly<Record<string, unknown>>;
  };
}

export interface ReadOptions {
  readonly origin: string;
  /** Told of the server's time in every answer that has it. */
  noteTime(serverMs: number, answer: Answer): void;
}

/** The result, or a thrown refusal. A file is returned as its text. */
export function readAnswer(answer: Answer, options: ReadOptions): unknown {
  const { status, headers, text } = answer;
  const type = headers.get('Content-Type') ?? '';
  if (status === 200 && type.startsWith('text/csv')) return text;
  const body = parse(answer);
  if (body.serverTime !== undefined) options.noteTime(Number(body.serverTime), answer);
  if (body.error !== undefined) {
    throw refusalOf(body.error, {
      origin: options.origin,
      status,
      requestId: requestIdOf(headers),
      retryAfterMs: retryAfterOf(headers),
      headers,
    });
  }
  if (status !== 200)
    throw badAnswer(`The answer has status ${status} and no error in it.`, status);
  // A few documents come without an envelope.
  return body.status === 'true' && 'result' in body ? body.result : body;
}

function parse({ status, text }: Answer): Envelope {
  try {
    const body = JSON.parse(text) as unknown;
    if (typeof body === 'object' && body !== null) return body;
  } catch {
    // Told below, together with what is JSON but no object.
  }
  const start = text.slice(0, 80).replaceAll(/\s+/g, ' ');
  throw badAnswer(`The answer has status ${status} and is no JSON object: '${start}'.`, status);
}

/** Codes after which it is unknown whether a write was carried out. */
const IN_DOUBT = new Set(['1000', '1003', '3007']);
/** Codes that pass by themselves. 3007 does because the next attempt has another signature. */
const PASSING = new Set(['1000', '1001', '1002', '1003', '3007', '6001', '6002']);

const HINTS: Readonly<Record<string, string>> = {
  '3002': 'Check the key, and that it has not expired.',
  '3004': 'Compare `details.signedText` with `await trading.explain(…)`, and check the secret.',
  '3006':
    'Set the clock of this machine. The SDK corrects it by the answers it gets, and has tried.',
  '3008': 'Make a key with this permission.',
  '3010': 'Use `session` instead of a key, in a browser that is signed in.',
  '4005': 'Round with `decimal.roundDown(price, market.priceStep)`.',
  '4006': 'Round with `decimal.roundDown(volume, market.volumeStep)`.',
  '4012': 'Use a new `clientOrderId` for a new order.',
  '6001': 'Send fewer requests, use batches, or read from streams.',
};

/** What the answer around a refusal adds to it. */
interface Around {
  readonly origin: string;
  readonly status?: number;
  readonly requestId?: string | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly headers?: Headers;
}

/** The error of a refusal, by HTTP or on a stream. */
export function refusalOf(
  { code, name, message, details = {} }: NonNullable<Envelope['error']>,
  { origin, status, requestId, retryAfterMs, headers }: Around,
): TradingError {
  const exactMs = Number(details['retryAfterMs'] ?? Number.NaN);
  const facts: ErrorFacts = {
    code,
    name,
    message,
    details,
    status,
    requestId,
    hint: HINTS[code],
    documentation: documentationOf(headers, origin, code),
    isRetryable: PASSING.has(code),
    outcome: IN_DOUBT.has(code) ? 'unknown' : 'none',
    retryAfterMs: Number.isFinite(exactMs) ? exactMs : retryAfterMs,
  };
  return new TradingError(facts);
}
