// The account's own trades, with fee and whether the order rested or took.
import type { MyTrade } from '@rialto/sdk';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { useVenue } from '../venue/react.ts';
import { nameOf, SideWord, useMarkets, When } from './cells.tsx';
import { merge, Pages } from './pages.tsx';
import { useFills } from './react.ts';
import { texts } from './texts.ts';

const PAGE = 50;
const NONE: readonly MyTrade[] = [];

export function FillTable({ fills }: { readonly fills: readonly MyTrade[] }) {
  const t = useTexts(texts);
  const markets = useMarkets();
  const columns: readonly Column<MyTrade>[] = [
    { id: 'time', title: t.time, isRowTitle: true, cell: (fill) => <When at={fill.time} /> },
    {
      id: 'market',
      title: t.market,
      cell: (fill) => <bdi dir="ltr">{nameOf(fill.symbol, markets)}</bdi>,
    },
    { id: 'side', title: t.side, cell: (fill) => <SideWord side={fill.side} /> },
    { id: 'price', title: t.price, isNumber: true, cell: (fill) => <Amount value={fill.price} /> },
    {
      id: 'amount',
      title: t.amount,
      isNumber: true,
      cell: (fill) => <Amount value={fill.volume} />,
    },
    { id: 'total', title: t.total, isNumber: true, cell: (fill) => <Amount value={fill.total} /> },
    {
      id: 'fee',
      title: t.fee,
      isNumber: true,
      cell: (fill) => <Amount value={fill.fee} unit={fill.feeCurrency.toUpperCase()} />,
    },
    {
      id: 'liquidity',
      title: t.liquidity,
      cell: (fill) => (fill.isMaker ? t.maker : t.taker),
    },
  ];
  return (
    <Table
      label={t.fills}
      columns={columns}
      rows={fills}
      keyOf={({ tradeId, orderId }) => `${tradeId} ${orderId}`}
    />
  );
}

export function Fills({ symbol }: { readonly symbol: string | undefined }) {
  const t = useTexts(texts);
  const { trading } = useVenue();
  const live = useFills() ?? NONE;
  return (
    <Pages<MyTrade>
      name={`fills ${symbol ?? ''}`}
      ask={(cursor, signal) =>
        trading.order.trades(
          { limit: PAGE, ...(symbol && { symbol }), ...(cursor && { cursor }) },
          { signal },
        )
      }
    >
      {(items, isFirst) => {
        const here = live.filter((fill) => symbol === undefined || fill.symbol === symbol);
        const all = isFirst ? merge(here, items, ({ tradeId }) => tradeId) : items;
        return all.length === 0 ? (
          <EmptyState icon="trade">{t.noFills}</EmptyState>
        ) : (
          <FillTable fills={all} />
        );
      }}
    </Pages>
  );
}
