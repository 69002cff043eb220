import { useFailure } from '../../asked/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Reference } from '../../ui/error-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { Saved } from './use-saved.ts';
import { texts } from './texts.ts';

/** Below a field that saves alone: how far it is, or why it was refused. */
export function SaveStatus({
  saved: { isSaving, isSaved, error },
}: {
  readonly saved: Pick<Saved<unknown>, 'isSaving' | 'isSaved' | 'error'>;
}) {
  const t = useTexts(texts);
  const { why, reference } = useFailure(error);
  if (isSaving) {
    return (
      <p className="flex items-center gap-1.5 text-small text-muted">
        <Spinner className="size-3.5" />
        {t.saving}
      </p>
    );
  }
  if (error !== undefined) {
    return (
      <div className="flex flex-col gap-1 text-small">
        <p className="flex items-start gap-1 text-danger">
          <Icon name="alert" className="mt-0.5 size-3.5 shrink-0" />
          <span dir="auto">{t.notSaved({ why })}</span>
        </p>
        {reference !== undefined && <Reference reference={reference} />}
      </div>
    );
  }
  if (!isSaved) return null;
  return (
    <p className="flex items-center gap-1 text-small text-success">
      <Icon name="check" className="size-3.5" />
      {t.saved}
    </p>
  );
}
