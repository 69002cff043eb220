// Says that an order of the account was filled: on the page, on the system while the page is in the background, and with a
// sound for those who want one.
import type { Order } from '@rialto/sdk';
import { useEffect, useRef } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useLooks } from '../../settings/looks.tsx';
import { chime } from '../../ui/chime.ts';
import { useToasts } from '../../ui/toasts-context.tsx';
import { useVenue } from '../venue/react.ts';
import { nameOf, useMarkets } from './cells.tsx';
import { watchFilled } from './filled.ts';
import { accountOf } from './react.ts';
import { texts } from './texts.ts';

export function FillNews() {
  const { isSignedIn } = useVenue();
  return isSignedIn ? <News /> : null;
}

function News() {
  const t = useTexts(texts);
  const locale = useLocale();
  const markets = useMarkets();
  const toasts = useToasts();
  const venue = useVenue();
  const { tellsFills, soundsFills } = useLooks().preferences;
  const tell = (order: Order): void => {
    if (soundsFills) chime();
    if (!tellsFills) return;
    const number = (value: string) => `\u2068${writeDecimal(value, locale)}\u2069`;
    const price = order.averagePrice === '' ? '' : ` @ ${number(order.averagePrice)}`;
    const what = `${number(order.filledVolume)}${price}`;
    const market = `\u2068${nameOf(order.symbol, markets)}\u2069`;
    const text = t.filledNews({ side: t[order.side], what, market });
    toasts.show({ tone: 'success', text });
    if (document.hidden) showOnSystem(order, text);
  };
  // What is said follows the latest choices; what is listened to does not begin anew with them.
  const latest = useRef(tell);
  useEffect(() => {
    latest.current = tell;
  });
  useEffect(() => accountOf(venue).onOrder(watchFilled((order) => latest.current(order))), [venue]);
  return null;
}

/** Only where notices were allowed in the settings: nobody is asked in the middle of a trade. */
function showOnSystem({ orderId, symbol }: Order, body: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  navigator.serviceWorker?.ready
    .then((worker) =>
      worker.showNotification(document.title, {
        body,
        tag: `order ${orderId}`,
        data: { path: `/trade/${symbol}` },
      }),
    )
    .catch(() => undefined);
}
