// A second market beside the first, where the screen is wide enough: its chart and its book.
import type { MarketDetail } from '@rialto/sdk';
import { Suspense, useState } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { IconButton } from '../ui/icon-button.tsx';
import type { ChartKind, Interval } from './address.ts';
import { MarketBar } from './bar/bar.tsx';
import { Book } from './book/book.tsx';
import { pairOf } from './pair.ts';
import { Chart } from './parts.ts';
import { texts } from './texts.ts';
import { MarketProvider, useMarket } from './venue/react.ts';

const NO_ORDERS: ReadonlyMap<string, string> = new Map();

export interface BesideProps {
  readonly markets: ReadonlyMap<string, MarketDetail>;
  /** Undefined: none is open. */
  readonly symbol: string | undefined;
  readonly personId: number | undefined;
  readonly interval: Interval;
  readonly onInterval: (interval: Interval) => void;
  readonly onSymbol: (symbol: string | undefined) => void;
}

export function Beside({ markets, symbol, ...rest }: BesideProps) {
  const market = symbol === undefined ? undefined : markets.get(symbol);
  if (market === undefined) return null;
  return (
    <MarketProvider key={market.symbol} market={market}>
      <Pane markets={markets} {...rest} />
    </MarketProvider>
  );
}

function Pane({ markets, personId, interval, onInterval, onSymbol }: Omit<BesideProps, 'symbol'>) {
  const t = useTexts(texts);
  const market = useMarket();
  const [kind, setKind] = useState<ChartKind>('candles');
  const [group, setGroup] = useState<string>();
  return (
    <section
      aria-label={t.besideOf({ market: pairOf(market) })}
      className="flex min-h-0 min-w-0 flex-col bg-panel"
    >
      <MarketBar markets={markets} personId={personId} onOpen={onSymbol}>
        <IconButton
          icon="close"
          size="small"
          label={t.closeBeside({ market: pairOf(market) })}
          onPress={() => onSymbol(undefined)}
        />
      </MarketBar>
      <div className="grid min-h-0 flex-1 grid-rows-[minmax(0,3fr)_minmax(0,2fr)] gap-px bg-line">
        <div className="flex min-h-0 min-w-0 flex-col bg-panel">
          <Suspense>
            <Chart kind={kind} interval={interval} onKind={setKind} onInterval={onInterval} />
          </Suspense>
        </div>
        <div className="flex min-h-0 min-w-0 flex-col bg-panel">
          <Book own={NO_ORDERS} group={group} onGroup={setGroup} onPick={() => undefined} />
        </div>
      </div>
    </section>
  );
}

/** Opens the pane with another market than the one that is shown. */
export function AddBeside({
  markets,
  onSymbol,
}: {
  readonly markets: ReadonlyMap<string, MarketDetail>;
  readonly onSymbol: (symbol: string) => void;
}) {
  const t = useTexts(texts);
  const { symbol } = useMarket();
  const other = [...markets.keys()].find((one) => one !== symbol);
  if (other === undefined) return null;
  return <IconButton icon="add" label={t.addBeside} onPress={() => onSymbol(other)} />;
}
