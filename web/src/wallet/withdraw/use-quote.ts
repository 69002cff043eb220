// Asks what a withdrawal would cost, once the person has stopped typing.
import type { WalletWithdrawQuoteParams, WithdrawQuote } from '@rialto/sdk';
import { useEffect, useState } from 'react';
import { useTrading } from '../use-trading.ts';

export type QuoteState =
  | { readonly state: 'none' }
  | { readonly state: 'asking' }
  | { readonly state: 'known'; readonly value: WithdrawQuote }
  | { readonly state: 'failed'; readonly error: unknown };

const QUIET_MS = 300;
const NONE: QuoteState = { state: 'none' };
const ASKING: QuoteState = { state: 'asking' };

export function useQuote(params: WalletWithdrawQuoteParams | undefined): QuoteState {
  const trading = useTrading();
  const key = params === undefined ? '' : JSON.stringify(params);
  const [answer, setAnswer] = useState<{ readonly key: string; readonly state: QuoteState }>();
  useEffect(() => {
    if (key === '') return;
    const leaving = new AbortController();
    const timer = setTimeout(() => {
      trading()
        .wallet.withdrawQuote(JSON.parse(key) as WalletWithdrawQuoteParams, {
          signal: leaving.signal,
        })
        .then(
          (value) => setAnswer({ key, state: { state: 'known', value } }),
          (error: unknown) => {
            if (!leaving.signal.aborted) setAnswer({ key, state: { state: 'failed', error } });
          },
        );
    }, QUIET_MS);
    return () => {
      clearTimeout(timer);
      leaving.abort();
    };
  }, [key, trading]);
  if (key === '') return NONE;
  // An answer to other terms is none.
  return answer?.key === key ? answer.state : ASKING;
}
