import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { useHidesAmounts } from '../hidden.tsx';
import { pathOf, rangeOf, thin, type Point } from './series.ts';
import { texts } from './texts.ts';

const SIZE = { width: 1000, height: 200 };
const SLICES = 400;

/** Time runs from left to right in every language, so the drawing is not mirrored. */
export function Line({
  coin,
  points,
}: {
  readonly coin: string;
  readonly points: readonly Point[];
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (useHidesAmounts()) return <p className="text-muted">{t.hiddenDrawing}</p>;
  const shown = thin(points, SLICES);
  const range = rangeOf(points);
  const path = pathOf(shown, range, SIZE);
  const first = points[0];
  const last = points.at(-1);
  if (first === undefined || last === undefined) return null;
  const middle = (first.atMs + last.atMs) / 2;
  const unit = coin.toUpperCase();
  return (
    <figure dir="ltr" data-no-mirror className="flex flex-col gap-1">
      <Amount value={range.high} unit={unit} className="text-small text-muted" />
      <svg
        role="img"
        aria-label={t.drawing({
          coin: unit,
          from: writeDate(first.atMs, locale),
          to: writeDate(last.atMs, locale),
          first: writeDecimal(first.total, locale),
          last: writeDecimal(last.total, locale),
        })}
        viewBox={`0 -4 ${SIZE.width} ${SIZE.height + 8}`}
        preserveAspectRatio="none"
        className="h-44 w-full border-y border-line text-accent"
      >
        <path d={`${path}V${SIZE.height}H0Z`} className="fill-current opacity-10" stroke="none" />
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth={2}
          strokeLinejoin="round"
          vectorEffect="non-scaling-stroke"
        />
      </svg>
      {range.low !== range.high && (
        <Amount value={range.low} unit={unit} className="text-small text-muted" />
      )}
      <figcaption className="flex justify-between gap-2 text-small text-muted">
        {[first.atMs, middle, last.atMs].map((at) => (
          <bdi key={at}>{writeDate(at, locale)}</bdi>
        ))}
      </figcaption>
    </figure>
  );
}
