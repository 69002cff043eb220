// What a conversation shows of a market: its price in the head, the price at which a message was sent, and a link with its
// price.
import type { MarketDetail } from '@rialto/sdk';
import { useLocale } from '../i18n/locale.tsx';
import { writeDecimal } from '../i18n/number.ts';
import { useTexts } from '../i18n/texts.ts';
import { Amount, Change } from '../ui/amount.tsx';
import { useFigures, useMarketOf, usePriceAt } from './markets.ts';
import { texts } from './texts.ts';

const pairOf = ({ base, quote }: MarketDetail): string =>
  `${base.toUpperCase()}/${quote.toUpperCase()}`;
const decimalsOf = ({ quotePrecision }: MarketDetail): number => Number(quotePrecision);

/** In the head of the market's channel: the way to its chart. Nothing where there is no such market. */
export function MarketPrice({ symbol }: { readonly symbol: string }) {
  const market = useMarketOf(symbol);
  return market === undefined ? null : <PriceLink market={market} />;
}

function PriceLink({ market }: { readonly market: MarketDetail }) {
  const t = useTexts(texts);
  const figures = useFigures(market.symbol);
  return (
    <a
      href={`/trade/${market.symbol}`}
      title={t.trade({ pair: pairOf(market) })}
      className="flex min-h-9 shrink-0 items-center gap-2 rounded-control px-2 text-small hover:bg-hover max-tablet:min-h-row"
    >
      {figures === undefined || figures.last === '' ? (
        <bdi dir="ltr">{pairOf(market)}</bdi>
      ) : (
        <>
          <span className="sr-only">{t.trade({ pair: pairOf(market) })}</span>
          <Amount value={figures.last} decimals={decimalsOf(market)} className="font-semibold" />
          <span className="max-tablet:hidden">
            <Change value={figures.changePercent === '' ? '0' : figures.changePercent} />
          </span>
        </>
      )}
    </a>
  );
}

/** Beside the time of a message. */
export function MessagePrice({ symbol, atMs }: { readonly symbol: string; readonly atMs: number }) {
  const market = useMarketOf(symbol);
  return market === undefined ? null : <PriceThen market={market} atMs={atMs} />;
}

function PriceThen({ market, atMs }: { readonly market: MarketDetail; readonly atMs: number }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const price = usePriceAt(market.symbol, atMs);
  if (price === undefined) return null;
  const decimals = decimalsOf(market);
  const shown = writeDecimal(price, locale, { decimals });
  return (
    <span
      data-price-then={price}
      title={t.atSend({ pair: pairOf(market), price: shown })}
      className="ms-auto shrink-0 text-small text-muted max-tablet:hidden"
    >
      <Amount value={price} decimals={decimals} unit={market.quote.toUpperCase()} />
    </span>
  );
}

/** A link to a market of ours, with what it costs now. */
export function MarketFigures({ symbol }: { readonly symbol: string }) {
  const market = useMarketOf(symbol);
  return market === undefined ? null : <LinkFigures market={market} />;
}

function LinkFigures({ market }: { readonly market: MarketDetail }) {
  const figures = useFigures(market.symbol);
  if (figures === undefined || figures.last === '') return null;
  return (
    <span
      data-market-figures={market.symbol}
      className="mx-1 inline-flex items-center gap-1.5 rounded-small border border-line bg-panel px-1.5 align-baseline text-small"
    >
      <Amount
        value={figures.last}
        decimals={decimalsOf(market)}
        unit={market.quote.toUpperCase()}
      />
      <Change value={figures.changePercent === '' ? '0' : figures.changePercent} />
    </span>
  );
}
