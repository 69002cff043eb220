import { FailureNotice } from '../../asked/failure.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { texts } from './texts.ts';

/** Asks before messages are kept for less time than now: what is older goes for good. */
export function ShorteningDialog({
  where,
  days,
  isPending,
  error,
  onConfirm,
  onClose,
}: {
  /** A channel's name; undefined for the whole organization. */
  readonly where?: string | undefined;
  readonly days: number;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const organization = useSelect(
    useStore(),
    (state) => state.organization.settings['name'] as string,
  );
  return (
    <ConfirmDialog
      title={t.shorten}
      act={t.shortenAct}
      mustType={organization}
      isPending={isPending}
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      onConfirm={onConfirm}
    >
      <FailureNotice what={t.notSaved} error={error} />
      <p>
        {where === undefined ? t.shortenAll({ days }) : t.shortenChannel({ days, name: where })}{' '}
        {t.shortenFinal}
      </p>
    </ConfirmDialog>
  );
}
