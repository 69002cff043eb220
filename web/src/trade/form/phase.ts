// The phase of the market as it is now: a market can be halted while somebody types.
import type { MarketDetail, MarketPhase } from '@rialto/sdk';
import { useEffect, useState } from 'react';
import { useVenue } from '../venue/react.ts';
import type { Draft, Kind } from './draft.ts';

export type Phase = MarketDetail['phase'];

export interface PhaseNow {
  readonly phase: Phase;
  /** When it ends by itself, in milliseconds since 1970. */
  readonly untilMs: number | undefined;
  /** Why, in the words of the operator who decided it; empty if there is none. */
  readonly reason: string;
}

/** As the streams have it; until they have spoken, as the list of markets had it. */
export function usePhase({ symbol, phase, phaseReason }: MarketDetail): PhaseNow {
  const { streams } = useVenue();
  const [now, setNow] = useState<MarketPhase>();
  useEffect(() => {
    const following = streams.subscribe('status', (event) => {
      if (event.type !== 'snapshot' && event.type !== 'update') return;
      const found = event.data.markets.find((one) => one.symbol === symbol);
      if (found !== undefined) setNow(found);
    });
    return () => following.close();
  }, [streams, symbol]);
  if (now?.symbol !== symbol) return { phase, untilMs: undefined, reason: phaseReason };
  const untilMs = now.until === '' ? undefined : Number(now.until);
  return { phase: now.phase, untilMs, reason: now.reason };
}

const CLOSED: ReadonlySet<Phase> = new Set(['pre_open', 'cancel_only', 'halted', 'delisted']);

/** No order is taken at all. */
export const isClosed = (phase: Phase): boolean => CLOSED.has(phase);

/** What the phase leaves of the kinds. */
export const kindsIn = (phase: Phase, kinds: readonly Kind[]): readonly Kind[] =>
  phase === 'auction' || phase === 'post_only' ? kinds.filter((kind) => kind === 'limit') : kinds;

/** The draft as the phase takes it: an auction and a market that opens again take limit orders that rest. */
export function inPhase(draft: Draft, phase: Phase): Draft {
  if (phase !== 'auction' && phase !== 'post_only') return draft;
  const timeInForce = draft.timeInForce === 'GTD' ? 'GTD' : 'GTC';
  return { ...draft, kind: 'limit', timeInForce, isPostOnly: phase === 'post_only' };
}
