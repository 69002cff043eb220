// What came to the addresses of the account, also before it is credited.
import type { Coin, Deposit } from '@rialto/sdk';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Table } from '../../ui/table.tsx';
import { OwnAmount } from '../hidden.tsx';
import { WalletLoading } from '../loading.tsx';
import { TransactionCell } from '../places/transaction.tsx';
import { useFollow } from '../use-follow.ts';
import { useTrading } from '../use-trading.ts';
import { texts } from './texts.ts';

const SHOWN = 50;
const TONES: Readonly<Record<Deposit['status'], Tone>> = {
  detected: 'neutral',
  confirming: 'accent',
  credited: 'success',
  below_minimum: 'warning',
  held: 'warning',
  orphaned: 'danger',
  rejected: 'danger',
  reversed: 'danger',
};

export function Deposits({ coins }: { readonly coins: readonly Coin[] }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const trading = useTrading();
  const { asked, again } = useAsked('wallet deposits', async (signal) => {
    const { items } = await trading().wallet.deposits({ limit: SHOWN }, { signal });
    return items;
  });
  useFollow('deposit', again);
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={t.historyFailed} error={asked.error} onRetry={again} />;
  }
  return (
    <Section title={t.history}>
      <Table
        label={t.history}
        rows={asked.value}
        keyOf={({ depositId }) => depositId}
        empty={<p className="px-3 py-4 text-muted">{t.none}</p>}
        columns={[
          {
            id: 'time',
            title: t.time,
            isRowTitle: true,
            cell: ({ detectedAt }) => writeMoment(Number(detectedAt), locale),
          },
          {
            id: 'amount',
            title: t.amount,
            isNumber: true,
            cell: ({ amount, coin }) => <OwnAmount value={amount} unit={coin.toUpperCase()} />,
          },
          {
            id: 'status',
            title: t.status,
            cell: (deposit) => <Status deposit={deposit} />,
          },
          {
            id: 'transaction',
            title: t.transaction,
            cell: (deposit) =>
              deposit.isInternal ? (
                <span className="text-muted">{t.inside}</span>
              ) : (
                <TransactionCell coins={coins} movement={deposit} />
              ),
          },
        ]}
      />
    </Section>
  );
}

function Status({ deposit }: { readonly deposit: Deposit }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { status, statusReason, confirmations, requiredConfirmations } = deposit;
  const known: Readonly<Record<string, string>> = {
    paused: t.heldPaused,
    screening: t.heldScreening,
  };
  const more = {
    confirming: t.progress({
      count: writeDecimal(confirmations, locale),
      of: writeDecimal(requiredConfirmations, locale),
    }),
    held: known[statusReason] ?? t.heldOther,
  };
  return (
    <span className="flex flex-wrap items-center gap-2">
      <Badge tone={TONES[status]}>{t[status]}</Badge>
      {(status === 'confirming' || status === 'held') && (
        <span className="text-small text-muted">{more[status]}</span>
      )}
    </span>
  );
}
