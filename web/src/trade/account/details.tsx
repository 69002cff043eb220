// Everything about one order.
import type { Order } from '@rialto/sdk';
import type { ReactNode } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Line } from '../form/summary.tsx';
import { orderState } from '../intents/words.ts';
import { useVenue } from '../venue/react.ts';
import { KindWord, nameOf, PriceCell, SideWord, SizeCell, Trigger, useMarkets } from './cells.tsx';
import { FillTable } from './fills.tsx';
import { texts } from './texts.ts';

export default function Details({
  order,
  onClose,
}: {
  readonly order: Order;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const markets = useMarkets();
  const market = markets.get(order.symbol);
  const receipt = new URLSearchParams({ clientOrderId: order.clientOrderId });
  return (
    <Dialog
      title={t.orderTitle({ id: order.orderId })}
      size="large"
      isOpen
      onOpenChange={(isOpen) => !isOpen && onClose()}
    >
      <div className="flex flex-col gap-4">
        <dl className="grid gap-x-8 gap-y-1 tablet:grid-cols-2">
          <Line name={t.market}>
            <bdi dir="ltr">{nameOf(order.symbol, markets)}</bdi>
          </Line>
          <Line name={t.state}>{orderState(order, locale)}</Line>
          <Line name={t.side}>
            <SideWord side={order.side} />
          </Line>
          <Line name={t.type}>
            <KindWord order={order} />
          </Line>
          <Line name={t.price}>
            <PriceCell order={order} />
          </Line>
          <Line name={t.amount}>
            <SizeCell order={order} quote={market?.quote} />
          </Line>
          <Line name={t.filled}>
            <Amount value={order.filledVolume} unit={market?.base.toUpperCase()} />
          </Line>
          <Line name={t.remaining}>
            <Amount value={order.remainingVolume || '0'} unit={market?.base.toUpperCase()} />
          </Line>
          {order.averagePrice !== '' && (
            <Line name={t.average}>
              <Amount value={order.averagePrice} />
            </Line>
          )}
          <Line name={t.fee}>
            <Amount value={order.fee} unit={order.feeCurrency.toUpperCase()} />
          </Line>
          {(order.stopPrice !== '' || order.trailingDelta !== '') && (
            <Line name={t.trigger}>
              <Trigger order={order} />
            </Line>
          )}
          {order.visibleVolume !== '' && (
            <Line name={t.visible}>
              <Amount value={order.visibleVolume} />
            </Line>
          )}
          {order.timeInForce !== '' && <Line name={t.timeInForce}>{order.timeInForce}</Line>}
          <Id name={t.orderId} id={order.orderId} />
          <Id name={t.clientOrderId} id={order.clientOrderId} />
          <Id name={t.listId} id={order.orderListId} />
          <Moment name={t.createdAt} at={order.createdAt} />
          <Moment name={t.updatedAt} at={order.updatedAt} />
          <Moment name={t.lastTradeAt} at={order.lastTradeAt} />
          <Moment name={t.triggeredAt} at={order.triggeredAt} />
          <Moment name={t.expireTime} at={order.expireTime} />
        </dl>
        {order.clientOrderId !== '' && (
          <p className="flex flex-wrap items-center gap-3">
            <LinkButton size="small" icon="file" href={`/json/v1/private/order/receipt?${receipt}`}>
              {t.receipt}
            </LinkButton>
            <span className="text-small text-muted">{t.receiptNote}</span>
          </p>
        )}
        <Trades order={order} />
      </div>
    </Dialog>
  );
}

function Id({ name, id }: { readonly name: string; readonly id: string }) {
  if (id === '') return null;
  return (
    <Line name={name}>
      <span className="inline-flex max-w-full items-center gap-1">
        <bdi dir="ltr" className="min-w-0 font-mono text-small break-all">
          {id}
        </bdi>
        <CopyButton text={id} />
      </span>
    </Line>
  );
}

function Moment({ name, at }: { readonly name: string; readonly at: string }): ReactNode {
  if (at === '') return null;
  return (
    <Line name={name}>
      <bdi dir="ltr" className="figures">
        {writeUtc(Number(at))}
      </bdi>
    </Line>
  );
}

function Trades({ order: { orderId, engineSeq, filledVolume } }: { readonly order: Order }) {
  const t = useTexts(texts);
  const { trading } = useVenue();
  const { asked, again } = useAsked(`order ${orderId} ${engineSeq}`, (signal) =>
    trading.order.trades({ orderId, limit: 100 }, { signal }),
  );
  if (/^[0.]*$/u.test(filledVolume)) return null;
  if (asked.state === 'failed')
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  if (asked.state === 'asking') return null;
  return (
    <section aria-label={t.trades} className="flex flex-col gap-2">
      <h3 className="text-small font-semibold text-muted">{t.trades}</h3>
      <FillTable fills={asked.value.items} />
    </section>
  );
}
