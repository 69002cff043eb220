// What the account has. Amounts are cut off, never rounded up, and can be hidden from who looks over a shoulder.
import { decimal, type Balance } from '@rialto/sdk';
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { useBalances } from './react.ts';
import { texts } from './texts.ts';

const DECIMALS = 8;
const HIDDEN = 'trade.hide-amounts';

export function Balances() {
  const t = useTexts(texts);
  const balances = useBalances();
  const [isHidden, setHidden] = useHidden();
  if (balances === undefined) {
    return (
      <SkeletonGroup>
        <Skeleton className="my-2 h-9 w-full" />
        <Skeleton className="my-2 h-9 w-full" />
      </SkeletonGroup>
    );
  }
  const rows = [...balances.values()]
    .filter(({ total }) => !decimal.isZero(total))
    .sort((a, b) => a.coin.localeCompare(b.coin));
  const amount = (value: string) =>
    isHidden ? (
      <span className="text-muted" aria-label={t.hidden} role="img">
        •••
      </span>
    ) : (
      <Amount value={value} decimals={DECIMALS} />
    );
  const columns: readonly Column<Balance>[] = [
    { id: 'coin', title: t.coin, isRowTitle: true, cell: ({ coin }) => coin.toUpperCase() },
    {
      id: 'available',
      title: t.available,
      isNumber: true,
      cell: ({ available }) => amount(available),
    },
    { id: 'hold', title: t.inOrders, isNumber: true, cell: ({ hold }) => amount(hold) },
    { id: 'total', title: t.total, isNumber: true, cell: ({ total }) => amount(total) },
  ];
  return (
    <div className="flex flex-col gap-2">
      <Switch isSelected={isHidden} onChange={setHidden} className="self-start">
        {t.hideAmounts}
      </Switch>
      {rows.length === 0 ? (
        <EmptyState icon="wallet">{t.noBalances}</EmptyState>
      ) : (
        <Table label={t.balances} columns={columns} rows={rows} keyOf={({ coin }) => coin} />
      )}
    </div>
  );
}

/** This browser remembers it. */
function useHidden(): [boolean, (isHidden: boolean) => void] {
  const [isHidden, setHidden] = useState(() => {
    try {
      return localStorage.getItem(HIDDEN) === '1';
    } catch {
      return false;
    }
  });
  const set = (next: boolean) => {
    setHidden(next);
    try {
      localStorage.setItem(HIDDEN, next ? '1' : '0');
    } catch {
      // Without room on disk it holds until the page is left.
    }
  };
  return [isHidden, set];
}
