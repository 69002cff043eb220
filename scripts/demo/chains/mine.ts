// Mines when a transaction waits, and then as many blocks as it needs: a chain of tests cannot grow for ever.
import { rarely } from '../../../server/src/platform/observe/rarely.ts';
import { pause } from '../../../server/src/platform/std/wait.ts';
import { textOf } from '../../../server/src/trading/custody/chains/rpc.ts';
import type { DemoChains } from './nodes.ts';

/** A person sees the confirmations come, and does not wait for them. */
const BLOCK_MS = 3000;
/** Of each coin here; see `venue.ts`. */
export const CONFIRMATIONS = 2;
const COMPLAIN_EVERY_MS = 60_000;

export interface Miner {
  stop(): Promise<void>;
}

export function startMiner({ litecoin, evm }: DemoChains): Miner {
  const stopping = new AbortController();
  const complain = rarely(COMPLAIN_EVERY_MS);
  const chains = [
    {
      waits: async () => Number(textOf(await litecoin.call('getmempoolinfo', []), 'size')) > 0,
      mine: async () => void (await litecoin.mine(1)),
    },
    {
      waits: async () => Number(textOf(await evm.call('txpool_status', []), 'pending')) > 0,
      mine: () => evm.mine(1),
    },
  ];
  const running = chains.map(async ({ waits, mine }) => {
    let left = 0;
    while (!stopping.signal.aborted) {
      await pause(BLOCK_MS, stopping.signal);
      try {
        if (await waits()) left = CONFIRMATIONS;
        if (left === 0 || stopping.signal.aborted) continue;
        await mine();
        left -= 1;
      } catch (error) {
        complain(() => console.error(`The demo cannot mine: ${(error as Error).message}`));
      }
    }
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(running);
    },
  };
}
