// The trade view at its addresses, in the frame of those who have signed in and in the open one.
import { useCallback } from 'react';
import { printChange, type TradeChange } from '../trade/address.ts';
import { Trade } from '../trade/trade.tsx';
export { loadParts } from '../trade/parts.ts';
export { prepareVenue } from '../trade/venue/prepare.ts';
import { useRoute, useRouter } from './link.tsx';

export default function TradeView({
  symbol,
  reader,
}: {
  readonly symbol: string | undefined;
  /** Undefined: nobody has signed in. */
  readonly reader: { readonly personId: number; readonly csrfToken: string } | undefined;
}) {
  const router = useRouter();
  const { query } = useRoute();
  const change = useCallback(
    (changes: TradeChange) => {
      for (const [name, value] of printChange(changes)) router.setQuery(name, value);
    },
    [router],
  );
  const open = useCallback(
    (next: string, changes: TradeChange, { isReplaced } = { isReplaced: false }) => {
      router.go({ view: 'trade', symbol: next }, { replace: isReplaced });
      change(changes);
    },
    [router, change],
  );
  return (
    <Trade
      symbol={symbol}
      csrfToken={reader?.csrfToken}
      personId={reader?.personId}
      query={query}
      onChange={change}
      onOpen={open}
    />
  );
}
