import { useState } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Amount, Change } from '../amount.tsx';
import { Badge } from '../badge.tsx';
import { EmptyState } from '../empty-state.tsx';
import { Table, type Sorting } from '../table.tsx';
import { Tabs } from '../tabs.tsx';
import { Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    parts: 'Orders and balances',
    markets: 'Markets',
    orders: 'Open orders',
    history: 'History',
    noOrders: 'No open orders. Place one with the form, or press B.',
    market: 'Market',
    price: 'Last price',
    change: '24 h change',
    volume: '24 h volume',
    state: 'State',
    open: 'Open',
    halted: 'Halted',
  },
  fa: {
    parts: 'سفارش‌ها و موجودی‌ها',
    markets: 'بازارها',
    orders: 'سفارش‌های باز',
    history: 'تاریخچه',
    noOrders: 'سفارش بازی ندارید. با فرم سفارش بگذارید یا کلید B را بزنید.',
    market: 'بازار',
    price: 'آخرین قیمت',
    change: 'تغییر ۲۴ ساعت',
    volume: 'حجم ۲۴ ساعت',
    state: 'وضعیت',
    open: 'باز',
    halted: 'متوقف',
  },
});

interface Market {
  readonly symbol: string;
  readonly price: string;
  readonly change: string;
  readonly volume: string;
  readonly isHalted: boolean;
}

const markets: readonly Market[] = [
  { symbol: 'BTC/USDT', price: '64210.5', change: '1.24', volume: '1284.512', isHalted: false },
  { symbol: 'ETH/USDT', price: '3104.07', change: '-0.87', volume: '20411.9', isHalted: false },
  { symbol: 'TON/USDT', price: '5.2', change: '0', volume: '88120', isHalted: true },
];

type ColumnId = 'market' | 'price' | 'change' | 'volume' | 'state';

export function Tables() {
  const t = useTexts(texts);
  const [tab, setTab] = useState<'markets' | 'orders' | 'history'>('markets');
  const [sorting, setSorting] = useState<Sorting<ColumnId>>({
    column: 'volume',
    isDescending: true,
  });
  const table = (rows: readonly Market[]) => (
    <Table<Market, ColumnId>
      label={t.markets}
      rows={rows}
      keyOf={(market) => market.symbol}
      sorting={sorting}
      onSort={setSorting}
      empty={<EmptyState icon="order">{t.noOrders}</EmptyState>}
      columns={[
        {
          id: 'market',
          title: t.market,
          isRowTitle: true,
          isSortable: true,
          cell: (market) => (
            <bdi dir="ltr" className="font-medium">
              {market.symbol}
            </bdi>
          ),
        },
        {
          id: 'price',
          title: t.price,
          isNumber: true,
          isSortable: true,
          cell: (market) => <Amount value={market.price} decimals={2} />,
        },
        {
          id: 'change',
          title: t.change,
          isNumber: true,
          isSortable: true,
          cell: (market) => <Change value={market.change} />,
        },
        {
          id: 'volume',
          title: t.volume,
          isNumber: true,
          isSortable: true,
          cell: (market) => <Amount value={market.volume} decimals={3} />,
        },
        {
          id: 'state',
          title: t.state,
          cell: (market) =>
            market.isHalted ? (
              <Badge tone="warning">{t.halted}</Badge>
            ) : (
              <Badge tone="success">{t.open}</Badge>
            ),
        },
      ]}
    />
  );
  return (
    <Section name="tables" title={useTexts(titles).tables}>
      <Tabs
        label={t.parts}
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'markets', title: t.markets, count: 3, content: table(markets) },
          { id: 'orders', title: t.orders, content: table([]) },
          { id: 'history', title: t.history, isDisabled: true, content: null },
        ]}
      />
    </Section>
  );
}
