// Asks before an order, a list or all orders of a market are canceled.
import type { MarketDetail, Order } from '@rialto/sdk';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useAnnouncer } from '../../ui/announcer.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { texts as formTexts } from '../form/texts.ts';
import { useVenue } from '../venue/react.ts';
import { nameOf } from './cells.tsx';
import { accountOf } from './react.ts';
import { texts } from './texts.ts';

export type Asked =
  | { readonly kind: 'order'; readonly order: Order }
  | { readonly kind: 'all'; readonly symbol: string; readonly count: number };

export default function AskDialog({
  asked,
  markets,
  onClose,
}: {
  readonly asked: Asked;
  readonly markets: ReadonlyMap<string, MarketDetail>;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const form = useTexts(formTexts);
  const locale = useLocale();
  const venue = useVenue();
  const announcer = useAnnouncer();
  const cancel = useAct(async () => {
    const { order, orderList } = venue.trading;
    const { take } = accountOf(venue);
    if (asked.kind === 'all') {
      const { canceledCount } = await order.cancelAll({ symbol: asked.symbol });
      announcer.say(t.canceledAll({ count: Number(canceledCount) }));
    } else if (asked.order.orderListId !== '') {
      const list = await orderList.cancel({ orderListId: asked.order.orderListId });
      take(list.orders);
      announcer.say(t.canceled);
    } else {
      take([await order.cancel({ orderId: asked.order.orderId })]);
      announcer.say(t.canceled);
    }
    onClose();
  });
  const common = {
    isOpen: true,
    onOpenChange: (isOpen: boolean) => !isOpen && onClose(),
    onConfirm: () => void cancel.run(),
    isPending: cancel.isRunning,
  };
  const failure = <FailureNotice what={t.notCanceled} error={cancel.error} />;
  if (asked.kind === 'all') {
    const market = nameOf(asked.symbol, markets);
    return (
      <ConfirmDialog {...common} title={t.cancelAllTitle({ market })} act={t.cancelAll({ market })}>
        {failure}
        {t.cancelAllWhat({ count: asked.count })}
      </ConfirmDialog>
    );
  }
  const { order } = asked;
  const isList = order.orderListId !== '';
  const number = (value: string) => `\u2068${writeDecimal(value, locale)}\u2069`;
  const what = [
    t[order.side],
    form[order.type],
    number(order.volume === '' ? order.total : order.volume),
    order.price === '' ? '' : `@ ${number(order.price)}`,
    nameOf(order.symbol, markets),
  ]
    .filter((part) => part !== '')
    .join(' ');
  return (
    <ConfirmDialog
      {...common}
      title={isList ? t.cancelListTitle : t.cancelTitle}
      act={isList ? t.cancelList : t.cancel}
    >
      {failure}
      {t.cancelWhat({ order: what })}
    </ConfirmDialog>
  );
}
