import { useLocale } from '../../i18n/locale.tsx';
import { writeDay } from '../../i18n/date.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';

/** The day that begins here. */
export function DayLine({ at }: { readonly at: number }) {
  const locale = useLocale();
  return (
    <div className="flex items-center gap-3 px-4 pt-5 pb-2 text-small font-medium text-muted select-none">
      <span className="h-px flex-1 bg-line" />
      <time dateTime={new Date(at * 1000).toISOString()}>
        {writeDay(at * 1000, Date.now(), locale)}
      </time>
      <span className="h-px flex-1 bg-line" />
    </div>
  );
}

/** Everything below it was unread when the conversation was opened. */
export function UnreadLine({ count }: { readonly count: number }) {
  const t = useTexts(texts);
  return (
    <div
      data-unread-line=""
      className="flex items-center gap-3 px-4 pt-3 pb-1 text-small font-semibold text-accent select-none"
    >
      <span className="h-px flex-1 bg-accent/45" />
      {t.newMessages({ count })}
      <span className="h-px flex-1 bg-accent/45" />
    </div>
  );
}
