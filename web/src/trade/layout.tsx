// Where the parts stand, by the room there is. See the guide: three columns, two, or one part at a time.
import type { MarketDetail } from '@rialto/sdk';
import { Suspense, useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { classes } from '../ui/classes.ts';
import { Skeleton, SkeletonGroup } from '../ui/skeleton.tsx';
import { carriedOver, type TradeAddress, type TradeChange } from './address.ts';
import { FreshnessPill, MarketBar } from './bar/bar.tsx';
import { AddBeside, Beside } from './beside.tsx';
import { Book } from './book/book.tsx';
import { pairOf } from './pair.ts';
import { Chart } from './parts.ts';
import { PhaseBanner } from './phase.tsx';
import { Phone } from './phone.tsx';
import { FillNews } from './account/news.tsx';
import { useOwnVolumes } from './account/react.ts';
import { AccountSlot, ChatSlot, FormSlot, type FormSlotProps } from './slots.tsx';
import { Side } from './side.tsx';
import { Tape } from './tape/tape.tsx';
import { texts } from './texts.ts';
import { useHasPrices, useMarket, useVenue } from './venue/react.ts';
import { useWidth } from './width.ts';

export interface LayoutProps {
  readonly markets: ReadonlyMap<string, MarketDetail>;
  readonly address: TradeAddress;
  readonly personId: number | undefined;
  readonly onChange: (change: TradeChange) => void;
  readonly onOpen: (symbol: string, change: TradeChange) => void;
}

/** The chart, the book, and perhaps a second market. */
const COLUMNS = {
  one: 'grid-cols-[minmax(0,1fr)_18.5rem] grid-rows-[minmax(0,1fr)]',
  two: 'grid-cols-[minmax(0,1fr)_18.5rem_minmax(0,1fr)] grid-rows-[minmax(0,1fr)]',
} as const;

export function Layout({ markets, address, personId, onChange, onOpen }: LayoutProps) {
  const t = useTexts(texts);
  const market = useMarket();
  const width = useWidth();
  const { isSignedIn } = useVenue();
  const own = useOwnVolumes(market.symbol);
  const hasPrices = useHasPrices();
  const [pick, setPick] = useState<FormSlotProps['pick']>();
  const hasBeside = width === 'double' && address.beside !== undefined;
  const columns = hasBeside ? 'two' : 'one';
  const open = (symbol: string) => onOpen(symbol, carriedOver(address));
  const linked =
    address.order === undefined
      ? undefined
      : {
          orderId: address.order,
          onClose: () => onChange({ order: undefined }),
        };
  const chart = !hasPrices ? (
    <ChartLoading />
  ) : (
    <Suspense fallback={<ChartLoading />}>
      <Chart
        kind={address.chart}
        interval={address.interval}
        onKind={(kind) => onChange({ chart: kind })}
        onInterval={(interval) => onChange({ interval })}
      />
    </Suspense>
  );
  const book = (
    <Book
      own={own}
      group={address.group}
      onGroup={(group) => onChange({ group })}
      onPick={(picked) => setPick((last) => ({ ...picked, key: (last?.key ?? 0) + 1 }))}
    />
  );
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h1 className="sr-only">{t.view({ market: pairOf(market) })}</h1>
      <MarketBar markets={markets} personId={personId} onOpen={open}>
        {width === 'double' && !hasBeside && (
          <AddBeside markets={markets} onSymbol={(beside) => onChange({ beside })} />
        )}
        <FreshnessPill />
      </MarketBar>
      <PhaseBanner />
      <FillNews />
      {width === 'phone' ? (
        <Phone
          part={address.part}
          onPart={(part) => onChange({ part, order: undefined })}
          linked={linked}
          chart={chart}
          book={book}
          pick={pick}
        />
      ) : width === 'tablet' ? (
        <div className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain">
          <div className="grid grid-cols-[minmax(0,1fr)_minmax(0,1fr)_auto] gap-px bg-line">
            <Region label={t.chart} className="col-span-3 h-104">
              {chart}
            </Region>
            <Region label={t.book} className="h-150">
              {book}
            </Region>
            <Region label={t.trades} className="h-150">
              <Tape />
            </Region>
            <FormSlot pick={pick} />
          </div>
          {isSignedIn && (
            <div className="grid shrink-0 auto-rows-[24rem] gap-px border-t border-line bg-line">
              <Region label={t.account} className="overflow-y-auto">
                <AccountSlot linked={linked} />
              </Region>
              <Region label={t.chat}>
                <ChatSlot />
              </Region>
            </div>
          )}
        </div>
      ) : (
        <div className="flex min-h-0 flex-1 gap-px bg-line">
          <div className="flex min-w-0 flex-1 flex-col gap-px">
            <div className={classes('grid min-h-0 flex-1 gap-px', COLUMNS[columns])}>
              <Region label={t.chart}>{chart}</Region>
              <div className="grid min-h-0 grid-rows-[minmax(0,2fr)_minmax(0,1fr)] gap-px">
                <Region label={t.book}>{book}</Region>
                <Region label={t.trades}>
                  <Tape />
                </Region>
              </div>
              {hasBeside && (
                <Beside
                  markets={markets}
                  symbol={address.beside}
                  personId={personId}
                  interval={address.interval}
                  onInterval={(interval) => onChange({ interval })}
                  onSymbol={(beside) => onChange({ beside })}
                />
              )}
            </div>
            {isSignedIn && (
              <Region label={t.account} className="h-[34%] min-h-56 shrink-0 overflow-y-auto">
                <AccountSlot linked={linked} />
              </Region>
            )}
          </div>
          <Side pick={pick} isDouble={width === 'double'} />
        </div>
      )}
    </div>
  );
}

function Region({
  label,
  className,
  children,
}: {
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  return (
    <section
      aria-label={label}
      className={classes('flex min-h-0 min-w-0 flex-col bg-panel', className)}
    >
      {children}
    </section>
  );
}

function ChartLoading() {
  return (
    <div className="flex-1 p-3">
      <SkeletonGroup>
        <Skeleton className="h-7 w-72" />
      </SkeletonGroup>
    </div>
  );
}
