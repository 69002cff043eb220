// Cells that several tables of the account share.
import type { MarketDetail, Order } from '@rialto/sdk';
import { useEffect, useState } from 'react';
import { writeRecent, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { percentSign, writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { Icon } from '../../ui/icon.tsx';
import { texts as formTexts } from '../form/texts.ts';
import { useVenue } from '../venue/react.ts';
import { texts } from './texts.ts';

/** Local time; the exact moment is its title. */
export function When({ at }: { readonly at: string }) {
  const locale = useLocale();
  const ms = Number(at);
  return (
    <time dateTime={new Date(ms).toISOString()} title={writeUtc(ms)} className="figures">
      {writeRecent(ms, Date.now(), locale)}
    </time>
  );
}

/** Arrow, word and colour say the same. */
export function SideWord({ side }: { readonly side: 'buy' | 'sell' }) {
  const t = useTexts(texts);
  return (
    <span
      className={`inline-flex items-center gap-1 align-middle ${side === 'buy' ? 'text-up' : 'text-down'}`}
    >
      <Icon name={side === 'buy' ? 'triangleUp' : 'triangleDown'} className="size-3.5" />
      {t[side]}
    </span>
  );
}

export function KindWord({ order }: { readonly order: Pick<Order, 'type'> }) {
  const t = useTexts(formTexts);
  return t[order.type];
}

/** Every market with its rules; empty until they have come. */
export function useMarkets(): ReadonlyMap<string, MarketDetail> {
  const venue = useVenue();
  const [markets, setMarkets] = useState<ReadonlyMap<string, MarketDetail>>(NONE);
  useEffect(() => {
    let isHere = true;
    venue.markets().then(
      (all) => isHere && setMarkets(all),
      () => undefined,
    );
    return () => {
      isHere = false;
    };
  }, [venue]);
  return markets;
}

const NONE: ReadonlyMap<string, MarketDetail> = new Map();

/** "BTC/USDT"; the bare symbol until the market is known. */
export function nameOf(symbol: string, markets: ReadonlyMap<string, MarketDetail>): string {
  const market = markets.get(symbol);
  return market === undefined
    ? symbol.toUpperCase()
    : `${market.base.toUpperCase()}/${market.quote.toUpperCase()}`;
}

/** What a conditional order waits for. */
export function Trigger({ order }: { readonly order: Order }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { stopPrice, trailingDelta } = order;
  if (stopPrice === '' && trailingDelta === '') return null;
  return (
    <span className="inline-flex flex-wrap items-center justify-end gap-x-1.5">
      {stopPrice !== '' && <Amount value={stopPrice} />}
      {trailingDelta !== '' && (
        <span className="text-small text-muted">
          {t.trailing({ percent: `\u2068${hundredth(trailingDelta, locale)}\u2069` })}
        </span>
      )}
    </span>
  );
}

/** Basis points as a percentage. */
function hundredth(points: string, locale: Parameters<typeof writeDecimal>[1]): string {
  const text = points.padStart(3, '0');
  const percent = `${text.slice(0, -2)}.${text.slice(-2)}`;
  return `${writeDecimal(percent, locale, { decimals: 2 })}${percentSign(locale)}`;
}

/** The limit, or that it trades at the market. */
export function PriceCell({ order }: { readonly order: Order }) {
  const t = useTexts(texts);
  return order.price === '' ? (
    <span className="text-muted">{t.marketPrice}</span>
  ) : (
    <Amount value={order.price} />
  );
}

/** The volume that was asked for; of a buy by total, the total with its coin. */
export function SizeCell({
  order,
  quote,
}: {
  readonly order: Order;
  readonly quote: string | undefined;
}) {
  return order.volume === '' ? (
    <Amount value={order.total} unit={quote?.toUpperCase()} />
  ) : (
    <Amount value={order.volume} />
  );
}
