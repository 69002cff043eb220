// The push relay through which the published mobile apps get notifications: only the publisher of an app may send
// to it. We tell the relay which device and give it an encrypted text, which it cannot read.
import type { Config } from '../config/schema.ts';

type RelayConfig = Pick<
  Config,
  'PUSH_RELAY_URL' | 'PUSH_RELAY_ORG_ID' | 'PUSH_RELAY_ORG_KEY' | 'PUSH_RELAY_TIMEOUT_MS'
>;

export const hasRelay = ({ PUSH_RELAY_URL }: Pick<Config, 'PUSH_RELAY_URL'>): boolean =>
  PUSH_RELAY_URL !== '';

/** Unreachable: no answer came. Failing: it is broken. Refused: it does not accept this, and says why. */
export type RelayTrouble = 'unreachable' | 'failing' | 'refused';

export class RelayError extends Error {
  override name = 'RelayError';
  readonly trouble: RelayTrouble;
  /** The relay's error code, if it gave one. */
  readonly code: string;
  readonly status: number;

  constructor(
    trouble: RelayTrouble,
    message: string,
    more: { code?: string; status?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.trouble = trouble;
    this.code = more.code ?? '';
    this.status = more.status ?? 0;
  }
}

/** Answers are short; a longer one is not from our relay. */
const ANSWER_BYTES_MAX = 1024 * 1024;

/** Fields as a form, anything else as JSON. */
export type RelayBody = URLSearchParams | Readonly<Record<string, unknown>>;

/** Calls one endpoint of the relay, such as `push/e2ee/notify`, within the time that is allowed. */
export async function callRelay(
  config: RelayConfig,
  endpoint: string,
  body: RelayBody,
): Promise<Record<string, unknown>> {
  const { status, text } = await post(config, endpoint, body);
  if (status >= 500) {
    throw new RelayError('failing', `The push relay answered ${status}.`, { status });
  }
  const answer = parse(text);
  if (status === 200 && answer !== undefined) return answer;
  const code = typeof answer?.['code'] === 'string' ? answer['code'].slice(0, 100) : '';
  const said = typeof answer?.['msg'] === 'string' ? answer['msg'].slice(0, 300) : '';
  throw new RelayError('refused', `The push relay answered ${status}: ${said}`, { code, status });
}

async function post(
  config: RelayConfig,
  endpoint: string,
  body: RelayBody,
): Promise<{ status: number; text: string }> {
  const isForm = body instanceof URLSearchParams;
  const credentials = `${config.PUSH_RELAY_ORG_ID}:${config.PUSH_RELAY_ORG_KEY}`;
  try {
    const answer = await fetch(`${config.PUSH_RELAY_URL}/api/v1/remotes/${endpoint}`, {
      method: 'POST',
      // Redirects are refused, so that credentials go nowhere else.
      redirect: 'manual',
      headers: {
        authorization: `Basic ${Buffer.from(credentials).toString('base64')}`,
        'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
        'user-agent': 'Rialto',
      },
      body: isForm ? body.toString() : JSON.stringify(body),
      signal: AbortSignal.timeout(config.PUSH_RELAY_TIMEOUT_MS),
    });
    return { status: answer.status, text: await readBounded(answer) };
  } catch (error) {
    throw new RelayError('unreachable', 'The push relay did not answer.', { cause: error });
  }
}

async function readBounded(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}
