// An act with a form of its own: first the form, then what exactly will be sent, then the name of what it is done to.
import { useState, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ActDialog, type ActDialogProps } from '../act-dialog.tsx';
import { texts as common } from '../texts.ts';
import { Changes, type Change } from './changes.tsx';
import { texts } from './texts.ts';

export interface ReviewedActProps extends Omit<ActDialogProps, 'children' | 'onBack'> {
  /** The fields. */
  readonly children: ReactNode;
  /** What will be sent. */
  readonly changes: readonly Change[];
  /** Why it cannot be sent yet; undefined if it can. */
  readonly problem: string | undefined;
  /** What the act means, above the list of what is sent. */
  readonly note: string;
  /** Forgets the refusal, for the form is changed now. */
  readonly onForget: () => void;
}

export function ReviewedAct(props: ReviewedActProps) {
  const { children, changes, problem, note, onForget, ...act } = props;
  const t = useTexts(texts);
  const c = useTexts(common);
  const [isReviewing, setReviewing] = useState(false);
  if (isReviewing) {
    return (
      <ActDialog
        {...act}
        onBack={() => {
          onForget();
          setReviewing(false);
        }}
      >
        <p>{note}</p>
        <Changes changes={changes} />
      </ActDialog>
    );
  }
  return (
    <Dialog
      title={act.title}
      size="large"
      isAlert
      isOpen
      onOpenChange={act.onClose}
      actions={
        <>
          <p
            role="status"
            className="min-w-0 flex-1 basis-60 self-center max-tablet:basis-full text-small text-pretty text-muted"
          >
            {problem ?? t.ready({ count: changes.length })}
          </p>
          <Button onPress={act.onClose}>{c.cancel}</Button>
          <Button
            variant="primary"
            isDisabled={problem !== undefined}
            onPress={() => setReviewing(true)}
          >
            {t.review}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
