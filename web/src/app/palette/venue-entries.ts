// Markets and the person's own open orders, for the palette. They are asked when it is opened; it does not wait for them.
import { useMemo } from 'react';
import { decimal, Trading, type Order } from '@rialto/sdk';
import { useAsked } from '../../asked/use-asked.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { listMarkets } from '../../together/markets.ts';
import type { PaletteEntry } from './entries.ts';
import { texts } from './texts.ts';

const ORDERS_MAX = 100;

export function useVenueEntries(): readonly PaletteEntry[] {
  const t = useTexts(texts);
  const locale = useLocale();
  const { csrfToken } = useStore().client.boot;
  const { asked: markets } = useAsked('palette:markets', listMarkets);
  const { asked: orders } = useAsked('palette:orders', (signal) =>
    new Trading({ url: location.origin, session: { csrfToken } }).order.open({}, { signal }),
  );
  return useMemo(() => {
    const known = markets.state === 'known' ? markets.value : [];
    const pairOf = new Map(known.map(({ symbol, pair }) => [symbol, pair]));
    // Without the zeros that only fill up: people type an amount without them.
    const figure = (exact: string) => writeDecimal(decimal.add(exact, '0'), locale);
    const nameOf = ({ side, volume, price, symbol }: Order): string => {
      const pair = pairOf.get(symbol) ?? symbol.toUpperCase();
      const what = { pair, volume: figure(volume), price: price === '' ? '' : figure(price) };
      return side === 'buy' ? t.buyOrder(what) : t.sellOrder(what);
    };
    // Somebody without an account in trading has no orders: that is no failure here.
    const own = orders.state === 'known' ? orders.value.slice(0, ORDERS_MAX) : [];
    return [
      ...known.map(({ symbol, pair, words }): PaletteEntry => ({
        id: `market:${symbol}`,
        kind: 'market',
        name: pair,
        detail: words.slice(1).join(' · '),
        words,
        icon: 'chart',
        act: { href: `/trade/${symbol}` },
      })),
      ...own.map((order): PaletteEntry => ({
        id: `order:${order.orderId}`,
        kind: 'order',
        name: nameOf(order),
        detail: order.orderId,
        words: [order.orderId, order.clientOrderId, order.symbol],
        icon: 'list',
        act: { href: `/trade/${order.symbol}` },
      })),
    ];
  }, [markets, orders, t, locale]);
}
