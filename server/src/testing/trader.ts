// A caller of the trading API for tests: sends and signs requests, and keeps the raw answers.
import { createHmac } from 'node:crypto';
import { createTradingKey, type NewTradingKey } from '../accounts/trading-keys/actions.ts';
import type { Context } from '../platform/context.ts';
import { examplePerson } from './example.ts';

export interface TradingAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, or an empty object when there is none. */
  readonly body: TradingBody;
}

export interface TradingBody {
  readonly status: string;
  readonly serverTime: string;
  readonly result: unknown;
  readonly error?: {
    readonly code: string;
    readonly name: string;
    readonly message: string;
    readonly details: Readonly<Record<string, unknown>>;
  };
}

export async function send(
  url: string,
  init: RequestInit & { duplex?: 'half' } = {},
): Promise<TradingAnswer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const body = (text.startsWith('{') ? JSON.parse(text) : {}) as TradingBody;
  return { status: response.status, headers: response.headers, text, body };
}

export const hmacHex = (secret: string, text: string | Buffer): string =>
  createHmac('sha256', secret).update(text).digest('hex');

export interface SignedOptions {
  method?: string;
  /** Parameters besides the timestamp, which is added unless given. */
  params?: Record<string, string>;
  headers?: Record<string, string>;
  atMs?: number;
}

export interface Trader {
  readonly keyId: string;
  readonly secret: string;
  readonly accountId: bigint;
  readonly userId: number;
  /** The query string and headers of a signed request, for tests that send them in their own way. */
  prepare(options?: SignedOptions): { query: string; headers: Record<string, string> };
  /** Sends a signed request with its parameters in the query string. */
  call(url: string, options?: SignedOptions): Promise<TradingAnswer>;
}

export async function exampleTrader(
  ctx: Context,
  given: Partial<NewTradingKey> = {},
): Promise<Trader> {
  const userId = given.userId ?? (await examplePerson(ctx)).id;
  const key = await createTradingKey(ctx, { permissions: ['read', 'trade'], ...given, userId });
  return { ...key, userId, ...signer(key) };
}

function signer({ keyId, secret }: { keyId: string; secret: string }) {
  let latestMs = 0;
  const prepare = ({ params = {}, headers = {}, atMs }: SignedOptions = {}) => {
    // Two requests in one millisecond would have the same signature, so every request of a trader gets its own.
    latestMs = atMs ?? Math.max(latestMs + 1, Date.now());
    const query = new URLSearchParams({ timestamp: String(latestMs), ...params }).toString();
    return {
      query,
      headers: {
        'X-SVC-APIKEY': keyId,
        'X-SVC-SIGNATURE': hmacHex(secret, query),
        ...headers,
      },
    };
  };
  return {
    prepare,
    call(url: string, options: SignedOptions = {}) {
      const { query, headers } = prepare(options);
      return send(`${url}?${query}`, { method: options.method ?? 'GET', headers });
    },
  };
}
