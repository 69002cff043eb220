import type { AuditedAct } from '../../api/administration.ts';
import { useTexts } from '../../i18n/texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts } from './texts.ts';

export function DetailsDialog({
  entry: { seq, act, subject, details, hash },
  onClose,
}: {
  readonly entry: AuditedAct;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  return (
    <Dialog title={t.detailsOf({ seq })} isOpen onOpenChange={onClose}>
      <div className="flex flex-col gap-3">
        <p>
          <bdi dir="ltr" className="break-words">
            {act}: {subject}
          </bdi>
        </p>
        <pre
          dir="ltr"
          tabIndex={0}
          className="max-h-80 overflow-auto rounded-control border border-line bg-background p-3 font-mono text-small whitespace-pre-wrap"
        >
          {pretty(details)}
        </pre>
        <div className="flex flex-col">
          <span className="text-small text-muted">{t.hash}</span>
          <span className="flex min-w-0 items-center gap-1">
            <bdi dir="ltr" className="min-w-0 font-mono text-small break-all">
              {hash}
            </bdi>
            <CopyButton text={hash} />
          </span>
        </div>
      </div>
    </Dialog>
  );
}

/** The hash covers the text as it came; here it is only easier to read. */
function pretty(details: string): string {
  try {
    return JSON.stringify(JSON.parse(details), null, 2);
  } catch {
    return details;
  }
}
