// The depth of the book: two stairs that rise from the middle outwards.
import { useEffect, useRef, useState } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { textOf } from '../book/group.ts';
import { pairOf } from '../pair.ts';
import { createGate } from '../venue/gate.ts';
import { useMarket, useMarketFeed } from '../venue/react.ts';
import { depthCurves, labelsOf, pathOf, pointAt, type DepthCurves, type Size } from './depth.ts';
import { texts } from './texts.ts';

const REPAINT_MS = 250;

export function DepthView() {
  const t = useTexts(texts);
  const market = useMarket();
  const box = useRef<HTMLDivElement>(null);
  const size = useSize(box);
  const curves = useCurves(size);
  const [x, setX] = useState<number>();
  const pointed =
    curves === undefined || x === undefined ? undefined : pointAt(curves, x, size.width);
  const volume = Number(market.basePrecision);
  const locale = useLocale();
  const labels = curves === undefined ? [] : labelsOf(curves, size);
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <p className="flex min-h-5 shrink-0 items-baseline gap-2 px-3 text-small text-muted">
        {pointed !== undefined && x !== undefined && (
          <>
            {x < size.width / 2 ? t.bidsUpTo : t.asksUpTo}
            <Amount
              value={pointed.price}
              decimals={Number(market.quotePrecision)}
              unit={market.quote.toUpperCase()}
              className="text-text"
            />
            <Amount
              value={textOf(pointed.total, volume)}
              decimals={volume}
              unit={market.base.toUpperCase()}
              className="text-text"
            />
          </>
        )}
      </p>
      <div
        ref={box}
        dir="ltr"
        data-no-mirror
        className="relative min-h-0 flex-1"
        onPointerMove={({ clientX, currentTarget }) =>
          setX(clientX - currentTarget.getBoundingClientRect().left)
        }
        onPointerLeave={() => setX(undefined)}
      >
        {curves === undefined ? (
          <p className="p-4 text-muted">{t.noDepth}</p>
        ) : (
          <svg
            role="img"
            aria-label={t.depthOf({ market: pairOf(market) })}
            width={size.width}
            height={size.height}
            className="absolute inset-0"
          >
            {(['bids', 'asks'] as const).map((side) => (
              <g key={side} className={side === 'bids' ? 'text-up' : 'text-down'}>
                <path d={pathOf(curves[side], size, true)} fill="currentColor" opacity={0.16} />
                <path
                  d={pathOf(curves[side], size, false)}
                  fill="none"
                  stroke="currentColor"
                  strokeWidth={1.5}
                />
              </g>
            ))}
            <line
              x1={size.width / 2}
              x2={size.width / 2}
              y1={0}
              y2={size.height}
              stroke="currentColor"
              strokeDasharray="3 4"
              className="text-line"
            />
            {labels.map(({ price, x: at, anchor }) => (
              <text
                key={anchor}
                x={at}
                y={size.height - 6}
                textAnchor={anchor}
                fill="currentColor"
                className="figures text-tiny text-muted"
              >
                {writeDecimal(price, locale, { decimals: Number(market.quotePrecision) })}
              </text>
            ))}
            {pointed !== undefined && (
              <circle
                cx={pointed.x}
                cy={pointed.y}
                r={4}
                fill="currentColor"
                className="text-text"
              />
            )}
          </svg>
        )}
      </div>
    </div>
  );
}

function useSize(box: { readonly current: HTMLElement | null }): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const watch = new ResizeObserver(() =>
      setSize({ width: element.clientWidth, height: element.clientHeight }),
    );
    watch.observe(element);
    return () => watch.disconnect();
  }, [box]);
  return size;
}

function useCurves(size: Size): DepthCurves | undefined {
  const { quotePrecision, basePrecision } = useMarket();
  const { book, onBook } = useMarketFeed();
  const [curves, setCurves] = useState<DepthCurves>();
  useEffect(() => {
    const scale = { price: Number(quotePrecision), volume: Number(basePrecision) };
    const look = () => setCurves(depthCurves(book, scale, size));
    const gate = createGate(REPAINT_MS);
    gate.subscribe(look);
    look();
    const leave = onBook(gate.signal);
    return () => {
      leave();
      gate.close();
    };
  }, [book, onBook, size, quotePrecision, basePrecision]);
  return curves;
}
