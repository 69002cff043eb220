// The account below the chart: open orders, history, fills, balances and fees.
import type { Order } from '@rialto/sdk';
import { lazy, Suspense, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Tabs, type TabOf } from '../../ui/tabs.tsx';
import { useMarket, useVenue } from '../venue/react.ts';
import { Balances } from './balances.tsx';
import { Fees } from './fees.tsx';
import { Fills } from './fills.tsx';
import { History } from './history.tsx';
import { LinkedOrder, type Linked } from './linked.tsx';
import { OpenOrders } from './open-orders.tsx';
import { useOpenOrders } from './react.ts';
import { texts } from './texts.ts';

const Details = lazy(() => import('./details.tsx'));

type Part = 'open' | 'history' | 'fills' | 'balances' | 'fees';

export function AccountPanel({ linked }: { readonly linked: Linked | undefined }) {
  const t = useTexts(texts);
  const { isSignedIn } = useVenue();
  if (!isSignedIn) return <EmptyState icon="lock">{t.signIn}</EmptyState>;
  return <Account linked={linked} />;
}

function Account({ linked }: { readonly linked: Linked | undefined }) {
  const t = useTexts(texts);
  const market = useMarket();
  const orders = useOpenOrders();
  const [part, setPart] = useState<Part>('open');
  const [isOnlyThis, setOnlyThis] = useState(true);
  const [details, setDetails] = useState<Order>();
  const symbol = isOnlyThis ? market.symbol : undefined;
  const count = orders?.filter((one) => symbol === undefined || one.symbol === symbol).length ?? 0;
  const name = `${market.base.toUpperCase()}/${market.quote.toUpperCase()}`;
  const tabs: readonly TabOf<Part>[] = [
    {
      id: 'open',
      title: count === 0 ? t.open : t.openCount({ count }),
      content: <OpenOrders symbol={symbol} marked={linked?.orderId} onDetails={setDetails} />,
    },
    {
      id: 'history',
      title: t.history,
      content: (
        <History key={symbol} symbol={symbol} marked={linked?.orderId} onDetails={setDetails} />
      ),
    },
    { id: 'fills', title: t.fills, content: <Fills key={symbol} symbol={symbol} /> },
    { id: 'balances', title: t.balances, content: <Balances /> },
    { id: 'fees', title: t.fees, content: <Fees symbol={symbol} /> },
  ];
  return (
    <section aria-label={t.title} className="@container flex min-w-0 flex-col px-2">
      {linked !== undefined && (
        <LinkedOrder key={linked.orderId} {...linked} onDetails={setDetails} />
      )}
      <div className="relative flex min-w-0 flex-col">
        {part !== 'balances' && (
          <Checkbox
            isSelected={isOnlyThis}
            onChange={setOnlyThis}
            className="self-end text-small @2xl:absolute @2xl:end-3 @2xl:top-0"
          >
            {t.onlyThis({ market: `\u2068${name}\u2069` })}
          </Checkbox>
        )}
        <Tabs label={t.title} tabs={tabs} selected={part} onSelect={setPart} />
      </div>
      {details !== undefined && (
        <Suspense>
          <Details order={details} onClose={() => setDetails(undefined)} />
        </Suspense>
      )}
    </section>
  );
}
