// The button with the name of a market, which opens the list of all.
import type { MarketDetail } from '@rialto/sdk';
import { lazy, Suspense } from 'react';
import { Button as PlainButton } from 'react-aria-components/Button';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { useOpener } from '../../ui/opener.ts';
import { pairOf } from '../pair.ts';
import { texts } from './texts.ts';

const Picker = lazy(() => import('./picker.tsx'));

export function MarketButton({
  market,
  markets,
  personId,
  onOpen,
}: {
  readonly market: MarketDetail;
  readonly markets: ReadonlyMap<string, MarketDetail>;
  readonly personId: number | undefined;
  readonly onOpen: (symbol: string) => void;
}) {
  const t = useTexts(texts);
  const { button, beside } = useOpener('dialog');
  const pair = pairOf(market);
  return (
    <>
      <PlainButton
        {...button}
        aria-label={t.choose({ market: pair })}
        className="flex h-control shrink-0 cursor-default items-center gap-1.5 rounded-control ps-2 pe-1.5 text-title font-semibold data-hovered:bg-hover"
      >
        <bdi dir="ltr">{pair}</bdi>
        <Icon name="chevronDown" className="size-4 text-muted" />
      </PlainButton>
      {beside !== undefined && (
        <Suspense>
          <Picker
            beside={beside}
            markets={markets}
            current={market.symbol}
            personId={personId}
            onOpen={onOpen}
          />
        </Suspense>
      )}
    </>
  );
}
