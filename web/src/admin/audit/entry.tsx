import type { GetAuditLogResult } from '@rialto/sdk';
import { groupLabel } from '../../chat/rights/choices.ts';
import { texts as rightsTexts } from '../../chat/rights/texts.ts';
import { texts as peopleTexts } from '../../chat/people/texts.ts';
import { writeMoment, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useStore } from '../../state/react.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Badge } from '../../ui/badge.tsx';
import { actTexts } from './act-texts.ts';
import { changesOf, isPermissionName } from './changes.ts';
import { texts } from './texts.ts';

export type AuditEntry = GetAuditLogResult['entries'][number];

export function Entry({ entry }: { readonly entry: AuditEntry }) {
  const t = useTexts(texts);
  const acts = useTexts(actTexts);
  const locale = useLocale();
  const { people } = useStore().state;
  const actor = entry.user_id === null ? undefined : people.get(entry.user_id);
  const about = entry.subject_user_id === null ? undefined : people.get(entry.subject_user_id);
  const at = entry.timestamp * 1000;
  const act = groupLabel(entry.act, acts);
  return (
    <li className="flex gap-3 rounded-panel border border-line bg-panel px-4 py-2.5">
      <Avatar
        id={entry.user_id ?? 0}
        name={actor?.fullName ?? t.server}
        src={actor?.avatarUrl ?? undefined}
        isBot={actor?.isBot ?? false}
      />
      <div className="flex min-w-0 flex-1 flex-col gap-0.5">
        <p className="flex flex-wrap items-center gap-x-1 gap-y-1">
          <bdi className="font-medium">
            {actor?.fullName ?? (entry.user_id === null ? t.server : t.unknown)}
          </bdi>
          <span>{act}</span>
          {entry.outcome !== 'done' && (
            <Badge tone="warning">{entry.outcome === 'denied' ? t.denied : entry.outcome}</Badge>
          )}
        </p>
        <p className="text-small break-words text-muted">
          <bdi>{about?.fullName ?? entry.subject}</bdi>
          {about !== undefined && about.fullName !== entry.subject && (
            <>
              {' · '}
              <bdi dir="ltr">{entry.subject}</bdi>
            </>
          )}
        </p>
        <p className="text-small text-muted">
          <time dateTime={new Date(at).toISOString()} title={writeUtc(at)}>
            {writeMoment(at, locale)}
          </time>
          {' · '}
          {viaText(entry.via, t)}
        </p>
        <Changes entry={entry} />
      </div>
    </li>
  );
}

const viaText = (via: string, t: Readonly<Record<string, unknown>>): string =>
  groupLabel(`via_${via}`, t).replace(/^via_/, '');

function Changes({ entry: { before, after } }: { readonly entry: AuditEntry }) {
  const t = useTexts(texts);
  const roles: Readonly<Record<string, unknown>> = useTexts(peopleTexts);
  const rights = useTexts(rightsTexts);
  const { groups } = useStore().state;
  const changes = changesOf(before, after, (name, value) => {
    if (typeof value === 'boolean') return value ? t.yes : t.no;
    if (typeof value !== 'number') return undefined;
    if (name === 'role') return groupLabel(String(value), roles);
    const group = isPermissionName(name) ? groups.get(value) : undefined;
    return group === undefined ? undefined : groupLabel(group.name, rights);
  });
  if (changes.length === 0) return null;
  return (
    <details>
      <summary className="min-h-6 content-center text-small text-accent max-tablet:min-h-11">
        {t.changes({ count: changes.length })}
      </summary>
      <dl className="flex flex-col gap-1.5 pt-1 text-small">
        {changes.map((change) => (
          <div key={change.name} className="flex flex-col">
            <dt dir="ltr" className="font-mono break-all text-muted rtl:text-end">
              {change.name}
            </dt>
            <dd className="break-words">
              <bdi className="text-muted">{change.before === '' ? t.nothing : change.before}</bdi>{' '}
              <span className="inline-block rtl:-scale-x-100" aria-hidden>
                →
              </span>
              <span className="sr-only">{t.becomes}</span>{' '}
              <bdi>{change.after === '' ? t.nothing : change.after}</bdi>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
