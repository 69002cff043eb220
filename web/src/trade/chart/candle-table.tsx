// The same candles as a table, for whoever cannot read a picture.
import type { Candle } from '@rialto/sdk';
import { useLocale } from '../../i18n/locale.tsx';
import { writeUtc } from '../../i18n/date.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import type { Interval } from '../address.ts';
import { useMarket } from '../venue/react.ts';
import { openMs } from './candles.ts';
import { texts } from './texts.ts';
import { timeWriters } from './times.ts';

const ROWS = 200;

export function CandleTable({
  candles,
  interval,
  label,
}: {
  readonly candles: readonly Candle[];
  readonly interval: Interval;
  readonly label: string;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { quotePrecision, basePrecision } = useMarket();
  const price = Number(quotePrecision);
  const { moment } = timeWriters(interval, locale);
  const side = 'px-2 text-end rtl:text-start';
  return (
    <div
      // A box that scrolls has to be reached by keys.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      role="region"
      aria-label={label}
      className="min-h-0 flex-1 overflow-auto overscroll-contain px-2 -outline-offset-2!"
    >
      <table className="w-full text-small">
        <thead className="sticky top-0 bg-panel text-muted">
          <tr>
            <th scope="col" className="h-7 px-2 text-start font-normal">
              {t.time}
            </th>
            {[t.open, t.high, t.low, t.close, t.volume].map((name) => (
              <th key={name} scope="col" className={`h-7 font-normal ${side}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {candles
            .slice(-ROWS)
            .reverse()
            .map((candle) => (
              <tr key={candle.time} data-time={candle.time}>
                <th
                  scope="row"
                  title={writeUtc(openMs(candle))}
                  className="figures h-6 px-2 text-start font-normal whitespace-nowrap"
                >
                  {moment(openMs(candle))}
                </th>
                {[candle.open, candle.high, candle.low, candle.close].map((value, at) => (
                  // The four differ by their place alone.
                  <td key={at} className={side}>
                    <Amount value={value} decimals={price} />
                  </td>
                ))}
                <td className={side}>
                  <Amount value={candle.volume} decimals={Number(basePrecision)} />
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}
