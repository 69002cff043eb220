// Candles on a canvas or in a table, with the figures of the one that is pointed at.
import {
  useEffect,
  useMemo,
  useRef,
  useState,
  useSyncExternalStore,
  type KeyboardEvent,
} from 'react';
import { createPortal } from 'react-dom';
import { FailureState } from '../../asked/failure.tsx';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Tooltip } from '../../ui/tooltip.tsx';
import type { Interval } from '../address.ts';
import { pairOf } from '../pair.ts';
import { useMarket, useVenue } from '../venue/react.ts';
import { createCandleFeed, type CandleFeed } from './candle-feed.ts';
import { CandleTable } from './candle-table.tsx';
import { INTERVAL_MS, layOut, openMs } from './candles.ts';
import { useColours } from './colours.ts';
import { Legend } from './legend.tsx';
import { createPlot, type Plot } from './plot.ts';
import { texts } from './texts.ts';
import { timeWriters } from './times.ts';

const STEP = 1.4;

export function CandleView({
  interval,
  tools,
}: {
  readonly interval: Interval;
  readonly tools: HTMLElement | null;
}) {
  const feed = useFeed(interval);
  return feed === undefined ? null : <Shown feed={feed} interval={interval} tools={tools} />;
}

function useFeed(interval: Interval): CandleFeed | undefined {
  const venue = useVenue();
  const { symbol } = useMarket();
  const [feed, setFeed] = useState<CandleFeed>();
  useEffect(() => {
    const made = createCandleFeed(venue, symbol, interval);
    setFeed(made);
    return () => {
      setFeed(undefined);
      made.close();
    };
  }, [venue, symbol, interval]);
  return feed;
}

function Shown({
  feed,
  interval,
  tools,
}: {
  readonly feed: CandleFeed;
  readonly interval: Interval;
  readonly tools: HTMLElement | null;
}) {
  const t = useTexts(texts);
  const market = useMarket();
  const { candles, isLoading, error } = useSyncExternalStore(feed.subscribe, feed.current);
  const [isTable, setTable] = useState(false);
  const [pointedMs, setPointedMs] = useState<number>();
  const plot = useRef<Plot>(null);
  const pointed =
    pointedMs === undefined ? candles.at(-1) : candles.find((one) => openMs(one) === pointedMs);
  if (error !== undefined && candles.length === 0) {
    return <FailureState what={t.failed} error={error} onRetry={feed.retry} />;
  }
  const names = { market: pairOf(market), interval: t[interval] };
  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      {tools !== null &&
        createPortal(<Tools isTable={isTable} onTable={setTable} plot={plot} />, tools)}
      {!isTable && <Legend candle={pointed} interval={interval} />}
      {isLoading && candles.length === 0 && (
        <div className="absolute inset-x-4 top-10">
          <SkeletonGroup label={t.loading}>
            <Skeleton className="h-40" />
          </SkeletonGroup>
        </div>
      )}
      {!isLoading && candles.length === 0 && <p className="p-4 text-muted">{t.none}</p>}
      {isTable ? (
        <CandleTable candles={candles} interval={interval} label={t.table(names)} />
      ) : (
        <Canvas
          feed={feed}
          interval={interval}
          label={t.chart(names)}
          plot={plot}
          onPoint={setPointedMs}
        />
      )}
      <p className="shrink-0 px-3 py-1 text-tiny text-muted">
        <a
          href="https://www.tradingview.com/"
          target="_blank"
          rel="noreferrer"
          title={t.notice}
          className="hover:underline"
        >
          <bdi dir="ltr">{t.credit}</bdi>
        </a>
      </p>
    </div>
  );
}

function Tools({
  isTable,
  onTable,
  plot,
}: {
  readonly isTable: boolean;
  readonly onTable: (isTable: boolean) => void;
  readonly plot: { readonly current: Plot | null };
}) {
  const t = useTexts(texts);
  const button = (icon: 'add' | 'minus' | 'refresh', label: string, act: () => void) => (
    <Tooltip text={label}>
      <IconButton icon={icon} label={label} size="small" isDisabled={isTable} onPress={act} />
    </Tooltip>
  );
  const table = isTable ? t.asChart : t.asTable;
  return (
    <>
      {button('add', t.zoomIn, () => plot.current?.zoom(STEP))}
      {button('minus', t.zoomOut, () => plot.current?.zoom(1 / STEP))}
      {button('refresh', t.newest, () => plot.current?.reset())}
      <Tooltip text={table}>
        <IconButton
          icon={isTable ? 'chart' : 'list'}
          label={table}
          size="small"
          onPress={() => onTable(!isTable)}
        />
      </Tooltip>
    </>
  );
}

const ACTS: Readonly<Record<string, (plot: Plot) => void>> = {
  '+': (plot) => plot.zoom(STEP),
  '=': (plot) => plot.zoom(STEP),
  ArrowUp: (plot) => plot.zoom(STEP),
  '-': (plot) => plot.zoom(1 / STEP),
  ArrowDown: (plot) => plot.zoom(1 / STEP),
  // Time runs from left to right in every language.
  ArrowLeft: (plot) => plot.pan(-0.1),
  ArrowRight: (plot) => plot.pan(0.1),
  PageUp: (plot) => plot.pan(-0.8),
  PageDown: (plot) => plot.pan(0.8),
  End: (plot) => plot.reset(),
};

function Canvas({
  feed,
  interval,
  label,
  plot,
  onPoint,
}: {
  readonly feed: CandleFeed;
  readonly interval: Interval;
  readonly label: string;
  readonly plot: { current: Plot | null };
  readonly onPoint: (openMs: number | undefined) => void;
}) {
  const locale = useLocale();
  const colours = useColours();
  const decimals = Number(useMarket().quotePrecision);
  const box = useRef<HTMLDivElement>(null);
  const looks = useMemo(
    () => ({
      colours,
      decimals,
      times: timeWriters(interval, locale),
      writePrice: (text: string) => writeDecimal(text, locale, { decimals }),
      hasTime: interval !== '1d',
    }),
    [colours, decimals, interval, locale],
  );
  const latest = useRef(looks);
  useEffect(() => {
    latest.current = looks;
    plot.current?.setLooks(looks);
  }, [looks, plot]);
  useEffect(() => {
    if (box.current === null) return;
    const made = createPlot(box.current, latest.current, {
      onPoint,
      onBeginning: feed.loadOlder,
    });
    plot.current = made;
    const draw = () => made.draw(layOut(feed.current().candles, INTERVAL_MS[interval]));
    draw();
    const leave = feed.subscribe(draw);
    return () => {
      leave();
      plot.current = null;
      made.close();
    };
  }, [feed, interval, onPoint, plot]);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = ACTS[event.key];
    if (act === undefined || plot.current === null) return;
    event.preventDefault();
    event.stopPropagation();
    act(plot.current);
  };
  return (
    <div
      ref={box}
      dir="ltr"
      data-no-mirror
      role="application"
      aria-label={label}
      tabIndex={0}
      onKeyDown={onKeyDown}
      className="min-h-0 flex-1 -outline-offset-2!"
    />
  );
}
