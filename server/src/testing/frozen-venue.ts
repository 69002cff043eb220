// A venue whose clock stands still unless a test moves it, so that tests hit the edges of time windows exactly. It
// has a route that echoes its parameters, under every method.
import { Type } from 'typebox';
import { afterAll, beforeAll, beforeEach } from 'vitest';
import { tradingRoute } from '../trading/http/route.ts';
import { startTestServer, type TestServer } from './server.ts';
import { exampleTrader, hmacHex, send, type Trader, type TradingAnswer } from './trader.ts';
import { exampleVenue } from './venue.ts';

const echoes = (['GET', 'POST', 'DELETE'] as const).map((method) =>
  tradingRoute({
    name: `testEcho${method}`,
    method,
    path: '/private/test/echo',
    access: 'trade',
    audit: { none: 'own orders' },
    summary: 'Echoes.',
    params: Type.Object({
      note: Type.Optional(Type.String()),
      orders: Type.Optional(Type.Array(Type.Object({ symbol: Type.String() }))),
    }),
    returns: Type.Object({ note: Type.String() }),
    handle: (_ctx, _caller, { note = '', orders }) => ({
      note,
      ...(orders === undefined ? {} : { orders }),
    }),
  }),
);

type Headers = Record<string, string>;

export class FrozenVenue {
  nowMs = 1_760_000_000_000;
  server!: TestServer;
  trader!: Trader;

  /** The URL of a private route that reads. */
  get url(): string {
    return `${this.server.baseUrl}/private/account/balances`;
  }

  get echoUrl(): string {
    return `${this.server.baseUrl}/private/test/echo`;
  }

  sign(text: string | Buffer, more: Headers = {}): Headers {
    const { keyId, secret } = this.trader;
    return { 'X-SVC-APIKEY': keyId, 'X-SVC-SIGNATURE': hmacHex(secret, text), ...more };
  }

  get(query: string, headers: Headers = this.sign(query)): Promise<TradingAnswer> {
    return send(`${this.url}?${query}`, { headers });
  }

  post(body: string, type: string, headers: Headers, query = ''): Promise<TradingAnswer> {
    return send(`${this.echoUrl}${query}`, {
      method: 'POST',
      body,
      headers: { 'Content-Type': type, ...headers },
    });
  }
}

/** For the top of a test file. Each test gets milliseconds of its own, so no two sign the same text. */
export function useFrozenVenue(): FrozenVenue {
  const venue = new FrozenVenue();
  beforeAll(async () => {
    venue.server = await startTestServer({
      withEngine: true,
      settings: { TRADING_RATE_LIMIT: '1000000', TRUSTED_PROXIES: '127.0.0.1' },
      clock: { now: () => venue.nowMs },
      tradingRoutes: echoes,
    });
    await exampleVenue(venue.server.ctx);
    venue.trader = await exampleTrader(venue.server.ctx);
  });
  afterAll(() => venue.server.close());
  beforeEach(() => {
    venue.nowMs += 100_000;
  });
  return venue;
}

/** The error code, or `accepted`. */
export const codeOf = async (answer: Promise<TradingAnswer>): Promise<string> =>
  (await answer).body.error?.code ?? 'accepted';
