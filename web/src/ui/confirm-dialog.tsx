import { useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button, type ButtonVariant } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { TextField } from './text-field.tsx';
import { texts } from './texts.ts';

export interface ConfirmDialogProps {
  title: string;
  /** What will happen, and what cannot be taken back. */
  children: ReactNode;
  /** The act, verb and object: "Delete channel". */
  act: string;
  onConfirm: () => void;
  variant?: ButtonVariant | undefined;
  isPending?: boolean | undefined;
  /** A dangerous act needs this typed, as the name of what it ends. */
  mustType?: string | undefined;
  isOpen?: boolean | undefined;
  onOpenChange?: ((isOpen: boolean) => void) | undefined;
}

/** Asks before an act. "Cancel" stands first and has the focus, unless something has to be typed. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, children, act, onConfirm, variant = 'danger', isPending, mustType } = props;
  const t = useTexts(texts);
  const [typed, setTyped] = useState('');
  return (
    <Dialog
      title={title}
      size="small"
      isAlert
      isOpen={props.isOpen}
      onOpenChange={props.onOpenChange}
      actions={(close) => (
        <>
          <Button onPress={close} autoFocus={mustType === undefined}>
            {t.cancel}
          </Button>
          <Button
            variant={variant}
            isPending={isPending ?? false}
            isDisabled={mustType !== undefined && typed.trim() !== mustType}
            onPress={onConfirm}
          >
            {act}
          </Button>
        </>
      )}
    >
      <div className="flex flex-col gap-4">
        <div className="text-muted">{children}</div>
        {mustType !== undefined && (
          <TextField
            label={t.typeToConfirm({ text: mustType })}
            value={typed}
            onChange={setTyped}
            autoComplete="off"
            autoFocus
          />
        )}
      </div>
    </Dialog>
  );
}
