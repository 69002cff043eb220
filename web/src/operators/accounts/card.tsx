import type { LookedAccount } from '../../api/administration.ts';
import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeCount } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Table } from '../../ui/table.tsx';
import { texts } from './texts.ts';

export type AccountAct = 'suspend' | 'resume' | 'cancelOrders' | 'setTier' | 'unpin';

export function AccountCard({
  account,
  mayAct,
  maySetTier,
  onAct,
}: {
  readonly account: LookedAccount;
  readonly mayAct: boolean;
  readonly maySetTier: boolean;
  readonly onAct: (act: AccountAct) => void;
}) {
  const t = useTexts(texts);
  // What a deactivation or the end of an account has suspended, no operator resumes.
  const mayResume = account.suspended && account.because.includes('operator');
  return (
    <Section title={t.title({ account: account.account })}>
      <Facts account={account} />
      {(mayAct || maySetTier) && (
        <div className="flex flex-wrap gap-2">
          {mayAct && !account.suspended && (
            <Button onPress={() => onAct('suspend')}>{t.suspend}</Button>
          )}
          {mayAct && mayResume && <Button onPress={() => onAct('resume')}>{t.resume}</Button>}
          {mayAct && <Button onPress={() => onAct('cancelOrders')}>{t.cancelOrders}</Button>}
          {maySetTier && <Button onPress={() => onAct('setTier')}>{t.setTier}</Button>}
          {maySetTier && <Button onPress={() => onAct('unpin')}>{t.unpin}</Button>}
        </div>
      )}
      <Table
        label={t.balances}
        rows={account.balances}
        keyOf={({ coin }) => coin}
        empty={<p className="px-3 py-4 text-muted">{t.noBalances}</p>}
        columns={[
          {
            id: 'coin',
            title: t.coin,
            isRowTitle: true,
            cell: ({ coin }) => <span className="font-medium">{coin.toUpperCase()}</span>,
          },
          {
            id: 'available',
            title: t.available,
            isNumber: true,
            cell: ({ available }) => <Amount value={available} />,
          },
          {
            id: 'held',
            title: t.held,
            isNumber: true,
            cell: ({ held }) => <Amount value={held} />,
          },
        ]}
      />
    </Section>
  );
}

function Facts({ account }: { readonly account: LookedAccount }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const reasons = account.because
    .split(', ')
    .map(
      (one) =>
        ({ operator: t.byOperator, deactivation: t.byDeactivation, closed: t.byClosing })[one] ??
        one,
    )
    .join(locale.language === 'fa' ? '، ' : ', ');
  const facts = [
    [t.owner, <bdi key="owner">{`${account.name} (${account.owner})`}</bdi>],
    ...(account.parent === ''
      ? []
      : [
          [t.parent, account.parent],
          [t.label, <bdi key="label">{account.label}</bdi>],
        ]),
    [t.opened, writeDate(Date.parse(account.opened), locale)],
    [t.tier, writeCount(Number(account.tier), locale)],
    [
      t.state,
      account.suspended ? (
        <span key="state" className="flex flex-wrap items-center gap-2">
          <Badge tone="danger">{t.suspended}</Badge> {reasons}
        </span>
      ) : (
        <Badge key="state" tone="success">
          {t.active}
        </Badge>
      ),
    ],
  ] as const;
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5 max-tablet:grid-cols-1 max-tablet:gap-y-0.5">
      {facts.map(([name, value], index) => (
        // Facts stand in a fixed order.
        <div key={index} className="contents">
          <dt className="text-muted max-tablet:mt-2">{name}</dt>
          <dd className="min-w-0 break-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
