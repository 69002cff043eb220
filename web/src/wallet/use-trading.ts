import type { Trading } from '@rialto/sdk';
import { useMemo } from 'react';
import { tradingWith } from '../api/trading.ts';
import { useStore } from '../state/react.ts';

/** The trading API in the person's name. With a code, for the one act that the code is good for. */
export function useTrading(): (code?: string) => Trading {
  const { origin } = useStore().client.chat;
  return useMemo(() => {
    const plain = tradingWith(origin, undefined);
    return (code) => (code === undefined ? plain : tradingWith(origin, code));
  }, [origin]);
}
