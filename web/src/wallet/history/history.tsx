// How the total of one coin went: a line of what the ledger says, or the same as a table.
import { decimal, type Balance, type LedgerEntry, type Trading } from '@rialto/sdk';
import { useState } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Table } from '../../ui/table.tsx';
import { OwnAmount, OwnChange } from '../hidden.tsx';
import { texts as walletTexts } from '../texts.ts';
import { useTrading } from '../use-trading.ts';
import { Line } from './line.tsx';
import { daysOf, seriesOf } from './series.ts';
import { texts } from './texts.ts';

const DAY_MS = 86_400_000;
/** In days. */
const PERIODS = ['7', '30', '90', '365'] as const;
type Period = (typeof PERIODS)[number];

const PAGE = 500;
/** More entries than a drawing can show. */
const PAGES_MAX = 4;

export function History({ coins }: { readonly coins: readonly Balance[] }) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const first = coins.find(({ total }) => !decimal.isZero(total)) ?? coins[0];
  const [chosen, setCoin] = useState<string>();
  const [period, setPeriod] = useState<Period>('30');
  const [look, setLook] = useState<'line' | 'table'>('line');
  const balance = coins.find(({ coin }) => coin === chosen) ?? first;
  if (balance === undefined) return null;
  return (
    <Section
      title={t.title}
      actions={
        <div className="flex flex-wrap items-end gap-3">
          <Select
            label={common.coin}
            value={balance.coin}
            onChange={setCoin}
            choices={coins.map(({ coin }) => ({ value: coin, label: coin.toUpperCase() }))}
            className="w-28"
          />
          <Select
            label={t.period}
            value={period}
            onChange={setPeriod}
            choices={PERIODS.map((value) => ({ value, label: t.days({ count: Number(value) }) }))}
            className="w-32"
          />
          <RadioGroup
            label={t.look}
            look="segments"
            value={look}
            onChange={(value) => setLook(value === 'table' ? 'table' : 'line')}
            choices={(['line', 'table'] as const).map((value) => ({ value, label: t[value] }))}
          />
        </div>
      }
    >
      <Shown balance={balance} period={period} look={look} />
    </Section>
  );
}

interface Past {
  readonly entries: readonly LedgerEntry[];
  readonly isWhole: boolean;
  readonly fromMs: number;
  readonly toMs: number;
}

/** The newest first, at most some pages. */
async function loadPast(
  trading: Trading,
  coin: string,
  days: number,
  signal: AbortSignal,
): Promise<Past> {
  const toMs = Date.now();
  const fromMs = toMs - days * DAY_MS;
  const entries: LedgerEntry[] = [];
  let cursor = '';
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const answer = await trading.account.ledger(
      { coin, from: fromMs, sort: 'desc', limit: PAGE, ...(cursor !== '' && { cursor }) },
      { signal },
    );
    entries.push(...answer.items);
    cursor = answer.nextCursor;
    if (cursor === '') break;
  }
  const oldest = entries.at(-1);
  const isWhole = cursor === '';
  return {
    entries,
    isWhole,
    fromMs: isWhole || oldest === undefined ? fromMs : Number(oldest.time),
    toMs,
  };
}

interface ShownProps {
  readonly balance: Balance;
  readonly period: Period;
  readonly look: 'line' | 'table';
}

function Shown({ balance, period, look }: ShownProps) {
  const t = useTexts(texts);
  const trading = useTrading();
  const { coin, total } = balance;
  const { asked, again } = useAsked(`wallet history ${coin} ${period}`, (signal) =>
    loadPast(trading(), coin, Number(period), signal),
  );
  if (asked.state === 'asking') {
    return (
      <SkeletonGroup>
        <Skeleton className="h-56 rounded-control" />
      </SkeletonGroup>
    );
  }
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { entries, isWhole, fromMs, toMs } = asked.value;
  return (
    <>
      {look === 'table' ? (
        <Days entries={entries} coin={coin} />
      ) : (
        <Line coin={coin} points={seriesOf(entries, { fromMs, toMs, totalNow: total })} />
      )}
      {entries.length === 0 && look === 'line' && <p className="text-muted">{t.none}</p>}
      {!isWhole && <p className="text-small text-muted">{t.newest({ count: entries.length })}</p>}
    </>
  );
}

function Days({
  entries,
  coin,
}: {
  readonly entries: readonly LedgerEntry[];
  readonly coin: string;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const unit = coin.toUpperCase();
  return (
    <Table
      label={t.title}
      rows={daysOf(entries)}
      keyOf={({ key }) => key}
      empty={<p className="px-3 py-4 text-muted">{t.none}</p>}
      className="max-h-96 overflow-y-auto"
      columns={[
        { id: 'day', title: t.day, isRowTitle: true, cell: ({ atMs }) => writeDate(atMs, locale) },
        {
          id: 'change',
          title: t.change,
          isNumber: true,
          cell: ({ change }) => <OwnChange value={change} unit={unit} />,
        },
        {
          id: 'total',
          title: t.total,
          isNumber: true,
          cell: ({ total }) => <OwnAmount value={total} unit={unit} />,
        },
      ]}
    />
  );
}
