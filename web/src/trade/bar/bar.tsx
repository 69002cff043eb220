// The bar above a market: its name, its price now, the figures of the day, and whether all that is fresh.
import type { MarketDetail } from '@rialto/sdk';
import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Amount, Change } from '../../ui/amount.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { useAge } from '../age.ts';
import { useFreshness, useMarket, useTicker } from '../venue/react.ts';
import { MarketButton } from './opener.tsx';
import { texts } from './texts.ts';

export interface MarketBarProps {
  readonly markets: ReadonlyMap<string, MarketDetail>;
  readonly personId: number | undefined;
  readonly onOpen: (symbol: string) => void;
  /** What stands at its end. */
  readonly children: ReactNode;
}

export function MarketBar({ markets, personId, onOpen, children }: MarketBarProps) {
  const t = useTexts(texts);
  const market = useMarket();
  const ticker = useTicker();
  const price = Number(market.quotePrecision);
  const hasTraded = ticker !== undefined && ticker.last !== '';
  return (
    <section
      aria-label={t.bar}
      className="flex min-h-13 flex-wrap items-center gap-x-5 gap-y-1 border-b border-line bg-panel px-2 py-1.5"
    >
      <MarketButton market={market} markets={markets} personId={personId} onOpen={onOpen} />
      <div className="flex items-center gap-2.5">
        <span className="sr-only">{t.last}</span>
        {hasTraded ? (
          <>
            <Amount value={ticker.last} decimals={price} className="text-title font-semibold" />
            <Change value={ticker.changePercent} />
          </>
        ) : (
          <span className="text-muted">{ticker === undefined ? '…' : t.none}</span>
        )}
      </div>
      {ticker !== undefined && (
        <dl className="flex flex-wrap items-center gap-x-5 gap-y-0.5 text-small max-tablet:order-1 max-tablet:flex-1 max-tablet:flex-nowrap max-tablet:gap-x-4 max-tablet:ps-2">
          <Figure name={t.high} value={ticker.high} decimals={price} />
          <Figure name={t.low} value={ticker.low} decimals={price} />
          <Figure
            name={t.volume}
            value={ticker.volume}
            decimals={Number(market.basePrecision)}
            unit={market.base.toUpperCase()}
          />
        </dl>
      )}
      <div className="ms-auto flex items-center gap-2 max-tablet:order-2">{children}</div>
    </section>
  );
}

function Figure({
  name,
  value,
  decimals,
  unit,
}: {
  readonly name: string;
  readonly value: string;
  readonly decimals: number;
  readonly unit?: string;
}) {
  const t = useTexts(texts);
  return (
    <div className="flex flex-col">
      <dt className="text-tiny text-muted">{name}</dt>
      <dd>
        {value === '' ? (
          <span className="text-muted">{t.none}</span>
        ) : (
          <Amount value={value} decimals={decimals} unit={unit} />
        )}
      </dd>
    </div>
  );
}

/** How fresh the prices are: text and sign, not colour alone. */
export function FreshnessPill() {
  const t = useTexts(texts);
  const freshness = useFreshness();
  const age = useAge(freshness.kind === 'paused' ? freshness.sinceMs : undefined);
  const isPaused = freshness.kind === 'paused';
  const words = { starting: t.starting, live: t.live, paused: t.paused({ seconds: age ?? 0 }) };
  return (
    <span
      data-freshness={freshness.kind}
      className={classes(
        'figures inline-flex items-center gap-1.5 rounded-full px-2 py-0.5 text-small whitespace-nowrap',
        isPaused ? 'bg-warning-tint text-warning' : 'text-muted',
      )}
    >
      <Icon
        name={isPaused ? 'offline' : freshness.kind === 'live' ? 'check' : 'clock'}
        className="size-4"
      />
      <span className="max-tablet:sr-only">{words[freshness.kind]}</span>
    </span>
  );
}
