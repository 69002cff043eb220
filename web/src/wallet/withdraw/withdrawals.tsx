// Withdrawals with their true state; what waits for their owner can be confirmed or taken back here.
import type { Coin, Withdrawal } from '@rialto/sdk';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useAct } from '../../settings/use-act.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import { OwnAmount } from '../hidden.tsx';
import { TransactionCell } from '../places/transaction.tsx';
import { useTrading } from '../use-trading.ts';
import { isCancelable, isConfirmable, toldReason, TONES } from './status.ts';
import { texts } from './texts.ts';

export function Withdrawals({
  coins,
  withdrawals,
  onChanged,
}: {
  readonly coins: readonly Coin[];
  readonly withdrawals: readonly Withdrawal[];
  readonly onChanged: () => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <Section title={t.history}>
      <Table
        label={t.history}
        rows={withdrawals}
        keyOf={({ withdrawId }) => withdrawId}
        empty={<p className="px-3 py-4 text-muted">{t.none}</p>}
        columns={[
          {
            id: 'time',
            title: t.time,
            isRowTitle: true,
            cell: ({ createdAt }) => writeMoment(Number(createdAt), locale),
          },
          {
            id: 'amount',
            title: t.amount,
            isNumber: true,
            cell: ({ amount, coin }) => <OwnAmount value={amount} unit={coin.toUpperCase()} />,
          },
          {
            id: 'to',
            title: t.to,
            cell: ({ address, isInternal }) =>
              isInternal ? (
                <span className="text-muted">{t.inside}</span>
              ) : (
                <code dir="ltr" className="block max-w-48 truncate" title={address}>
                  {address}
                </code>
              ),
          },
          {
            id: 'status',
            title: t.status,
            cell: (withdrawal) => <Status withdrawal={withdrawal} />,
          },
          {
            id: 'transaction',
            title: t.transaction,
            cell: (withdrawal) => <TransactionCell coins={coins} movement={withdrawal} />,
          },
          {
            id: 'acts',
            title: t.acts,
            cell: (withdrawal) => <Acts withdrawal={withdrawal} onChanged={onChanged} />,
          },
        ]}
      />
    </Section>
  );
}

function Status({ withdrawal }: { readonly withdrawal: Withdrawal }) {
  const t = useTexts(texts);
  const reason = toldReason(withdrawal);
  return (
    <span className="flex flex-col items-start gap-0.5">
      <Badge tone={TONES[withdrawal.status]}>{t[withdrawal.status]}</Badge>
      {reason !== undefined && <span className="text-small text-muted">{t[reason]}</span>}
    </span>
  );
}

function Acts({
  withdrawal,
  onChanged,
}: {
  readonly withdrawal: Withdrawal;
  readonly onChanged: () => void;
}) {
  const t = useTexts(texts);
  const trading = useTrading();
  const act = useAct();
  const { withdrawId } = withdrawal;
  const then = (isDone: boolean) => {
    if (isDone) onChanged();
  };
  const confirm = () =>
    void act
      .run((code) => trading(code).wallet.withdrawConfirm({ withdrawId }), t.confirmed)
      .then(then);
  const cancel = () =>
    void act
      .run((code) => trading(code).wallet.withdrawCancel({ withdrawId }), t.canceledNow)
      .then(then);
  return (
    <span className="flex gap-1">
      {isConfirmable(withdrawal) && (
        <Button
          size="small"
          aria-label={t.confirmOf({ id: withdrawId })}
          isPending={act.isPending}
          onPress={confirm}
        >
          {t.confirm}
        </Button>
      )}
      {isCancelable(withdrawal) && (
        <Button
          size="small"
          variant="quiet"
          aria-label={t.cancelOf({ id: withdrawId })}
          isPending={act.isPending}
          onPress={cancel}
        >
          {t.cancel}
        </Button>
      )}
    </span>
  );
}
