import { writeDay } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { messageOf } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { PlaceName } from './place-bar.tsx';
import type { Row } from './rows.ts';

/** What the reader is looking at: the day, and the topic in views that show several. Readers find both in the rows. */
export function StickyPlace({
  row,
  showsPlace,
}: {
  readonly row: Row | undefined;
  readonly showsPlace: boolean;
}) {
  const locale = useLocale();
  const store = useStore();
  const message = useSelect(store, (state) => messageOf(state, row?.id ?? -1));
  if (message === undefined) return null;
  const day = writeDay(message.sentAt * 1000, Date.now(), locale);
  if (showsPlace) {
    return (
      <div
        data-sticky-place=""
        className="absolute inset-x-0 top-0 z-20 flex h-9 items-center gap-3 border-b border-line bg-panel px-4 text-base font-semibold"
      >
        <PlaceName conversation={message.conversation} />
        <span className="ms-auto shrink-0 text-small font-medium text-muted">{day}</span>
      </div>
    );
  }
  // At the line of the day itself, the same word twice would be noise.
  if (row?.day !== undefined) return null;
  return (
    <div
      aria-hidden
      className="pointer-events-none absolute inset-x-0 top-2 z-20 flex justify-center"
    >
      <span className="rounded-full bg-raised px-3 py-1 text-small font-medium text-muted shadow-raised">
        {day}
      </span>
    </div>
  );
}
