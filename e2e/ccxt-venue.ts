// A venue in a process of its own, and exchanges of ccxt that are connected to it.
import { pro, rialto } from '@rialto/ccxt-adapter';
import type { Exchange } from 'ccxt';
import { vi } from 'vitest';
import type { NewTradingKey } from '../server/src/accounts/trading-keys/actions.ts';
import { startDeployment } from '../server/src/testing/deployment.ts';
import { liveVenue, type Funds } from '../server/src/testing/live-venue.ts';
import { startRialtoProcess } from '../server/src/testing/rialto-process.ts';
import type { Trader } from '../server/src/testing/trader.ts';

type Streaming = InstanceType<typeof pro.rialto>;

export interface CcxtVenue {
  readonly baseUrl: string;
  /** A new person with money and a key. */
  trader(funds?: Funds, permissions?: NewTradingKey['permissions']): Promise<Trader>;
  rest(trader?: Trader, config?: object): rialto;
  streams(trader?: Trader, config?: object): Streaming;
  close(): Promise<void>;
}

/** Limits are out of the way: the tests are about what answers mean, and the venue has its own tests of limits. */
export async function startCcxtVenue(settings: Record<string, string> = {}): Promise<CcxtVenue> {
  const deployment = await startDeployment({
    MONEY: 'simulated',
    TRADING_RATE_LIMIT: '1000000',
    ...settings,
  });
  const exchanges: Exchange[] = [];
  const server = await startRialtoProcess('api,engine,relay,worker', deployment.environment);
  const venue = await liveVenue(deployment, {
    phase: 'continuous',
    terms: { btcusdt: { maxOpenOrders: 100_000 } },
  });
  const baseUrl = `${server.origin}/v1`;
  const configure = (trader: Trader | undefined, config: object) => ({
    baseUrl,
    ...(trader === undefined ? {} : { apiKey: trader.keyId, secret: trader.secret }),
    enableRateLimit: false,
    // The machine may be busy with other tests.
    timeout: 60_000,
    ...config,
  });
  const kept = <T extends Exchange>(exchange: T): T => {
    exchanges.push(exchange);
    return exchange;
  };
  return {
    baseUrl,
    trader: (funds, permissions = ['read', 'trade', 'transfer']) =>
      venue.trader(funds, { permissions }),
    rest: (trader, config = {}) => kept(new rialto(configure(trader, config))),
    streams: (trader, config = {}) => kept(new pro.rialto(configure(trader, config))),
    async close() {
      await Promise.all(exchanges.map((exchange) => exchange.close()));
      server.kill('SIGKILL');
      await deployment.close();
    },
  };
}

/** Waits for what is written a moment after the engine has answered, as histories are. */
export const soon = <T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> =>
  vi.waitFor(
    async () => {
      const value = await read();
      if (!isThere(value)) throw new Error(`Not yet: ${JSON.stringify(value).slice(0, 1000)}`);
      return value;
    },
    { timeout: 30_000, interval: 100 },
  );
