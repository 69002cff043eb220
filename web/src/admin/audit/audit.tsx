// Who changed what in the organization, a page at a time, the newest first.
import { useState } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Skeleton, SkeletonGroup } from '../../ui/skeleton.tsx';
import { Entry } from './entry.tsx';
import { Filters, type AuditFilter } from './filters.tsx';
import { texts } from './texts.ts';

const PAGE = 50;

export default function AuditPage() {
  const t = useTexts(texts);
  const [filter, setFilter] = useState<AuditFilter>({});
  return (
    <>
      <p className="text-muted">{t.about}</p>
      <Filters onChange={setFilter} />
      <Pages key={JSON.stringify(filter)} filter={filter} />
    </>
  );
}

function Pages({ filter }: { readonly filter: AuditFilter }) {
  const t = useTexts(texts);
  const { chat } = useStore().client;
  // Where the pages begin that were looked at; the last one is shown.
  const [begins, setBegins] = useState<readonly (number | undefined)[]>([undefined]);
  const before = begins.at(-1);
  const params = { ...filter, limit: PAGE, ...(before !== undefined && { before }) };
  const { asked, again } = useAsked(`audit ${JSON.stringify(params)}`, (signal) =>
    chat.getAuditLog(params, { signal }),
  );
  if (asked.state === 'asking') {
    return (
      <SkeletonGroup>
        {Array.from({ length: 6 }, (_value, index) => (
          <Skeleton key={index} className="my-2 h-14 w-full" />
        ))}
      </SkeletonGroup>
    );
  }
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  const { entries, next_before: next } = asked.value;
  return (
    <>
      {entries.length === 0 && <EmptyState icon="list">{t.none}</EmptyState>}
      <ol aria-label={t.title} className="flex flex-col gap-2">
        {entries.map((entry) => (
          <Entry key={entry.id} entry={entry} />
        ))}
      </ol>
      <nav aria-label={t.pages} className="flex flex-wrap items-center gap-2">
        <Button
          isDisabled={begins.length === 1}
          onPress={() => setBegins((all) => all.slice(0, -1))}
        >
          {t.newer}
        </Button>
        <Button
          isDisabled={next === null}
          onPress={() => next !== null && setBegins((all) => [...all, next])}
        >
          {t.older}
        </Button>
        <Button variant="quiet" icon="refresh" isPending={asked.isRefreshing} onPress={again}>
          {t.again}
        </Button>
        <span className="text-small text-muted">
          {t.page({ page: begins.length, count: entries.length })}{' '}
          {next === null ? t.isLast : t.hasMore}
        </span>
      </nav>
    </>
  );
}
