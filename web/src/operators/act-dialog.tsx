import { useState, type ReactNode } from 'react';
import { FailureNotice } from '../asked/failure.tsx';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { TextArea } from '../ui/text-area.tsx';
import { TextField } from '../ui/text-field.tsx';
import { texts } from './texts.ts';

const REASON_MAX = 1000;

export interface ActDialogProps {
  readonly title: string;
  /** What will happen, and what cannot be taken back; fields of the act below. */
  readonly children: ReactNode;
  /** Verb and object. */
  readonly act: string;
  /** The name of what it is done to. */
  readonly mustType: string;
  /** Whether the act takes a reason. */
  readonly hasReason?: boolean;
  readonly isDisabled?: boolean;
  readonly isRunning: boolean;
  readonly error: unknown;
  readonly onRun: (reason: string) => void;
  readonly onClose: () => void;
  /** Where a form came before: back to it. */
  readonly onBack?: (() => void) | undefined;
  /** Instead of the note below the reason: who will read it. */
  readonly reasonNote?: string | undefined;
}

/** Asks an operator for the reason and for the name of what the act is done to. Nothing is done by a slip of a finger. */
export function ActDialog(props: ActDialogProps) {
  const { title, children, act, mustType, hasReason = true, isDisabled = false } = props;
  const t = useTexts(texts);
  const [reason, setReason] = useState('');
  const [typed, setTyped] = useState('');
  const isReady = !isDisabled && (!hasReason || reason.trim() !== '') && typed.trim() === mustType;
  return (
    <Dialog
      title={title}
      isAlert
      isOpen
      onOpenChange={props.onClose}
      actions={
        <>
          <Button onPress={props.onBack ?? props.onClose}>
            {props.onBack === undefined ? t.cancel : t.back}
          </Button>
          <Button
            variant="danger"
            isPending={props.isRunning}
            isDisabled={!isReady}
            onPress={() => props.onRun(reason.trim())}
          >
            {act}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {children}
        {hasReason && (
          <TextArea
            label={t.reason}
            description={props.reasonNote ?? t.reasonNote}
            value={reason}
            onChange={setReason}
            maxLength={REASON_MAX}
            rows={2}
            isRequired
          />
        )}
        <TextField
          label={t.typeToConfirm({ text: mustType })}
          value={typed}
          onChange={setTyped}
          autoComplete="off"
          isLatin
        />
        <FailureNotice what={t.notDone} error={props.error} />
      </div>
    </Dialog>
  );
}
