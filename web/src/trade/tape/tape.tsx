// The trades of the market as they happen. Sign, arrow and colour say who took: a buyer or a seller.
import type { PublicTrade } from '@rialto/sdk';
import { memo, useEffect, useState } from 'react';
import { writeTime, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { pairOf } from '../pair.ts';
import { createGate } from '../venue/gate.ts';
import { useMarket, useVenue } from '../venue/react.ts';
import { texts } from './texts.ts';
import { mergeTrades } from './trades.ts';

const REPAINT_MS = 100;

/** Undefined until the first have come. */
function useTrades(symbol: string): readonly PublicTrade[] | undefined {
  const { streams } = useVenue();
  const [trades, setTrades] = useState<readonly PublicTrade[]>();
  useEffect(() => {
    let known: readonly PublicTrade[] = [];
    const gate = createGate(REPAINT_MS);
    gate.subscribe(() => setTrades(known));
    const following = streams.subscribe(`trades:${symbol}`, (event) => {
      if (event.type !== 'snapshot' && event.type !== 'update') return;
      // A snapshot after a cut may have a gap before it; what is older goes.
      known = mergeTrades(event.type === 'snapshot' ? [] : known, event.data);
      gate.signal();
    });
    return () => {
      following.close();
      gate.close();
    };
  }, [streams, symbol]);
  return trades;
}

export function Tape() {
  const t = useTexts(texts);
  const market = useMarket();
  const trades = useTrades(market.symbol);
  const head =
    'sticky top-0 h-6 bg-panel px-1 text-end rtl:text-start text-tiny font-normal whitespace-nowrap text-muted';
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <h2 className="flex h-9 shrink-0 items-center ps-4 font-semibold">{t.title}</h2>
      <div
        // A box that scrolls has to be reached by keys.
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="region"
        aria-label={t.list({ market: pairOf(market) })}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 -outline-offset-2!"
      >
        {trades?.length === 0 ? (
          <p className="px-2 py-3 text-muted">{t.none}</p>
        ) : (
          <table className="w-full text-small">
            <thead>
              <tr>
                <th scope="col" className={head}>
                  {t.price({ unit: market.quote.toUpperCase() })}
                </th>
                <th scope="col" className={head}>
                  {t.size({ unit: market.base.toUpperCase() })}
                </th>
                <th scope="col" className={head}>
                  {t.time}
                </th>
              </tr>
            </thead>
            <tbody>
              {trades?.map((trade) => (
                <Row
                  key={trade.tradeId}
                  trade={trade}
                  priceDecimals={Number(market.quotePrecision)}
                  volumeDecimals={Number(market.basePrecision)}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </div>
  );
}

const Row = memo(function Row({
  trade: { takerSide, price, volume, time },
  priceDecimals,
  volumeDecimals,
}: {
  readonly trade: PublicTrade;
  readonly priceDecimals: number;
  readonly volumeDecimals: number;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const isUp = takerSide === 'buy';
  const at = Number(time);
  const cell = 'h-6 px-1 text-end whitespace-nowrap rtl:text-start';
  return (
    <tr>
      <td className={classes(cell, isUp ? 'text-up' : 'text-down')}>
        <Icon
          name={isUp ? 'triangleUp' : 'triangleDown'}
          label={isUp ? t.bought : t.sold}
          className="me-1 inline size-3"
        />
        <Amount value={price} decimals={priceDecimals} className="*:text-inherit" />
      </td>
      <td className={cell}>
        <Amount value={volume} decimals={volumeDecimals} />
      </td>
      <td className={cell}>
        <time
          dateTime={new Date(at).toISOString()}
          title={writeUtc(at)}
          className="figures text-muted"
        >
          {writeTime(at, locale, { hasSeconds: true })}
        </time>
      </td>
    </tr>
  );
});
