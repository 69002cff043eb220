// Markets and the person's own open orders, for the palette. They are asked when it is opened; it does not wait for them.
import { useMemo } from 'react';
import { decimal, Trading, type Order } from '@rialto/sdk';
import { useAsked } from '../../asked/use-asked.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { listMarkets } from '../../together/markets.ts';
import { isOrderId, orderHref } from '../../together/market-channel.ts';
import type { PaletteEntry } from './entries.ts';
import { texts } from './texts.ts';

const ORDERS_MAX = 100;
/** A shorter one is rather a number in a name. */
const ID_LENGTH_MIN = 4;

/** `typed` may be the id of an order that has ended. */
export function useVenueEntries(typed: string): readonly PaletteEntry[] {
  const t = useTexts(texts);
  const locale = useLocale();
  const { csrfToken } = useStore().client.boot;
  const { asked: markets } = useAsked('palette:markets', listMarkets);
  const session = useMemo(
    () => new Trading({ url: location.origin, session: { csrfToken } }),
    [csrfToken],
  );
  const { asked: orders } = useAsked('palette:orders', (signal) =>
    session.order.open({}, { signal }),
  );
  const sought = usePastOrder(typed, session);
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
    const open = orders.state === 'known' ? orders.value.slice(0, ORDERS_MAX) : [];
    const isOpen = open.some(({ orderId }) => orderId === sought?.orderId);
    const own = sought === undefined || isOpen ? open : [sought, ...open];
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
        act: { href: orderHref(order.symbol, order.orderId) },
      })),
    ];
  }, [markets, orders, sought, t, locale]);
}

const NOBODY = Promise.resolve(undefined);

/** The order with this id, if it is one of the person's; people paste ids from receipts and logs. */
function usePastOrder(typed: string, session: Trading): Order | undefined {
  const id = typed.trim().replace(/^\$/u, '');
  const isAsked = isOrderId(id) && id.length >= ID_LENGTH_MIN;
  const { asked } = useAsked(`palette:order:${isAsked ? id : ''}`, (signal) =>
    isAsked ? session.order.get({ orderId: id }, { signal }) : NOBODY,
  );
  return asked.state === 'known' ? asked.value : undefined;
}
