// A link to an order, with what it is and how far it came. Only its owner gets an answer; for everybody else the link stays a
// link.
import { decimal, type Order } from '@rialto/sdk';
import { useEffect } from 'react';
import { tradingWith } from '../api/trading.ts';
import { useAsked, type Asking } from '../asked/use-asked.ts';
import { useLocale } from '../i18n/locale.tsx';
import { writeDecimal } from '../i18n/number.ts';
import { useTexts } from '../i18n/texts.ts';
import { isFinal } from '../trade/account/orders.ts';
import { orderState } from '../trade/intents/words.ts';
import { Icon } from '../ui/icon.tsx';
import { useMarketOf } from './markets.ts';
import { texts } from './texts.ts';

const AGAIN_MS = 15_000;

/** An order of the person who is signed in, asked again until it has ended. */
export function useOrder(orderId: string): Pick<Asking<Order>, 'asked'> {
  const { asked, again } = useAsked(`together:order:${orderId}`, (signal) =>
    tradingWith(location.origin, undefined).order.get({ orderId }, { signal }),
  );
  const mayChange = asked.state === 'known' && !isFinal(asked.value);
  useEffect(() => {
    if (!mayChange) return;
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') again();
    }, AGAIN_MS);
    return () => clearInterval(timer);
  }, [mayChange, again]);
  return { asked };
}

export function OrderCard({ orderId }: { readonly orderId: string }) {
  const { asked } = useOrder(orderId);
  if (asked.state !== 'known') return null;
  return (
    <span
      data-order-card={orderId}
      className="mx-1 inline-flex max-w-full flex-wrap items-center gap-x-2 rounded-small border border-line bg-panel px-1.5 align-baseline text-small"
    >
      <OrderSummary order={asked.value} />
    </span>
  );
}

/** Side, size, market and price in one line, and then its state. */
export function OrderSummary({ order }: { readonly order: Order }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const market = useMarketOf(order.symbol);
  const pair =
    market === undefined
      ? order.symbol.toUpperCase()
      : `${market.base.toUpperCase()}/${market.quote.toUpperCase()}`;
  // Without the zeros that only fill up.
  const figure = (exact: string) => writeDecimal(decimal.add(exact, '0'), locale);
  const isolated = (text: string) => `\u2066${text}\u2069`;
  const isBuy = order.side === 'buy';
  const what = {
    pair: isolated(pair),
    volume: isolated(figure(order.volume === '' ? order.filledVolume : order.volume)),
    price: order.price === '' ? '' : isolated(figure(order.price)),
  };
  return (
    <>
      <span className={isBuy ? 'text-up' : 'text-down'}>
        <Icon
          name={isBuy ? 'triangleUp' : 'triangleDown'}
          className="me-1 inline size-3.5 align-[-2px]"
        />
        {isBuy ? t.buy(what) : t.sell(what)}
      </span>
      <span className="text-muted">{orderState(order, locale)}</span>
    </>
  );
}
