// Sub-accounts: which there are, opening, naming and closing them, and money between them.
import type { AccountInfo, Balance, SubAccount, Trading, Transfer } from '@rialto/sdk';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { OwnAmount } from '../hidden.tsx';
import { WalletLoading } from '../loading.tsx';
import { texts as walletTexts } from '../texts.ts';
import { useTrading } from '../use-trading.ts';
import { AccountList } from './list.tsx';
import { TransferForm } from './transfer-form.tsx';
import { texts } from './texts.ts';

interface Loaded {
  readonly info: AccountInfo;
  readonly subs: readonly SubAccount[];
  readonly transfers: readonly Transfer[];
  readonly balances: readonly Balance[];
}

const TRANSFERS = 20;

async function load(trading: Trading, signal: AbortSignal): Promise<Loaded> {
  const [info, subs, transfers, balances] = await Promise.all([
    trading.account.info({}, { signal }),
    trading.subAccount.list({}, { signal }),
    trading.subAccount.transfers({ limit: TRANSFERS }, { signal }),
    trading.account.balances({}, { signal }),
  ]);
  return { info, subs, transfers: transfers.items, balances };
}

export default function Accounts() {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const trading = useTrading();
  const { asked, again } = useAsked('wallet accounts', (signal) => load(trading(), signal));
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={common.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { info, subs, transfers, balances } = asked.value;
  if (info.parentAccountId !== '') return <EmptyState icon="lock">{t.onlyMain}</EmptyState>;
  const nameOf = (id: string) =>
    id === info.accountId ? t.main : (subs.find((sub) => sub.accountId === id)?.label ?? id);
  return (
    <>
      <AccountList subs={subs} onChanged={again} />
      {subs.length > 0 && (
        <>
          <TransferForm
            mainId={info.accountId}
            subs={subs}
            balances={balances}
            nameOf={nameOf}
            onMoved={again}
          />
          <Transfers transfers={transfers} nameOf={nameOf} />
        </>
      )}
    </>
  );
}

function Transfers({
  transfers,
  nameOf,
}: {
  readonly transfers: readonly Transfer[];
  readonly nameOf: (id: string) => string;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <Section title={t.transfers}>
      <Table
        label={t.transfers}
        rows={transfers}
        keyOf={({ transferId }) => transferId}
        empty={<p className="px-3 py-4 text-muted">{t.noTransfers}</p>}
        columns={[
          {
            id: 'time',
            title: t.time,
            isRowTitle: true,
            cell: ({ createdAt, status }) => (
              <>
                {writeMoment(Number(createdAt), locale)}
                {status === 'pending' && <span className="text-muted"> ({t.pending})</span>}
              </>
            ),
          },
          { id: 'from', title: t.from, cell: (one) => <bdi>{nameOf(one.fromAccountId)}</bdi> },
          { id: 'to', title: t.to, cell: (one) => <bdi>{nameOf(one.toAccountId)}</bdi> },
          {
            id: 'amount',
            title: t.amount,
            isNumber: true,
            cell: ({ amount, coin }) => <OwnAmount value={amount} unit={coin.toUpperCase()} />,
          },
        ]}
      />
    </Section>
  );
}
