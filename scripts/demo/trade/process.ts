// A server process of the demo, with its traders in it.
import { loadConfig } from '../../../server/src/platform/config/load.ts';
import { startProcess } from '../../../server/src/roles/start.ts';
import type { TradingContext } from '../../../server/src/trading/context.ts';
import { startLiveTrading } from './live.ts';

/** Set in the one process of a cluster that trades. */
export const TRADES = 'DEMO_TRADES';
const LIVE_SEED = 7;

export interface TradingProcess {
  /** Empty for a role that does not listen. */
  readonly origin: string;
  stop(): Promise<void>;
}

export async function startTradingProcess(
  environment: Readonly<Record<string, string | undefined>>,
  onFatal: (error: Error) => void,
  trades = true,
): Promise<TradingProcess> {
  let floor: TradingContext | undefined;
  const running = await startProcess(loadConfig(environment), {
    onFatal,
    onTrading: (ctx) => {
      floor = ctx;
    },
  });
  const live = trades && floor !== undefined ? startLiveTrading(floor, LIVE_SEED) : undefined;
  return {
    origin: running.origin ?? '',
    async stop() {
      await live?.stop();
      await running.stop();
    },
  };
}
