// The figures of one candle, above the chart: of the one under the crosshair, else of the newest.
import { decimal, type Candle } from '@rialto/sdk';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Amount, Change } from '../../ui/amount.tsx';
import type { Interval } from '../address.ts';
import { useMarket } from '../venue/react.ts';
import { openMs } from './candles.ts';
import { texts } from './texts.ts';
import { timeWriters } from './times.ts';

export function Legend({
  candle,
  interval,
}: {
  readonly candle: Candle | undefined;
  readonly interval: Interval;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { quotePrecision, basePrecision, base } = useMarket();
  const price = Number(quotePrecision);
  const figures =
    candle === undefined
      ? []
      : ([
          [t.openShort, t.open, candle.open],
          [t.highShort, t.high, candle.high],
          [t.lowShort, t.low, candle.low],
          [t.closeShort, t.close, candle.close],
        ] as const);
  return (
    <dl className="flex min-h-5 shrink-0 flex-wrap items-baseline gap-x-3 px-3 text-small">
      {candle !== undefined && (
        <div className="text-muted">
          <dt className="sr-only">{t.time}</dt>
          <dd className="figures">{timeWriters(interval, locale).moment(openMs(candle))}</dd>
        </div>
      )}
      {figures.map(([short, name, value]) => (
        <div key={name} className="flex gap-1">
          <dt className="text-muted">
            <abbr title={name} className="no-underline">
              {short}
            </abbr>
          </dt>
          <dd>
            <Amount value={value} decimals={price} />
          </dd>
        </div>
      ))}
      {candle !== undefined && (
        <>
          <div>
            <dt className="sr-only">{t.close}</dt>
            <dd>
              <Change value={changeOf(candle)} />
            </dd>
          </div>
          <div className="flex gap-1">
            <dt className="text-muted">{t.volumeShort}</dt>
            <dd>
              <Amount
                value={candle.volume}
                decimals={Number(basePrecision)}
                unit={base.toUpperCase()}
              />
            </dd>
          </div>
        </>
      )}
    </dl>
  );
}

/** From open to close, in hundredths of open. */
function changeOf({ open, close }: Candle): string {
  if (decimal.isZero(open)) return '0';
  const difference = decimal.subtract(close, open);
  return decimal.divide(decimal.multiply(difference, '100'), open, 2);
}
