// Orders that have ended, with their last state and its reason.
import type { Order } from '@rialto/sdk';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { orderState } from '../intents/words.ts';
import { useVenue } from '../venue/react.ts';
import { KindWord, nameOf, PriceCell, SideWord, SizeCell, useMarkets, When } from './cells.tsx';
import { isFinal } from './orders.ts';
import { merge, Pages } from './pages.tsx';
import { useAccount } from './react.ts';
import { texts } from './texts.ts';

const PAGE = 50;

export function History({
  symbol,
  marked,
  onDetails,
}: {
  readonly symbol: string | undefined;
  /** The order that a link led to. */
  readonly marked: string | undefined;
  readonly onDetails: (order: Order) => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { trading } = useVenue();
  const markets = useMarkets();
  const { ended } = useAccount();
  const columns: (Column<Order> | false)[] = [
    {
      id: 'time',
      title: t.time,
      isRowTitle: true,
      cell: (order) => (
        <Button variant="quiet" size="small" className="-ms-2.5" onPress={() => onDetails(order)}>
          <When at={order.updatedAt} />
          <span className="sr-only"> {t.details({ id: order.orderId })}</span>
        </Button>
      ),
    },
    symbol === undefined && {
      id: 'market',
      title: t.market,
      cell: (order) => <bdi dir="ltr">{nameOf(order.symbol, markets)}</bdi>,
    },
    {
      id: 'side',
      title: t.side,
      cell: (order) => (
        <span className="inline-flex items-center gap-2">
          <SideWord side={order.side} />
          <span className="text-muted">
            <KindWord order={order} />
          </span>
        </span>
      ),
    },
    { id: 'price', title: t.price, isNumber: true, cell: (order) => <PriceCell order={order} /> },
    {
      id: 'average',
      title: t.average,
      isNumber: true,
      cell: (order) => order.averagePrice !== '' && <Amount value={order.averagePrice} />,
    },
    {
      id: 'amount',
      title: t.amount,
      isNumber: true,
      cell: (order) => <SizeCell order={order} quote={markets.get(order.symbol)?.quote} />,
    },
    {
      id: 'filled',
      title: t.filled,
      isNumber: true,
      cell: (order) => <Amount value={order.filledVolume} />,
    },
    { id: 'state', title: t.state, cell: (order) => orderState(order, locale) },
  ];
  const isHere = (order: Order) => symbol === undefined || order.symbol === symbol;
  return (
    <Pages<Order>
      name={`orders ${symbol ?? ''}`}
      ask={(cursor, signal) =>
        trading.order.history(
          { limit: PAGE, ...(symbol && { symbol }), ...(cursor && { cursor }) },
          { signal },
        )
      }
    >
      {(items, isFirst) => {
        const past = items.filter(isFinal);
        const all = isFirst ? merge(ended.filter(isHere), past, ({ orderId }) => orderId) : past;
        return all.length === 0 ? (
          <EmptyState icon="clock">{t.noHistory}</EmptyState>
        ) : (
          <Table
            label={t.history}
            columns={columns.filter((column) => column !== false)}
            rows={all}
            keyOf={({ orderId }) => orderId}
            isMarked={({ orderId }) => orderId === marked}
          />
        );
      }}
    </Pages>
  );
}
