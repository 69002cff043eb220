// Every entry of the ledger, a page at a time, the newest first.
import type { AccountLedgerParams, LedgerEntry } from '@rialto/sdk';
import { decimal } from '@rialto/sdk';
import { useState } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { writeDate, writeTime, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import { OwnAmount, OwnChange } from '../hidden.tsx';
import { WalletLoading } from '../loading.tsx';
import { useCoins } from '../places/use-coins.ts';
import { texts as walletTexts } from '../texts.ts';
import { useTrading } from '../use-trading.ts';
import { ExportButton } from './export.tsx';
import { kindIn, KINDS, type ActivityFilter, type Kind } from './filter.ts';
import { texts } from './texts.ts';

const PAGE = 50;
const ANY = '';

export default function Activity({ filter }: { readonly filter: ActivityFilter }) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const kind = kindIn(filter.kind);
  const coin = filter.coin;
  const { asked } = useCoins();
  const coins = asked.state === 'known' ? asked.value.map(({ symbol }) => symbol) : [];
  const params = { ...(coin !== undefined && { coin }), ...(kind !== undefined && { kind }) };
  const isFiltered = Object.keys(params).length > 0;
  const clear = () => {
    filter.setCoin(undefined);
    filter.setKind(undefined);
  };
  return (
    <>
      <p className="text-muted">{t.about}</p>
      <div className="flex flex-wrap items-end gap-3">
        <Select
          label={common.coin}
          value={coin ?? ANY}
          onChange={(value) => filter.setCoin(value === ANY ? undefined : value)}
          choices={[
            { value: ANY, label: common.allCoins },
            ...(coin === undefined || coins.includes(coin) ? coins : [coin, ...coins]).map(
              (value) => ({ value, label: value.toUpperCase() }),
            ),
          ]}
          className="w-36"
        />
        <Select<Kind | typeof ANY>
          label={t.kind}
          value={kind ?? ANY}
          onChange={(value) => filter.setKind(value === ANY ? undefined : value)}
          choices={[
            { value: ANY, label: t.allKinds },
            ...KINDS.map((value) => ({ value, label: t[value] })),
          ]}
          className="w-44"
        />
        <ExportButton params={params} />
      </div>
      <Pages
        key={JSON.stringify(params)}
        params={params}
        onClear={isFiltered ? clear : undefined}
      />
    </>
  );
}

function Pages({
  params,
  onClear,
}: {
  readonly params: AccountLedgerParams;
  /** Undefined where nothing is filtered. */
  readonly onClear: (() => void) | undefined;
}) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const trading = useTrading();
  // The cursors of the pages that were looked at; the last one is shown.
  const [cursors, setCursors] = useState<readonly string[]>(['']);
  const cursor = cursors.at(-1) ?? '';
  const full = { ...params, limit: PAGE, ...(cursor !== '' && { cursor }) };
  const { asked, again } = useAsked(`wallet ledger ${JSON.stringify(full)}`, (signal) =>
    trading().account.ledger(full, { signal }),
  );
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={common.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { items, nextCursor } = asked.value;
  return (
    <>
      <Lines entries={items} onClear={onClear} />
      <nav aria-label={t.pages} className="flex flex-wrap items-center gap-2">
        <Button
          isDisabled={cursors.length === 1}
          onPress={() => setCursors((all) => all.slice(0, -1))}
        >
          {t.newer}
        </Button>
        <Button
          isDisabled={nextCursor === ''}
          onPress={() => setCursors((all) => [...all, nextCursor])}
        >
          {t.older}
        </Button>
        <Button variant="quiet" icon="refresh" isPending={asked.isRefreshing} onPress={again}>
          {common.again}
        </Button>
        <span className="text-small text-muted">
          {t.page({ page: cursors.length, count: items.length })}
        </span>
      </nav>
    </>
  );
}

function Lines({
  entries,
  onClear,
}: {
  readonly entries: readonly LedgerEntry[];
  /** Undefined where nothing is filtered. */
  readonly onClear: (() => void) | undefined;
}) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  return (
    <Table
      label={t.table}
      rows={entries}
      keyOf={({ entryId }) => entryId}
      empty={
        onClear === undefined ? (
          <EmptyState icon="list" action={<LinkButton href="/markets">{t.markets}</LinkButton>}>
            {t.empty}
          </EmptyState>
        ) : (
          <EmptyState icon="list" action={<Button onPress={onClear}>{t.clear}</Button>}>
            {t.noneFound}
          </EmptyState>
        )
      }
      columns={[
        { id: 'time', title: t.time, isRowTitle: true, cell: (entry) => <When entry={entry} /> },
        { id: 'kind', title: t.kind, cell: ({ kind }) => t[kind] },
        { id: 'coin', title: common.coin, cell: ({ coin }) => coin.toUpperCase() },
        {
          id: 'change',
          title: t.change,
          isNumber: true,
          cell: (entry) => <EntryChange entry={entry} />,
        },
        {
          id: 'after',
          title: t.after,
          isNumber: true,
          cell: ({ balanceAfter }) => <OwnAmount value={balanceAfter} />,
        },
        {
          id: 'reference',
          title: t.reference,
          cell: ({ referenceType, referenceId }) => (
            <bdi dir="ltr" className="text-small text-muted">
              {referenceType} {referenceId}
            </bdi>
          ),
        },
      ]}
    />
  );
}

function When({ entry }: { readonly entry: LedgerEntry }) {
  const locale = useLocale();
  const at = Number(entry.time);
  return (
    <time dateTime={new Date(at).toISOString()} title={writeUtc(at)}>
      {writeDate(at, locale)}{' '}
      <bdi className="figures text-muted">{writeTime(at, locale, { hasSeconds: true })}</bdi>
    </time>
  );
}

function EntryChange({ entry: { direction, amount, coin } }: { readonly entry: LedgerEntry }) {
  const value = direction === 'in' ? amount : decimal.negate(amount);
  return <OwnChange value={value} unit={coin.toUpperCase()} />;
}
