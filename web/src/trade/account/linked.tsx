// The order that a link led to: what it is, above the tables, whichever of them it is in.
import { decimal, type Order } from '@rialto/sdk';
import { useTexts } from '../../i18n/texts.ts';
import { OrderSummary, useOrder } from '../../together/order-card.tsx';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { useAccount } from './react.ts';
import { texts } from './texts.ts';

export interface Linked {
  readonly orderId: string;
  readonly onClose: () => void;
}

export function LinkedOrder({
  orderId,
  onClose,
  onDetails,
}: Linked & { readonly onDetails: (order: Order) => void }) {
  const t = useTexts(texts);
  const { asked } = useOrder(orderId);
  const live = useLive(orderId);
  if (asked.state === 'asking') return null;
  const order = asked.state === 'known' ? newerOf(asked.value, live) : live;
  return (
    <p
      data-linked-order={orderId}
      className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-control border border-accent bg-selected px-3 py-1"
    >
      {order === undefined ? (
        <span className="min-w-0 flex-1">{t.notYours({ id: `\u2066${orderId}\u2069` })}</span>
      ) : (
        <>
          <span className="font-medium">{t.orderTitle({ id: `\u2066${orderId}\u2069` })}</span>
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3">
            <OrderSummary order={order} />
          </span>
          <Button size="small" onPress={() => onDetails(order)}>
            {t.showDetails}
          </Button>
        </>
      )}
      <IconButton icon="close" size="small" label={t.closeLinked} onPress={onClose} />
    </p>
  );
}

/** As the streams have it, which are ahead of every answer. */
function useLive(orderId: string): Order | undefined {
  const { open = [], ended } = useAccount();
  return [...open, ...ended].find((order) => order.orderId === orderId);
}

const newerOf = (answered: Order, live: Order | undefined): Order =>
  live !== undefined && decimal.compare(live.engineSeq, answered.engineSeq) > 0 ? live : answered;
