import type { Coin } from '@rialto/sdk';
import { useAsked, type Asking } from '../../asked/use-asked.ts';
import { useTrading } from '../use-trading.ts';

/** The coins of the venue, with their networks. */
export function useCoins(): Asking<readonly Coin[]> {
  const trading = useTrading();
  return useAsked('wallet coins', (signal) => trading().public.coinsInfo({}, { signal }));
}
