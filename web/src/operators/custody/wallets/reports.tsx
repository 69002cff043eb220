import type { CustodyReport } from '../../../api/custody.ts';
import { writeMoment } from '../../../i18n/date.ts';
import { useLocale } from '../../../i18n/locale.tsx';
import { writeCount } from '../../../i18n/number.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Amount } from '../../../ui/amount.tsx';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { classes } from '../../../ui/classes.ts';
import { Table } from '../../../ui/table.tsx';
import { texts } from './texts.ts';

const TONES: Readonly<Record<CustodyReport['outcome'], Tone>> = {
  equal: 'success',
  surplus: 'warning',
  shortfall: 'danger',
  postponed: 'neutral',
};

const TERMS = ['onChain', 'custody', 'uncredited', 'unsettled', 'costs'] as const;

/** The newest comparison of each coin on each network, with its terms. */
export function Reports({ reports }: { readonly reports: readonly CustodyReport[] }) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <Table
      label={t.reconciliation}
      rows={reports}
      keyOf={({ network, coin }) => `${network} ${coin}`}
      empty={<p className="px-3 py-4 text-muted">{t.noReports}</p>}
      columns={[
        {
          id: 'coin',
          title: t.coin,
          isRowTitle: true,
          cell: ({ coin, network }) => (
            <span>
              <span className="font-medium">{coin.toUpperCase()}</span>{' '}
              <bdi className="text-muted">{network}</bdi>
            </span>
          ),
        },
        {
          id: 'outcome',
          title: t.outcome,
          cell: ({ outcome, reason }) => (
            <span className="flex items-center gap-2">
              <Badge tone={TONES[outcome]}>{t[outcome]}</Badge>
              {reason !== '' && (
                <bdi dir="ltr" className="text-small text-muted">
                  {reason}
                </bdi>
              )}
            </span>
          ),
        },
        {
          id: 'difference',
          title: t.difference,
          isNumber: true,
          cell: ({ difference, outcome }) => (
            <Maybe
              value={difference}
              isChange
              className={classes(
                outcome === 'shortfall' && 'font-semibold text-danger',
                outcome === 'surplus' && 'font-semibold text-warning',
              )}
            />
          ),
        },
        ...TERMS.map((term) => ({
          id: term,
          title: t[term],
          isNumber: true,
          cell: (report: CustodyReport) => <Maybe value={report[term]} />,
        })),
        {
          id: 'block',
          title: t.block,
          isNumber: true,
          cell: ({ height }) => (height === '' ? '' : writeCount(Number(height), locale)),
        },
        {
          id: 'at',
          title: t.at,
          cell: ({ at }) => writeMoment(Number(at), locale),
        },
      ]}
    />
  );
}

/** Nothing where nothing was compared. */
const Maybe = ({
  value,
  ...more
}: {
  readonly value: string;
  readonly isChange?: boolean;
  readonly className?: string;
}) => (value === '' ? <span className="text-muted">–</span> : <Amount value={value} {...more} />);
