import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { useLocale } from '../i18n/locale.tsx';
import { writeCount } from '../i18n/number.ts';
import { classes } from './classes.ts';
import { texts } from './texts.ts';

export type Tone = 'neutral' | 'accent' | 'success' | 'warning' | 'danger' | 'up' | 'down';

const looks: Readonly<Record<Tone, string>> = {
  neutral: 'bg-hover text-muted',
  accent: 'bg-accent-tint text-accent',
  success: 'bg-success-tint text-success',
  warning: 'bg-warning-tint text-warning',
  danger: 'bg-danger-tint text-danger',
  up: 'bg-up-tint text-up',
  down: 'bg-down-tint text-down',
};

/** A short word about a thing: a role, a state. */
export function Badge({
  children,
  tone = 'neutral',
}: {
  children: ReactNode;
  tone?: Tone | undefined;
}) {
  return (
    <span
      className={classes(
        'inline-flex h-5 items-center gap-1 rounded-small px-1.5 text-tiny font-medium whitespace-nowrap',
        looks[tone],
      )}
    >
      {children}
    </span>
  );
}

/** How many are unread. Above 999 it says so without the exact figure; readers hear what the figure counts. */
export function CountBadge({
  count,
  isQuiet = false,
}: {
  count: number;
  /** Muted conversations count too, but do not call. */
  isQuiet?: boolean | undefined;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (count <= 0) return null;
  const shown = count > 999 ? `${writeCount(999, locale)}+` : writeCount(count, locale);
  return (
    <span
      className={classes(
        'figures inline-flex h-4.5 min-w-4.5 items-center justify-center rounded-full px-1.5 text-tiny font-semibold',
        isQuiet ? 'bg-hover text-muted' : 'bg-primary text-on-primary',
      )}
    >
      <span aria-hidden>{shown}</span>
      <span className="sr-only">{t.unreadCount({ count })}</span>
    </span>
  );
}
