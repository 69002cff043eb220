// The state of the order form: what is entered, and what it means at the prices and balances of now.
import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useAsked } from '../../asked/use-asked.ts';
import { useBalances } from '../account/react.ts';
import { createGate } from '../venue/gate.ts';
import { useMarket, useMarketFeed, useVenue } from '../venue/react.ts';
import type { MarketFeed } from '../venue/market-feed.ts';
import type { Available } from './derive.ts';
import { emptyDraft, type, type Draft } from './draft.ts';
import type { Prices, Rates } from './estimate.ts';
import { inPhase, type Phase } from './phase.ts';
import { readForm, type FormReading } from './read.ts';

/** A price or a volume that was picked in the book; another `key` is another pick. */
export interface Picked {
  readonly price?: string | undefined;
  readonly volume?: string | undefined;
  readonly key: number;
}

/** Estimates are read, not watched: twice a second is enough, and leaves the page its time. */
const READ_MS = 500;

const NOTHING: Prices = { bids: [], asks: [], last: '' };

/** The book as a copy, since the feed changes its own. */
function createPriceStore(feed: MarketFeed) {
  let prices = NOTHING;
  const read = () => {
    const { bids, asks } = feed.book;
    prices = { bids: [...bids], asks: [...asks], last: feed.ticker()?.last ?? '' };
  };
  read();
  return {
    prices: () => prices,
    subscribe(listener: () => void) {
      const gate = createGate(READ_MS);
      gate.subscribe(() => {
        read();
        listener();
      });
      const leave = [feed.onBook(gate.signal), feed.onTicker(gate.signal)];
      gate.signal();
      return () => {
        for (const end of leave) end();
        gate.close();
      };
    },
  };
}

function usePrices(): Prices {
  const feed = useMarketFeed();
  const store = useMemo(() => createPriceStore(feed), [feed]);
  return useSyncExternalStore(store.subscribe, store.prices);
}

/** What the account pays here; the market's first tier until it is known. */
function useRates(): Rates {
  const { symbol, makerFee, takerFee } = useMarket();
  const { trading } = useVenue();
  const { asked } = useAsked(`fees ${symbol}`, (signal) =>
    trading.account.fees({ symbol }, { signal }),
  );
  const own =
    asked.state === 'known' ? asked.value.find((one) => one.symbol === symbol) : undefined;
  return useMemo(
    () => ({ maker: own?.makerFee ?? makerFee, taker: own?.takerFee ?? takerFee }),
    [own, makerFee, takerFee],
  );
}

export interface FormState {
  readonly draft: Draft;
  readonly change: (change: (draft: Draft) => Draft) => void;
  readonly reading: FormReading;
  readonly available: Available;
  readonly prices: Prices;
}

export function useFormState(phase: Phase, picked: Picked | undefined): FormState {
  const market = useMarket();
  const prices = usePrices();
  const rates = useRates();
  const balances = useBalances();
  const [entered, change] = useState(() => emptyDraft());
  const draft = useMemo(() => inPhase(entered, phase), [entered, phase]);
  const base = balances?.get(market.base)?.available;
  const quote = balances?.get(market.quote)?.available;
  const available = useMemo(() => ({ base, quote }), [base, quote]);
  const last = useRef(picked?.key);
  useEffect(() => {
    if (picked === undefined || picked.key === last.current) return;
    last.current = picked.key;
    change((before) => {
      let next = before;
      if (picked.price !== undefined)
        next = type(next, 'price', { kind: 'number', value: picked.price });
      if (picked.volume !== undefined)
        next = type(next, 'amount', { kind: 'number', value: picked.volume });
      return next;
    });
  }, [picked]);
  const reading = useMemo(
    () => readForm(draft, { market, prices, rates, available, nowMs: Date.now() }),
    [draft, market, prices, rates, available],
  );
  return { draft, change, reading, available, prices };
}
