// The book: asks above with the lowest next to the spread, bids below. Its rows are painted outside of React.
import { useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { SkeletonGroup, Skeleton } from '../../ui/skeleton.tsx';
import { useAge } from '../age.ts';
import type { Pick } from '../pick.ts';
import { useMarket, useMarketFeed } from '../venue/react.ts';
import { stepsOf } from './group.ts';
import { Grid } from './grid.tsx';
import { GroupMenu } from './group-menu.tsx';
import type { PaintRow } from './painter.ts';
import { useStaleSince } from './stale.ts';
import { Sweep } from './sweep.tsx';
import { texts } from './texts.ts';
import { useLadder } from './use-ladder.ts';

interface BookProps {
  /** Open volume of one's own orders, by `buy:price` and `sell:price`. */
  readonly own: ReadonlyMap<string, string>;
  /** How far apart rows are; what the market does not offer is ignored. */
  readonly group: string | undefined;
  readonly onGroup: (group: string | undefined) => void;
  readonly onPick: (pick: Pick) => void;
}

export function Book({ own, group, onGroup, onPick }: BookProps) {
  const t = useTexts(texts);
  const market = useMarket();
  const steps = useMemo(
    () => stepsOf(market.priceStep, market.referencePrice, Number(market.quotePrecision)),
    [market],
  );
  const step = steps.find((one) => one === group) ?? steps[0] ?? market.priceStep;
  const box = useRef<HTMLDivElement>(null);
  const grid = useRef<HTMLDivElement>(null);
  const sweepId = useId();
  const count = useRowCount(box);
  const ladder = useLadder(grid, { count, step, own });
  const [pointed, setPointed] = useState<PaintRow>();
  const feed = useMarketFeed();
  const age = useAge(useStaleSince(feed));
  return (
    <div className="flex min-h-0 flex-1 flex-col" data-stale={age === undefined ? undefined : ''}>
      <div className="flex h-11 shrink-0 items-center gap-2 ps-4 pe-2 max-tablet:h-14">
        <h2 className="font-semibold">{t.title}</h2>
        <span className="min-w-0 flex-1 truncate text-tiny text-muted">
          {ladder.isHeld && t.held}
        </span>
        {steps.length > 1 && (
          <GroupMenu
            steps={steps}
            step={step}
            onStep={(next) => onGroup(next === steps[0] ? undefined : next)}
          />
        )}
      </div>
      <div ref={box} className="relative flex min-h-0 flex-1 flex-col overflow-y-auto">
        {age !== undefined && (
          <p
            role="status"
            className="absolute inset-x-2 top-6 z-10 flex items-center gap-2 rounded-control bg-warning-tint px-3 py-1.5 text-small text-text shadow-raised"
          >
            <Icon name="offline" className="size-4 text-warning" />
            {t.paused({ seconds: age })}
          </p>
        )}
        {ladder.empty === undefined && <BookLoading />}
        <Grid
          ref={grid}
          count={count}
          ladder={ladder}
          isStale={age !== undefined}
          describedBy={sweepId}
          onPoint={setPointed}
          onPick={onPick}
        />
      </div>
      <Sweep id={sweepId} row={pointed} />
    </div>
  );
}

function BookLoading() {
  const t = useTexts(texts);
  return (
    <div className="absolute inset-x-4 top-8">
      <SkeletonGroup label={t.loading}>
        {Array.from({ length: 8 }, (_value, at) => (
          <Skeleton key={at} className="mb-2 h-4" />
        ))}
      </SkeletonGroup>
    </div>
  );
}

const ROWS_MIN = 3;
const ROWS_MAX = 40;
const FINGER_PX = 44;
const ROW_PX = 24;

/** As many rows on each side as fit, between the heads and the row in the middle. */
function useRowCount(box: { readonly current: HTMLElement | null }): number {
  const [count, setCount] = useState(ROWS_MIN);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() => {
      // The same width as `tablet` of tokens.css.
      const isPhone = !matchMedia('(width >= 48rem)').matches;
      const [row, middle] = isPhone ? [FINGER_PX, FINGER_PX] : [ROW_PX, 32];
      const room = element.clientHeight - ROW_PX - middle;
      setCount(Math.min(ROWS_MAX, Math.max(ROWS_MIN, Math.floor(room / 2 / row))));
    });
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return count;
}
