import { useSyncExternalStore } from 'react';
import { useLocale, type Locale } from '../../i18n/locale.tsx';
import { writeCount } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { texts } from './texts.ts';
import type { UploadRow, Uploads } from './uploads.ts';

/** A size in the largest unit that leaves at least one. */
export function writeSize(bytes: number, locale: Locale): string {
  const kib = Math.ceil(bytes / 1024);
  return kib < 1024
    ? `${writeCount(kib, locale)} KiB`
    : `${writeCount(Math.ceil(kib / 1024), locale)} MiB`;
}

export function UploadList({ uploads }: { readonly uploads: Uploads }) {
  const t = useTexts(texts);
  const rows = useSyncExternalStore(uploads.subscribe, uploads.list);
  return (
    <ul aria-label={t.uploads} className="flex max-h-32 flex-col gap-1 overflow-y-auto">
      {rows.map((row) => (
        <UploadItem key={row.id} row={row} uploads={uploads} />
      ))}
    </ul>
  );
}

function UploadItem({ row, uploads }: { readonly row: UploadRow; readonly uploads: Uploads }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { id, name, state, size, sent, why } = row;
  const isPaused = state === 'paused' || state === 'failed';
  return (
    <li className="flex items-center gap-2 rounded-control bg-hover px-2 py-1 text-small">
      <Icon name="file" className="size-4 text-muted" />
      <bdi className="max-w-48 truncate font-medium">{name}</bdi>
      <span className="min-w-0 flex-1">
        {state === 'failed' ? (
          <span className="text-danger" role="alert">
            {why === 'size'
              ? t.tooBig({ size: writeSize(size, locale), limit: writeSize(uploads.limit, locale) })
              : why === 'network'
                ? t.cut
                : why}
          </span>
        ) : (
          <ProgressBar
            label={t.sending({ name })}
            percent={Math.floor((100 * sent) / Math.max(1, size))}
          />
        )}
      </span>
      {why !== 'size' && (
        <IconButton
          size="small"
          icon={isPaused ? 'refresh' : 'halted'}
          label={isPaused ? t.resume({ name }) : t.pause({ name })}
          onPress={() => (isPaused ? uploads.resume(id) : uploads.pause(id))}
        />
      )}
      <IconButton
        size="small"
        icon="close"
        label={t.cancel({ name })}
        onPress={() => uploads.cancel(id)}
      />
    </li>
  );
}
