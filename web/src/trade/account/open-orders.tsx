// Open and waiting orders: change in place, cancel, and what is on its way.
import type { Order } from '@rialto/sdk';
import { lazy, Suspense, useEffect, useMemo, useRef, useState, type FocusEvent } from 'react';
import { FailureNotice } from '../../asked/failure.tsx';
import { useAct } from '../../asked/use-act.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useAnnouncer } from '../../ui/announcer.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useShortcut } from '../../ui/shortcuts/shortcuts.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { useIntentList } from '../intents/react.ts';
import { useMarket, useVenue } from '../venue/react.ts';
import { amendmentOf, type Typed } from './amend.ts';
import type { Asked } from './ask-dialogs.tsx';
import { nameOf, useMarkets } from './cells.tsx';
import { useOpenColumns } from './open-columns.tsx';
import { accountOf, useOpenOrders } from './react.ts';
import { hasTrigger, openRows } from './rows.ts';
import { texts } from './texts.ts';

const AskDialog = lazy(() => import('./ask-dialogs.tsx'));

interface OpenOrdersProps {
  /** Of this market alone; undefined: of all. */
  readonly symbol: string | undefined;
  /** The order that a link led to. */
  readonly marked: string | undefined;
  readonly onDetails: (order: Order) => void;
}

export function OpenOrders({ symbol, marked, onDetails }: OpenOrdersProps) {
  const t = useTexts(texts);
  const venue = useVenue();
  const market = useMarket();
  const markets = useMarkets();
  const announcer = useAnnouncer();
  const orders = useOpenOrders();
  const intents = useIntentList();
  const rows = useMemo(() => openRows(orders ?? [], intents, symbol), [orders, intents, symbol]);
  const [selected, setSelected] = useState<string>();
  const [asking, setAsking] = useState<Asked>();
  const [amending, setAmending] = useState<{ readonly order: Order; readonly typed: Typed }>();

  const amendment =
    amending &&
    amendmentOf(amending.order, amending.typed, markets.get(amending.order.symbol) ?? market);
  const amend = useAct(async () => {
    if (amendment === undefined) return;
    const changed = await venue.trading.order.amend(amendment);
    accountOf(venue).take([changed]);
    announcer.say(changed.keptPriority ? t.keptPlace : t.amended);
    setAmending(undefined);
  });
  const box = useRef<HTMLDivElement>(null);
  const amendedId = amending?.order.orderId;
  // The button that was pressed is gone: the focus goes to the first field, and back when the fields go.
  useEffect(() => {
    if (amendedId === undefined) return;
    const rowOf = () => box.current?.querySelector(`[data-order="${amendedId}"]`)?.closest('tr');
    rowOf()?.querySelector('input')?.focus();
    return () => {
      requestAnimationFrame(() => rowOf()?.querySelector('button')?.focus());
    };
  }, [amendedId]);
  const cancelable = (id: string | undefined): Order | undefined =>
    orders?.find(({ orderId }) => orderId === id);
  useShortcut(
    'cancel-order',
    () => {
      const order = cancelable(selected);
      if (order !== undefined) setAsking({ kind: 'order', order });
    },
    cancelable(selected) !== undefined,
  );
  const columns = useOpenColumns({
    markets,
    symbol,
    hasTriggers: rows.some(hasTrigger),
    amending,
    canSave: amendment !== undefined,
    isSaving: amend.isRunning,
    onDetails,
    onCancel: (order) => setAsking({ kind: 'order', order }),
    onAmend: setAmending,
    onSave: () => void amend.run(),
  });
  if (orders === undefined) {
    return (
      <SkeletonGroup>
        {Array.from({ length: 3 }, (_value, index) => (
          <Skeleton key={index} className="my-2 h-9 w-full" />
        ))}
      </SkeletonGroup>
    );
  }
  const here = orders.filter((order) => order.symbol === market.symbol);
  /** The row that has the focus is the one that a key cancels. */
  const onFocus = ({ target }: FocusEvent<HTMLElement>) => {
    const row = target.closest('tr')?.querySelector<HTMLElement>('[data-order]');
    setSelected(row?.dataset['order']);
  };
  return (
    <div ref={box} className="flex flex-col gap-3" onFocus={onFocus}>
      <FailureNotice what={t.notAmended} error={amend.error} />
      {rows.length === 0 ? (
        <EmptyState icon="order">{t.noOpen}</EmptyState>
      ) : (
        <Table
          label={t.open}
          columns={columns}
          rows={rows}
          keyOf={({ key }) => key}
          isMarked={({ key }) => key === marked}
        />
      )}
      {amending !== undefined && <p className="text-small text-muted">{t.amendNote}</p>}
      {here.length > 0 && (
        <Button
          size="small"
          className="self-start"
          onPress={() => setAsking({ kind: 'all', symbol: market.symbol, count: here.length })}
        >
          {t.cancelAll({ market: nameOf(market.symbol, markets) })}
        </Button>
      )}
      {asking !== undefined && (
        <Suspense>
          <AskDialog asked={asking} markets={markets} onClose={() => setAsking(undefined)} />
        </Suspense>
      )}
    </div>
  );
}
