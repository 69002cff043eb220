// The audit log of the venue: who did what to markets, accounts and money.
import { lazy, Suspense, useState, type FormEvent } from 'react';
import type { AuditedAct } from '../../api/administration.ts';
import { writeDate, writeTime, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Looked } from '../looked.tsx';
import { useLook } from '../use-operator.ts';
import { outcomeTexts, texts } from './texts.ts';

const DetailsDialog = lazy(() =>
  import('./details-dialog.tsx').then((file) => ({ default: file.DetailsDialog })),
);

const LIMIT = 100;
const FILTERS = ['operator', 'act', 'subject'] as const;
type Filter = Partial<Record<(typeof FILTERS)[number], string>>;

export default function ActsPage() {
  const t = useTexts(texts);
  const [typed, setTyped] = useState<Filter>({});
  const [filter, setFilter] = useState<Filter>({});
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setFilter(
      Object.fromEntries(
        Object.entries(typed).flatMap(([name, text]) =>
          text.trim() === '' ? [] : [[name, text.trim()]],
        ),
      ),
    );
  };
  return (
    <>
      <p className="text-pretty text-muted">{t.about}</p>
      <form onSubmit={submit} className="grid items-end gap-3 tablet:grid-cols-4">
        {FILTERS.map((name) => (
          <TextField
            key={name}
            label={t[name]}
            isLatin
            value={typed[name] ?? ''}
            onChange={(text) => setTyped((now) => ({ ...now, [name]: text }))}
            autoComplete="off"
          />
        ))}
        <Button type="submit" icon="search" className="justify-self-start">
          {t.find}
        </Button>
      </form>
      <Entries key={JSON.stringify(filter)} filter={filter} />
    </>
  );
}

function Entries({ filter }: { readonly filter: Filter }) {
  const t = useTexts(texts);
  const outcomes: Readonly<Record<string, string>> = useTexts(outcomeTexts);
  const asking = useLook<readonly AuditedAct[]>({
    path: '/audit',
    params: { ...filter, limit: String(LIMIT) },
  });
  const [open, setOpen] = useState<AuditedAct>();
  return (
    <>
      <Looked asking={asking}>
        {(entries) => (
          <>
            <Table
              label={t.table}
              rows={entries}
              keyOf={({ seq }) => seq}
              empty={<EmptyState icon="list">{t.none}</EmptyState>}
              columns={[
                {
                  id: 'time',
                  title: t.time,
                  isRowTitle: true,
                  cell: ({ time }) => <When at={Number(time)} />,
                },
                { id: 'who', title: t.who, cell: ({ operator }) => <bdi>{operator}</bdi> },
                { id: 'what', title: t.what, cell: ({ act }) => <bdi dir="ltr">{act}</bdi> },
                {
                  id: 'whom',
                  title: t.whom,
                  cell: ({ subject }) => (
                    <bdi dir="ltr" className="block max-w-72 truncate" title={subject}>
                      {subject}
                    </bdi>
                  ),
                },
                {
                  id: 'outcome',
                  title: t.outcome,
                  cell: ({ outcome }) => <bdi>{outcomes[outcome] ?? outcome}</bdi>,
                },
                {
                  id: 'details',
                  title: t.details,
                  cell: (entry) => (
                    <Button
                      size="small"
                      variant="quiet"
                      aria-label={t.detailsOf({ seq: entry.seq })}
                      onPress={() => setOpen(entry)}
                    >
                      {t.details}
                    </Button>
                  ),
                },
              ]}
            />
            {entries.length === LIMIT && (
              <p className="text-small text-muted">{t.count({ count: LIMIT })}</p>
            )}
          </>
        )}
      </Looked>
      {open !== undefined && (
        <Suspense>
          <DetailsDialog entry={open} onClose={() => setOpen(undefined)} />
        </Suspense>
      )}
    </>
  );
}

function When({ at }: { readonly at: number }) {
  const locale = useLocale();
  return (
    <time dateTime={new Date(at).toISOString()} title={writeUtc(at)}>
      {writeDate(at, locale)}{' '}
      <bdi className="figures text-muted">{writeTime(at, locale, { hasSeconds: true })}</bdi>
    </time>
  );
}
