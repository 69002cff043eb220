import { useState, type FormEvent } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { texts } from './texts.ts';

const LABEL_MAX = 64;

/** Asks for the name of a sub-account. */
export function LabelDialog({
  title,
  start,
  act,
  isPending,
  onDone,
  onClose,
}: {
  readonly title: string;
  readonly start: string;
  readonly act: string;
  readonly isPending: boolean;
  readonly onDone: (label: string) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const [label, setLabel] = useState(start);
  const clean = label.trim();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (clean !== '') onDone(clean);
  };
  return (
    <Dialog title={title} size="small" isOpen onOpenChange={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          label={t.label}
          description={t.labelNote}
          value={label}
          onChange={setLabel}
          maxLength={LABEL_MAX}
          autoComplete="off"
          autoFocus
        />
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            type="submit"
            variant="primary"
            isPending={isPending}
            isDisabled={clean === '' || clean === start}
          >
            {act}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
