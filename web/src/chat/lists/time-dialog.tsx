// Asks when a message shall leave: a few usual times, or any other.
import { useId, useState, type ReactNode } from 'react';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { texts } from './texts.ts';
import { fromField, isSoonEnough, offerTimes, toField } from './times.ts';

export interface TimeDialogProps {
  readonly title: string;
  /** The time that it has now. */
  readonly atMs: number;
  readonly isPending: boolean;
  readonly notice?: ReactNode;
  readonly onChoose: (atMs: number) => void;
  readonly onClose: () => void;
}

const OWN = 'own';

export function TimeDialog(props: TimeDialogProps) {
  const { title, atMs, isPending, notice, onChoose, onClose } = props;
  const t = useTexts(texts);
  const locale = useLocale();
  const fieldId = useId();
  const [nowMs] = useState(() => Date.now());
  const offered = offerTimes(nowMs);
  const [choice, setChoice] = useState<string>(OWN);
  const [field, setField] = useState(toField(Math.max(atMs, nowMs + 3_600_000)));
  const chosenMs =
    choice === OWN ? fromField(field) : offered.find((one) => one.choice === choice)?.atMs;
  const isPossible = chosenMs !== undefined && isSoonEnough(chosenMs, nowMs);
  return (
    <Dialog
      title={title}
      size="small"
      isOpen
      onOpenChange={(isOpen) => isOpen || onClose()}
      actions={
        <>
          <Button onPress={onClose}>{t.cancel}</Button>
          <Button
            variant="primary"
            isPending={isPending}
            isDisabled={!isPossible}
            onPress={() => chosenMs !== undefined && onChoose(chosenMs)}
          >
            {title}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        {notice}
        <RadioGroup
          label={t.when}
          value={choice}
          onChange={setChoice}
          choices={[
            ...offered.map((one) => ({
              value: one.choice,
              label: t[one.choice],
              description: writeMoment(one.atMs, locale),
            })),
            { value: OWN, label: t.ownTime },
          ]}
        />
        {choice === OWN && (
          <div className="flex flex-col gap-1.5 ps-7">
            <label htmlFor={fieldId} className="text-small font-medium">
              {t.ownTimeField}
            </label>
            <input
              id={fieldId}
              type="datetime-local"
              dir="ltr"
              value={field}
              min={toField(nowMs)}
              onChange={(event) => setField(event.target.value)}
              className="h-control rounded-control border border-control bg-field px-2.5"
            />
            <p className={isPossible ? 'text-small text-muted' : 'text-small text-danger'}>
              {isPossible ? t.willSend({ when: writeMoment(chosenMs, locale) }) : t.tooSoon}
            </p>
          </div>
        )}
      </div>
    </Dialog>
  );
}
