import type { AddressBookEntry } from '@rialto/sdk';
import { useAsked, type Asking } from '../../asked/use-asked.ts';
import { useTrading } from '../use-trading.ts';

/** The trusted addresses of the account. */
export function useBook(): Asking<readonly AddressBookEntry[]> {
  const trading = useTrading();
  return useAsked('wallet book', (signal) => trading().wallet.withdrawAddresses({}, { signal }));
}

export const isUsable = ({ usableAt }: AddressBookEntry): boolean => Number(usableAt) <= Date.now();
