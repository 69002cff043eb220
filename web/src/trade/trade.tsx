// The trade view: one market, followed live, with its chart, book and trades; and for those who have signed in, what they
// do there.
import type { MarketDetail } from '@rialto/sdk';
import { useEffect, useMemo } from 'react';
import { useAsked } from '../asked/use-asked.ts';
import { FailureState } from '../asked/failure.tsx';
import { useTexts } from '../i18n/texts.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { LinkButton } from '../ui/link-button.tsx';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { readAddress, type TradeChange } from './address.ts';
import { keepLastMarket, readLastMarket } from './last-market.ts';
import { Layout } from './layout.tsx';
import { texts } from './texts.ts';
import { MarketProvider, useVenue, VenueProvider } from './venue/react.ts';

export interface TradeProps {
  /** Undefined: the market that was looked at last. */
  readonly symbol: string | undefined;
  /** Undefined for a reader who has not signed in. */
  readonly csrfToken: string | undefined;
  /** Whose favourites are kept here. */
  readonly personId: number | undefined;
  readonly query: Readonly<Record<string, string>>;
  /** Changes what the address says besides the market. */
  readonly onChange: (change: TradeChange) => void;
  readonly onOpen: (symbol: string, change: TradeChange, options?: { isReplaced: boolean }) => void;
}

export function Trade({ csrfToken, ...rest }: TradeProps) {
  return (
    <VenueProvider url={location.origin} csrfToken={csrfToken}>
      <Found {...rest} />
    </VenueProvider>
  );
}

function Found({
  symbol: given,
  personId,
  query,
  onChange,
  onOpen,
}: Omit<TradeProps, 'csrfToken'>) {
  const t = useTexts(texts);
  const venue = useVenue();
  const { asked, again } = useAsked('venue/markets', () => venue.markets());
  const address = useMemo(() => readAddress(query), [query]);
  const markets = asked.state === 'known' ? asked.value : undefined;
  const symbol = given?.toLowerCase() ?? (markets && firstOf(markets));
  const market = symbol === undefined ? undefined : markets?.get(symbol);
  useEffect(() => {
    if (market === undefined) return;
    keepLastMarket(market.symbol);
    // The address names the market, so that a copy of it leads to the same one.
    if (given === undefined) onOpen(market.symbol, {}, { isReplaced: true });
  }, [market, given, onOpen]);
  if (asked.state === 'failed') {
    return <FailureState what={t.marketsFailed} error={asked.error} onRetry={again} />;
  }
  if (markets === undefined) return <Loading />;
  if (market === undefined) {
    return (
      <EmptyState icon="search" action={<LinkButton href="/markets">{t.toMarkets}</LinkButton>}>
        <span className="block text-title font-semibold text-text">
          {t.unknown({ symbol: (symbol ?? '').toUpperCase() })}
        </span>
        {t.unknownWhy}
      </EmptyState>
    );
  }
  return (
    <MarketProvider key={market.symbol} market={market}>
      <Layout
        markets={markets}
        address={address}
        personId={personId}
        onChange={onChange}
        onOpen={onOpen}
      />
    </MarketProvider>
  );
}

/** The last one, if it is still listed. */
function firstOf(markets: ReadonlyMap<string, MarketDetail>): string | undefined {
  const last = readLastMarket();
  return last !== undefined && markets.has(last) ? last : markets.keys().next().value;
}

function Loading() {
  const t = useTexts(texts);
  return (
    <div className="flex min-h-0 flex-1 flex-col p-3">
      <SkeletonGroup label={t.loading}>
        <Skeleton className="mb-3 h-9 w-full max-w-xl" />
        <Skeleton className="h-[60vh] w-full rounded-panel" />
      </SkeletonGroup>
    </div>
  );
}
