// The states that a part can be in besides having something to show. Empty and failed have files of their own.
import type { ReactNode } from 'react';
import { writeRecent } from '../i18n/date.ts';
import { useLocale } from '../i18n/locale.tsx';
import { useTexts } from '../i18n/texts.ts';
import { Banner } from './banner.tsx';
import { EmptyState } from './empty-state.tsx';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

/** No connection: since when, and what still works. */
export function OfflineBanner({
  since,
  now,
  action,
}: {
  since: number;
  now: number;
  action?: ReactNode;
}) {
  const t = useTexts(texts);
  const age = writeRecent(since, now, useLocale());
  return (
    <Banner tone="warning" icon="offline" action={action}>
      {t.offlineSince({ age })}
    </Banner>
  );
}

/** The person may not see or do this: the rule, and who can change it. */
export function NoPermission({
  rule,
  who,
  action,
}: {
  rule: string;
  who: string;
  action?: ReactNode;
}) {
  const t = useTexts(texts);
  return (
    <EmptyState icon="lock" action={action}>
      <span className="font-medium text-text">{rule}</span> {t.askForAccess({ who })}
    </EmptyState>
  );
}

/** Stands in the place of a field that nobody can use now: archived, halted, read-only. The reason has its date. */
export function ReadOnlyNotice({ children }: { children: ReactNode }) {
  return (
    <p className="flex min-h-control items-center gap-2 rounded-control border border-line bg-hover px-3 py-1.5 text-muted">
      <Icon name="lock" className="size-4.5" />
      <span className="min-w-0">{children}</span>
    </p>
  );
}
